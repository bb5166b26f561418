/* What the parts of bench_peers and bench_gapbs share: the rows of the table, and the graph that most of them are about. */
#ifndef TESTS_BENCH_BENCH_PEERS_H
#define TESTS_BENCH_BENCH_PEERS_H

#include "frontier/policy.h"
#include "lab/study/dataset.h"

#include <stdint.h>
#include <stdio.h>
#include <time.h>

struct bench {
	struct dataset data; /* its graph is generated, or the copy */
	char which[120];     /* behind the name of a row: which graph; empty for the generated one */
	uint32_t start;      /* the first page of the graph, whatever its number: where a search begins */
	char folder[40];     /* of the graph's files */
	double *a, *b;       /* nodes values each */
	uint32_t *number;    /* nodes */
};

#define PEERS_PATH 600

/* Makes the graph: NODES:ARCS_PER_NODE generates it, anything else is the path of one. Prints the head of the table. */
void peers_begin(struct bench *, const char *spec);

/* Numbers the pages of the graph at random; the names of the rows say so from now on. */
void peers_shuffle(struct bench *);

/* Removes the files and frees the memory. */
void peers_end(struct bench *);

/* Writes the path of a file of the folder. */
void peers_path(const struct bench *, const char *name, char path[PEERS_PATH]);

/* Does a job and returns what it took, in seconds. */
typedef double peers_timed(void *ctx);

/* Prints a row of the graph: the best of three rounds, in which `ours` and `theirs` work in turn. */
void peers_timed_row(const struct bench *, const char *what, peers_timed *ours, peers_timed *theirs, const char *peer, void *ctx);

typedef void peers_job(void *ctx);

/* Runs both jobs in turn, three times, and prints the row: the best time of each by a clock (that of the CPU time of the
 * process, or one of elapsed time for jobs of several threads), in nanoseconds for each of `count`. */
void peers_row(const char *what, const char *unit, clockid_t clock, double count, peers_job *ours, peers_job *theirs,
	const char *peer, void *ctx);

/* A row of a job on the graph, counted in its links. */
void peers_graph_row(const struct bench *, const char *what, clockid_t clock, peers_job *ours, peers_job *theirs, const char *peer,
	void *ctx);

/* Reads a file of the folder as a graph, and checks its size. */
void peers_load(const struct bench *, const char *name, unsigned threads);

/* The rows beside what anybody would write first, in a few lines of C: Jacobi's iteration over the links into each page, and
 * Tarjan's algorithm without recursion. */
void peers_plain(struct bench *);

/* The rows of jobs on two threads beside the same jobs on one, by elapsed time. */
void peers_threads(struct bench *);

/* The rows of crawls with many equal keys, and with many hosts. */
void peers_star(void);
void peers_hosts(struct bench *);

/* Replays a crawl of a data set from its first eight pages, by hosts or not. */
enum peers_hosts_kept { PEERS_ONE_HOST, PEERS_HOSTS };
void peers_replay(const struct dataset *, const struct policy *, enum peers_hosts_kept);

/* The rows of HTML and URLs, of the pages of a folder. */
void peers_texts(const char *folder);

/* Ends the program with a sentence. */
void peers_die(const char *what) __attribute__((noreturn));

#endif
