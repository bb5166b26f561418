/* The graph kernels' figures: bench_graph [GRAPH | NODES:ARCS_PER_NODE [THREADS]]
 *
 * NODES:ARCS_PER_NODE makes a graph; so does nothing at all, a small one. Prints CPU and elapsed
 * seconds, ns of CPU for each arc a kernel visits (arcs times sweeps where there are sweeps), and
 * the peak of the memory so far. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "graph/bfs.h"
#include "graph/components.h"
#include "graph/degrees.h"
#include "graph/format.h"
#include "graph/generate.h"
#include "graph/hits.h"
#include "graph/pagerank.h"
#include "graph/scc.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

struct bench {
	struct graph g, reverse;
	unsigned threads;
	double *rank;
	uint32_t *number;
	int64_t cpu, wall;
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
	printf("%-24s\t%u\t%llu\t%u\t%.3f\t%.3f\t%.2f\t%ld\n", what, b->g.nodes,
		(unsigned long long)b->g.arcs, b->threads, cpu / 1e9, wall / 1e9,
		visits > 0.0 ? cpu / visits : 0.0, use.ru_maxrss / 1024);
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

	if (argc > 3 || (argc == 3 && (num_count(argv[2], 256, &threads) || threads == 0))) {
		fprintf(stderr, "usage: bench_graph [GRAPH | NODES:ARCS_PER_NODE [THREADS]]\n");
		return 2;
	}
	b.threads = (unsigned)threads;
	printf("%-24s\tnodes\tarcs\tthreads\tcpu_s\ts\tns_arc\tpeak_mb\n", "# kernel");
	if (get_graph(&b, argc > 1 ? argv[1] : "200000:12", &why) != 0) {
		fprintf(stderr, "bench_graph: %s\n", why.text);
		return 3;
	}
	b.rank = mem_big(b.g.nodes, sizeof *b.rank);
	b.number = mem_big(b.g.nodes, sizeof *b.number);
	kernels(&b);
	mem_big_free(b.rank, b.g.nodes, sizeof *b.rank);
	mem_big_free(b.number, b.g.nodes, sizeof *b.number);
	graph_release(&b.reverse);
	graph_release(&b.g);
	return 0;
}
