/* The graph kernels' figures: bench_graph [GRAPH | NODES:ARCS_PER_NODE [THREADS [FOLDER]]]
 *
 * NODES:ARCS_PER_NODE makes a graph; so does nothing at all, a small one. Prints CPU and elapsed
 * seconds, ns of CPU for each arc a kernel visits (arcs times sweeps where there are sweeps), and
 * the peak of the memory so far. Then the graph is written below FOLDER (/tmp) as BVGraph and as
 * text, and these are read again: by one thread, by two, and row by row in an order by chance. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/rng.h"
#include "graph/kernels/bfs.h"
#include "graph/formats/bvrandom.h"
#include "graph/kernels/degrees.h"
#include "graph/formats/format.h"
#include "graph/kernels/generate.h"
#include "graph/kernels/hits.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/scc.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct bench {
	struct graph g, reverse;
	unsigned threads;
	double *rank;
	uint32_t *number;
	int64_t cpu, wall;
	char folder[512];
};

static void begin(struct bench *b)
{
	b->cpu = clock_cpu_ns();
	b->wall = clock_ns();
}

static void end(const struct bench *b, const char *what, double visits)
{
	const double cpu = (double)(clock_cpu_ns() - b->cpu), wall = (double)(clock_ns() - b->wall);
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	printf("%-24s\t%u\t%llu\t%u\t%.3f\t%.3f\t%.2f\t%ld\n", what, b->g.nodes, (unsigned long long)b->g.arcs, b->threads,
		cpu / 1e9, wall / 1e9, visits > 0.0 ? cpu / visits : 0.0, use.ru_maxrss / 1024);
	fflush(stdout);
}

static void rank(struct bench *b, const char *what, double tolerance, unsigned most,
	void (*way)(const struct graph *, struct pagerank *, double *))
{
	struct pagerank p = PAGERANK_DEFAULT;
	char name[64];

	p.tolerance = tolerance;
	p.max_sweeps = most;
	p.threads = b->threads;
	begin(b);
	way(&b->g, &p, b->rank);
	snprintf(name, sizeof name, "%s %g, %u sweeps", what, tolerance, p.sweeps);
	end(b, name, (double)b->g.arcs * p.sweeps);
}

static void hits(struct bench *b)
{
	double *hub = mem_big(b->g.nodes, sizeof *hub);
	struct hits h;

	begin(b);
	hits_init(&h, &b->g, b->threads);
	hits_run(&h, HITS_ITERATIONS, NULL, hub, b->rank);
	end(b, "hits, 60 iterations", (double)b->g.arcs * 2 * HITS_ITERATIONS);
	hits_release(&h);
	mem_big_free(hub, b->g.nodes, sizeof *hub);
}

static void kernels(struct bench *b)
{
	const double arcs = (double)b->g.arcs;
	struct bfs_distance distance = BFS_DISTANCE_DEFAULT;
	struct bfs search;
	uint32_t seed = 0;

	rank(b, "pagerank", 1e-6, 1, pagerank); /* first: the peak is that of loading and this */
	begin(b);
	graph_transpose(&b->g, &b->reverse, b->threads);
	end(b, "transpose", arcs);
	begin(b);
	degrees_in(&b->g, b->number, b->threads);
	end(b, "in-degrees", arcs);
	rank(b, "pagerank", 1e-6, 0, pagerank);
	rank(b, "pagerank_solve", 1e-6, 0, pagerank_solve);
	rank(b, "pagerank_solve", 1e-13, 0, pagerank_solve);
	begin(b);
	pagerank_order(b->rank, b->g.nodes, b->number);
	end(b, "pagerank_order", 0.0);
	hits(b);
	begin(b);
	scc(&b->g, b->number);
	end(b, "scc", arcs);
	begin(b);
	components(&b->g, b->number);
	end(b, "components", arcs);
	for (uint32_t v = 1; v < b->g.nodes; v++)
		if (graph_outdegree(&b->g, v) > graph_outdegree(&b->g, seed))
			seed = v;
	begin(b);
	bfs_run(&search, &b->g, &seed, 1);
	end(b, "bfs", arcs);
	bfs_release(&search);
	distance.sources = 10;
	distance.threads = b->threads;
	begin(b);
	bfs_distance(&b->g, &distance);
	end(b, "bfs_distance, 10 sources", 10.0 * arcs);
}

#define READ_TIMES 5 /* of a file: the first brings it into the cache */

static int read_again(struct bench *b, const char *what, const char *path, unsigned threads, struct err_note *why)
{
	const struct graph_load load = {.threads = threads};
	struct graph g;
	int err = 0;

	for (int i = 0; i < READ_TIMES && !err; i++) {
		begin(b);
		err = graph_open(path, &load, &g, NULL, why);
		if (i == READ_TIMES - 1)
			end(b, what, (double)b->g.arcs);
		graph_release(&g);
	}
	return err;
}

/* As many rows as there are nodes, some of them twice. */
static int read_at_random(struct bench *b, const char *path, struct err_note *why)
{
	struct rng rng = {1};
	struct bvrandom *g;
	const uint32_t *row;
	uint64_t arcs = 0;
	uint32_t n;
	int err = bvrandom_open(&g, path, why);

	if (err)
		return err;
	for (uint32_t i = 0; i < b->g.nodes; i++)
		b->number[i] = (uint32_t)rng_below(&rng, b->g.nodes);
	begin(b);
	for (uint32_t i = 0; i < b->g.nodes && !err; i++) {
		err = bvrandom_row(g, b->number[i], &row, &n, why);
		arcs += n;
	}
	end(b, "read bvgraph, at random", (double)arcs);
	bvrandom_close(g);
	return err;
}

static int files(struct bench *b, struct err_note *why)
{
	static const char *const tails[] = {".graph", ".offsets", ".properties", ".edges"};
	char path[600], text[610];

	if (!mkdtemp(b->folder))
		return err_set(why, ERR_FILE, "cannot make '%s'", b->folder);
	snprintf(path, sizeof path, "%s/g", b->folder);
	snprintf(text, sizeof text, "%s.edges", path);
	int err = graph_format_named("bvgraph")->save(&b->g, path, why);
	if (!err)
		err = graph_format_named("edges")->save(&b->g, text, why);
	if (!err)
		err = read_again(b, "read bvgraph", path, 1, why);
	if (!err)
		err = read_again(b, "read bvgraph, 2 threads", path, 2, why);
	if (!err)
		err = read_at_random(b, path, why);
	if (!err)
		err = read_again(b, "read edges", text, 1, why);
	for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
		snprintf(text, sizeof text, "%s%s", path, tails[i]);
		unlink(text);
	}
	rmdir(b->folder);
	return err;
}

/* "2000000:14.7", or the path of a graph. */
static int get_graph(struct bench *b, const char *what, struct err_note *why)
{
	const struct graph_load load = {.threads = b->threads};
	struct generate p = GENERATE_DEFAULT;
	char number[16];
	const size_t n = strcspn(what, ":");
	uint64_t nodes;
	int e = 0;

	snprintf(number, sizeof number, "%.*s", n < 15 ? (int)n : 15, what);
	begin(b);
	if (what[n] && num_count(number, GRAPH_MAX_NODES, &nodes) == 0 && nodes > 0 &&
		num_real(what + n + 1, &p.arcs_per_node) == 0) {
		p.nodes = (uint32_t)nodes;
		generate(&p, &b->g);
	} else {
		e = graph_open(what, &load, &b->g, NULL, why);
	}
	end(b, "load or generate", (double)b->g.arcs);
	return e;
}

int main(int argc, char **argv)
{
	struct bench b = {.threads = 1};
	struct err_note why;
	uint64_t threads = 1;

	if (argc > 4 || (argc >= 3 && (num_count(argv[2], 256, &threads) || threads == 0))) {
		fprintf(stderr, "usage: bench_graph [GRAPH | NODES:ARCS_PER_NODE [THREADS [FOLDER]]]\n");
		return 2;
	}
	b.threads = (unsigned)threads;
	mallopt(M_MMAP_THRESHOLD, 1 << 20); /* large arrays as in a program that makes but one */
	printf("%-24s\tnodes\tarcs\tthreads\tcpu_s\ts\tns_arc\tpeak_mb\n", "# kernel");
	if (get_graph(&b, argc > 1 ? argv[1] : "200000:12", &why) != 0) {
		fprintf(stderr, "bench_graph: %s\n", why.text);
		return 3;
	}
	b.rank = mem_big(b.g.nodes, sizeof *b.rank);
	b.number = mem_big(b.g.nodes, sizeof *b.number);
	kernels(&b);
	snprintf(b.folder, sizeof b.folder, "%s/lycosa-bench-XXXXXX", argc > 3 ? argv[3] : "/tmp");
	const int e = files(&b, &why);
	if (e)
		fprintf(stderr, "bench_graph: %s\n", why.text);
	mem_big_free(b.rank, b.g.nodes, sizeof *b.rank);
	mem_big_free(b.number, b.g.nodes, sizeof *b.number);
	graph_release(&b.reverse);
	graph_release(&b.g);
	return e ? 3 : 0;
}
