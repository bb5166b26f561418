#include "graph/kernels/reorder.h"
#include "graph/memory/blocks.h"
#include "graph/memory/subgraph.h"
#include "base/mem.h"

#include <stdlib.h>

#define SAMPLE    4096  /* rows, at equal distances */
#define NEAR      32768 /* ids: what gather.h stores in 16 bits */
#define BY_CHANCE 3     /* the copy pays if the graph has less than this many times the near links of a random order */
#define GRAIN     65536 /* nodes and links of a block, which one thread copies */

int reorder_pays(const struct graph *g, double passes)
{
	uint64_t links = 0, near = 0;

	if (g->nodes < REORDER_NODES || passes < REORDER_PASSES || g->flags & GRAPH_BOUNDED)
		return 0;
	for (uint32_t i = 0; i < SAMPLE; i++) {
		const uint32_t u = (uint32_t)((uint64_t)g->nodes * i / SAMPLE);
		const uint32_t *row = graph_row(g, u);
		for (uint32_t k = 0, n = graph_outdegree(g, u); k < n; k++)
			near += row[k] - u + NEAR < 2 * NEAR;
		links += graph_outdegree(g, u);
	}
	return (double)near < BY_CHANCE * 2.0 * NEAR / g->nodes * (double)links;
}

struct copy {
	const struct graph *g;
	const uint32_t *order, *name; /* node u of the graph is node name[u] of the copy */
	uint64_t *offset;
	uint32_t *target;
	struct blocks block; /* of the copy's nodes */
};

static void copy_block(void *ctx, uint32_t b)
{
	const struct copy *c = ctx;

	for (uint32_t i = c->block.cut[b]; i < c->block.cut[b + 1]; i++) {
		const uint32_t *row = graph_row(c->g, c->order[i]);
		uint32_t *to = c->target + c->offset[i];
		for (uint64_t k = 0, n = c->offset[i + 1] - c->offset[i]; k < n; k++)
			to[k] = c->name[row[k]];
	}
}

static uint32_t of_most_links(const struct graph *g)
{
	uint32_t best = 0;

	for (uint32_t u = 1; u < g->nodes; u++)
		if (graph_outdegree(g, u) > graph_outdegree(g, best))
			best = u;
	return best;
}

void reorder_make(struct reorder *r, const struct graph *g, unsigned threads)
{
	const uint32_t n = g->nodes, first = n ? of_most_links(g) : 0;
	uint32_t *name = mem_big(n, sizeof *name);

	r->order = mem_new(n, sizeof *r->order);
	graph_discovery(g, &first, n != 0, r->order);
	struct copy c = {.g = g,
		.order = r->order,
		.name = name,
		.offset = mem_new((size_t)n + 1, sizeof *c.offset),
		.target = mem_new(g->arcs, sizeof *c.target)};
	c.offset[0] = 0;
	for (uint32_t i = 0; i < n; i++) {
		name[r->order[i]] = i;
		c.offset[i + 1] = c.offset[i] + graph_outdegree(g, r->order[i]);
	}
	blocks_cut(&c.block, c.offset, n, GRAIN, UINT32_MAX);
	blocks_run(threads, c.block.count, copy_block, &c);
	blocks_release(&c.block);
	mem_big_free(name, n, sizeof *name);
	graph_take_rows(&r->graph, n, c.offset, c.target, 0);
}

void reorder_back(const struct reorder *r, const double *value, double *value_by_id)
{
	for (uint32_t i = 0; i < r->graph.nodes; i++)
		value_by_id[r->order[i]] = value[i];
}

void reorder_values(const struct reorder *r, const double *value_by_id, double *value)
{
	for (uint32_t i = 0; i < r->graph.nodes; i++)
		value[i] = value_by_id[r->order[i]];
}

void reorder_release(struct reorder *r)
{
	graph_release(&r->graph);
	free(r->order);
	*r = (struct reorder){.order = NULL};
}
