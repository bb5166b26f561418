/* lycosa beside the GAP Benchmark Suite (GAPBS), of which the user has a build of his own:
 *
 *   bench_gapbs FOLDER_OF_GAPBS [NODES:ARCS_PER_NODE | GRAPH]      1200000:14.7
 *
 * The rows are of the graph and of a copy whose pages are numbered at random. Those of one thread are CPU time, for GAPBS less that
 * of a run that loads the graph and does nothing else; those of two threads are elapsed time, as GAPBS prints it. Either is of the
 * kernel only, with the graph and its transpose in memory; our clocks run while PageRank makes a layout of the transpose, and not
 * while the transpose is made that breadth-first search reads, as that of GAPBS does.
 *
 * GAPBS's PageRank (pr) sums up single precision values by Gauss-Seidel sweeps over the links into each page, which see one
 * another's values; it forgets the mass of pages without links, and ends when the values of a sweep change by less than the
 * tolerance in sum. Ours ends when a last sweep by Jacobi, in double precision, changes them by less. */
#include "base/clock.h"
#include "graph/formats/format.h"
#include "graph/kernels/bfs.h"
#include "graph/kernels/scc.h"
#include "graph/kernels/pagerank.h"
#include "tests/bench/bench_peers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct gapbs {
	struct bench b;
	const char *folder;  /* of its programs */
	const char *program; /* and what the row at hand gives it */
	double tolerance;
	unsigned threads;
	double load; /* the CPU time of a run that only loads the graph */
};

static double since(clockid_t clock, int64_t began)
{
	return (double)(clock_read_ns(clock) - began) / 1e9;
}

/* The CPU time of all commands that have ended. */
static double commands_cpu(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* The graph as GAPBS keeps it, made by its converter from an edge list without comments. */
static void write_graph(const struct gapbs *s)
{
	char path[PEERS_PATH], command[4 * PEERS_PATH];
	struct err_note why;

	peers_path(&s->b, "g.el", path);
	if (graph_format_named("edges")->save(&s->b.data.graph, path, &why))
		peers_die(why.text);
	snprintf(command, sizeof command, "sed -i /^#/d '%s' && '%s/converter' -f '%s' -b '%s/g.sg' >/dev/null && rm '%s'", path,
		s->folder, path, s->b.folder, path);
	if (system(command))
		peers_die("GAPBS cannot read the graph: FOLDER_OF_GAPBS needs converter, pr, bfs and cc");
}

/* Runs the program of the row. Returns the CPU time of all of it; *elapsed is the kernel's time, which it prints. */
static double run_program(const struct gapbs *s, unsigned trials, double *elapsed)
{
	char command[PEERS_PATH + 300], more[100] = "", line[300];
	const double before = commands_cpu();

	if (!strcmp(s->program, "pr"))
		snprintf(more, sizeof more, "-i 1000 -t %g", s->tolerance);
	else if (!strcmp(s->program, "bfs"))
		snprintf(more, sizeof more, "-r %u", s->b.start);
	snprintf(command, sizeof command, "OMP_NUM_THREADS=%u '%s/%s' -f '%s/g.sg' -n %u %s", s->threads, s->folder, s->program,
		s->b.folder, trials, more);
	FILE *out = popen(command, "r");
	while (out && fgets(line, sizeof line, out))
		sscanf(line, "Trial Time: %lf", elapsed);
	if (!out || pclose(out))
		peers_die("a program of GAPBS failed");
	return commands_cpu() - before;
}

static double run_theirs(void *ctx)
{
	const struct gapbs *s = ctx;
	double elapsed = 0;
	const double cpu = run_program(s, 1, &elapsed);

	return s->threads == 1 ? cpu - s->load : elapsed;
}

/* Measures `load`: the best of three. */
static void measure_load(struct gapbs *s)
{
	double none = 0;

	s->program = "pr";
	s->threads = 1;
	s->load = 1e30;
	for (int i = 0; i < 3; i++) {
		const double cpu = run_program(s, 0, &none);
		s->load = cpu < s->load ? cpu : s->load;
	}
}

/* The clock of our side of a row. */
static clockid_t clock_of(const struct gapbs *s)
{
	return s->threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
}

static double run_pagerank(void *ctx)
{
	const struct gapbs *s = ctx;
	struct pagerank p = PAGERANK_DEFAULT;
	const int64_t began = clock_read_ns(clock_of(s));

	p.tolerance = s->tolerance;
	p.threads = s->threads;
	pagerank_solve(&s->b.data.graph, &p, s->b.a);
	return since(clock_of(s), began);
}

static double run_bfs(void *ctx)
{
	const struct gapbs *s = ctx;
	const int64_t began = clock_read_ns(clock_of(s));
	struct bfs found;

	bfs_run_both_ways(&found, &s->b.data.graph, &s->b.data.reverse, &s->b.start, 1);
	bfs_levels(&found, s->b.number);
	bfs_release(&found);
	return since(clock_of(s), began);
}

static double run_components(void *ctx)
{
	const struct gapbs *s = ctx;
	const int64_t began = clock_read_ns(clock_of(s));

	components(&s->b.data.graph, s->b.number);
	return since(clock_of(s), began);
}

static void row(struct gapbs *s, const char *what, const char *program, peers_timed *ours)
{
	char name[200], peer[40];

	snprintf(name, sizeof name, s->threads == 1 ? "%s on one thread" : "elapsed: %s on two threads", what);
	snprintf(peer, sizeof peer, "GAPBS (%s)", program);
	s->program = program;
	peers_timed_row(&s->b, name, ours, run_theirs, peer, s);
}

static void beside_gapbs(struct gapbs *s)
{
	write_graph(s);
	measure_load(s);
	for (s->threads = 1; s->threads <= 2; s->threads++) {
		s->tolerance = 1e-4; /* GAPBS's */
		row(s, "PageRank to 1e-4", "pr", run_pagerank);
		s->tolerance = 1e-6;
		row(s, "PageRank to 1e-6", "pr", run_pagerank);
	}
	s->threads = 1;
	dataset_reverse(&s->b.data, 1);
	row(s, "breadth-first levels from one page", "bfs", run_bfs);
	row(s, "weakly connected components", "cc", run_components);
	graph_release(&s->b.data.reverse);
}

int main(int argc, char **argv)
{
	struct gapbs s = {.folder = argc > 1 ? argv[1] : NULL};

	if (!s.folder)
		peers_die("usage: bench_gapbs FOLDER_OF_GAPBS [NODES:ARCS_PER_NODE | GRAPH]");
	peers_begin(&s.b, argc > 2 ? argv[2] : "1200000:14.7");
	if (argc <= 2)
		snprintf(s.b.which, sizeof s.b.which, ", 1.2 M pages");
	beside_gapbs(&s);
	peers_shuffle(&s.b);
	beside_gapbs(&s);
	peers_end(&s.b);
	return 0;
}
