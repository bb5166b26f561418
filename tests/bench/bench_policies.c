/* How fast each policy crawls a graph through the shipped loop, and what it needs beside the graph.
 *
 *   bench_policies [GRAPH [POLICY...]]
 *
 * Without a graph: cnr-2000 where it is there, then a generated one of 2.0 M nodes and 29.4 M arcs.
 * A row a policy: arcs read, CPU seconds of the loop (the best of three, of one where it takes
 * longer than a second), million arcs a second, and bytes of memory a page, the order included.
 * `bare` is a breadth-first search without loop or frontier. */
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rng.h"
#include "graph/kernels/generate.h"
#include "lab/study/replay.h"
#include "policies/policies.h"
#include "tests/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNS       3
#define SEED_SHARE 1000 /* one page in so many is a seed */

static struct seedset some_seeds(uint32_t nodes)
{
	struct seedset s = {.n = nodes / SEED_SHARE + 1};
	struct rng rng = {1};

	s.ids = mem_new(s.n, sizeof *s.ids);
	rng_sample(&rng, nodes, (uint32_t)s.n, s.ids);
	return s;
}

/* Reads the graph once; returns something that the compiler cannot leave out. */
static uint64_t touch(const struct graph *g)
{
	uint64_t sum = 0;

	for (uint32_t u = 0; u < g->nodes; u++)
		for (uint32_t i = 0; i < graph_outdegree(g, u); i++)
			sum += graph_row(g, u)[i];
	return sum;
}

static uint64_t bare_search(const struct graph *g, const struct seedset *seeds)
{
	uint8_t *seen = mem_big(g->nodes, 1);
	uint32_t *ring = mem_big(g->nodes, sizeof *ring), head = 0, tail = 0;
	uint64_t arcs = 0;

	for (size_t i = 0; i < seeds->n; i++) {
		seen[seeds->ids[i]] = 1;
		ring[tail++] = seeds->ids[i];
	}
	while (head < tail) {
		if (head + 16 < tail)
			__builtin_prefetch(&g->offset[ring[head + 16]]);
		if (head + 8 < tail)
			__builtin_prefetch(graph_row(g, ring[head + 8]));
		uint32_t u = ring[head++], n = graph_outdegree(g, u);
		const uint32_t *row = graph_row(g, u);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t v = row[i];
			if (!seen[v])
				ring[tail++] = v;
			seen[v] = 1;
		}
		arcs += n;
	}
	mem_big_free(seen, g->nodes, 1);
	mem_big_free(ring, g->nodes, sizeof *ring);
	return arcs;
}

struct figures {
	uint64_t arcs, pages;
	double seconds, bytes;
};

static double resident_bytes(void)
{
	unsigned long all = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (!f)
		return 0;
	if (fscanf(f, "%lu %lu", &all, &resident) != 2)
		resident = 0;
	fclose(f);
	return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static int one_run(const struct policy *p, const struct dataset *d, const struct seedset *seeds, struct figures *f)
{
	struct opt_set opts;
	struct err_note why;

	if (!p) {
		int64_t start = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
		f->arcs = bare_search(&d->graph, seeds);
		f->seconds = (double)(clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - start) / 1e9;
		f->pages = d->graph.nodes;
		return 0;
	}
	struct replay r = {.policy = p, .opts = &opts, .rng_seed = 1};
	r.batch = strcmp(p->name, "backlink") == 0; /* the continuous one: a heap at work */
	opt_init(&opts, p->opts, p->name);
	int err = replay_run(&r, d, seeds, &why);
	opt_release(&opts);
	if (err) {
		log_error("%s", why.text);
		return err;
	}
	*f = (struct figures){r.links, r.crawled, (double)r.cpu_ns / 1e9, 0};
	replay_release(&r);
	return 0;
}

/* In a process of its own, whose memory can be told. */
static void measure(const struct policy *p, const struct dataset *d, const struct seedset *seeds)
{
	struct figures best = {.seconds = 1e9}, f;
	struct rusage usage;
	int err = 0;

	fflush(stdout);
	pid_t child = fork();
	if (child) {
		waitpid(child, NULL, 0);
		return;
	}
	if (touch(&d->graph) == 1)
		puts("#");
	double before = resident_bytes();
	for (int i = 0; !err && i < RUNS && (i == 0 || best.seconds < 1); i++) {
		err = one_run(p, d, seeds, &f);
		getrusage(RUSAGE_SELF, &usage);
		f.bytes = (double)usage.ru_maxrss * 1024 - before;
		if (!err && f.seconds < best.seconds) {
			f.bytes = i ? best.bytes : f.bytes;
			best = f;
		}
	}
	if (!err)
		printf("%s\t%llu\t%.3f\t%.1f\t%.1f\n", p ? p->name : "bare", (unsigned long long)best.arcs, best.seconds,
			(double)best.arcs / best.seconds / 1e6, best.bytes / (double)best.pages);
	fflush(stdout);
	_exit(0);
}

static void measure_all(const char *name, const struct dataset *d, char *const *names)
{
	struct seedset seeds = some_seeds(d->graph.nodes);

	printf("# %s: %u nodes, %llu "
	       "arcs\npolicy\tarcs\tseconds\tMarcs_per_second\tbytes_per_page\n",
		name, d->graph.nodes, (unsigned long long)d->graph.arcs);
	if (!*names)
		measure(NULL, d, &seeds);
	for (size_t i = 0; !*names && policies[i]; i++)
		if (!policies[i]->oracle && (!policies[i]->host_key || d->names.host))
			measure(policies[i], d, &seeds);
	for (; *names; names++) {
		const struct policy *p = policy_named(*names);
		if (p || strcmp(*names, "bare") == 0)
			measure(p, d, &seeds);
		else
			log_error("there is no policy '%s'", *names);
	}
	seedset_release(&seeds);
}

static void measure_file(const char *path, char *const *names)
{
	struct dataset_where where = {.graph = path, .threads = 2};
	struct dataset d;
	struct err_note why;

	if (dataset_open(&d, &where, &why)) {
		log_error("%s", why.text);
		return;
	}
	measure_all(path, &d, names);
	dataset_release(&d);
}

int main(int argc, char **argv)
{
	static const struct generate b = {2000000, 14.7, 0.89, 0.14, 0.01, 1};
	static const char cnr[] = TEST_SHARED_DIR "/data/cnr-2000/cnr-2000";
	struct dataset d = {.format = "generated"};
	char *none = NULL;

	if (argc > 1) {
		measure_file(argv[1], argv + 2);
		return 0;
	}
	if (access(TEST_SHARED_DIR "/data/cnr-2000/cnr-2000.graph", R_OK) == 0)
		measure_file(cnr, &none);
	generate(&b, &d.graph);
	measure_all("generated", &d, &none);
	dataset_release(&d);
	return 0;
}
