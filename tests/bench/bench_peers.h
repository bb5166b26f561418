/* What the parts of bench_peers share: a row of its table. */
#ifndef TESTS_BENCH_BENCH_PEERS_H
#define TESTS_BENCH_BENCH_PEERS_H

#include <stdio.h>

typedef void peers_job(void *ctx);

/* Runs both jobs in turn, three times, and prints the row: nanoseconds of CPU for each of `count`. */
void peers_row(const char *what, const char *unit, double count, peers_job *ours, peers_job *theirs,
	const char *peer, void *ctx);

/* The rows of HTML and URLs, of the pages of a folder. */
void peers_texts(const char *folder);

/* Ends the program with a sentence. */
void peers_die(const char *what) __attribute__((noreturn));

#endif
