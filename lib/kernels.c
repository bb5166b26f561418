#include "graph/kernels/bfs.h"
#include "graph/kernels/hits.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/scc.h"
#include "lib/lib_internal.h"

#include <math.h>

static const struct graph *graph_of(const struct lycosa_graph *graph)
{
	return &graph->data.graph;
}

int lycosa_pagerank(const struct lycosa_graph *graph, struct lycosa_pagerank_options *options, double *rank,
	struct lycosa_note *why)
{
	struct lycosa_pagerank_options none = {0}, *o = options ? options : &none;
	struct pagerank p = PAGERANK_DEFAULT;
	double sum = 0;

	/* a comparison with a NaN is false */
	if (!(o->damping >= 0 && o->damping < 1))
		return err_set(inside_note(why), ERR_USAGE, "a damping of %g: it lies between 0 and 1", o->damping);
	if (!(o->tolerance >= 0))
		return err_set(inside_note(why), ERR_USAGE, "a tolerance of %g: it is above 0", o->tolerance);
	for (uint32_t v = 0; o->start && v < lycosa_graph_nodes(graph); v++)
		sum += o->start[v];
	if (o->start && lycosa_graph_nodes(graph) && !(sum > 0 && isfinite(sum)))
		return err_set(inside_note(why), ERR_USAGE, "values to start from whose sum is %g: it is above 0, and finite", sum);
	if (o->damping > 0)
		p.damping = o->damping;
	if (o->tolerance > 0)
		p.tolerance = o->tolerance;
	p.max_sweeps = o->max_sweeps;
	p.threads = inside_threads(o->threads);
	p.warm = o->start;
	pagerank(graph_of(graph), &p, rank);
	o->sweeps = p.sweeps;
	o->change = p.change;
	return 0;
}

int lycosa_hits(const struct lycosa_graph *graph, unsigned iterations, unsigned threads, double *hub, double *authority,
	struct lycosa_note *why)
{
	AUTO(hits) h = {0};

	if (iterations > LYCOSA_MOST_ITERATIONS)
		return err_set(inside_note(why), ERR_USAGE, "%u iterations: %d are the most", iterations, LYCOSA_MOST_ITERATIONS);
	hits_init(&h, graph_of(graph), inside_threads(threads));
	hits_run(&h, iterations ? iterations : HITS_ITERATIONS, NULL, hub, authority);
	return 0;
}

uint32_t lycosa_scc(const struct lycosa_graph *graph, uint32_t *component)
{
	return scc(graph_of(graph), component);
}

int lycosa_bfs(const struct lycosa_graph *graph, const uint32_t *seeds, size_t n, uint32_t *level, uint32_t *reached,
	struct lycosa_note *why)
{
	AUTO(bfs) b = {0};

	_Static_assert(LYCOSA_UNREACHED == BFS_UNREACHED, "one mark");
	for (size_t i = 0; i < n; i++)
		if (seeds[i] >= graph_of(graph)->nodes)
			return err_set(inside_note(why), ERR_USAGE, "seed %u is no node: the graph has %u", seeds[i],
				graph_of(graph)->nodes);
	if (n > UINT32_MAX)
		return err_set(inside_note(why), ERR_USAGE, "%zu seeds are more than nodes", n);
	bfs_run(&b, graph_of(graph), seeds, (uint32_t)n);
	bfs_levels(&b, level);
	if (reached)
		*reached = b.reached;
	return 0;
}
