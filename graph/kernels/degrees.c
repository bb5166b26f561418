#include "graph/memory/blocks.h"
#include "graph/kernels/degrees.h"

#include <string.h>

#define GRAIN      65536
#define BLOCKS_MAX 65536

struct job {
	const struct graph *g;
	uint32_t *degree;
	struct blocks part;
};

/* Counts the in-links of a range of targets. Each thread has a range, and reads all arcs, as in transpose.c. */
static void count_in(void *ctx, uint32_t i)
{
	const struct job *j = ctx;
	const struct graph *g = j->g;
	const uint32_t low = j->part.cut[i], width = j->part.cut[i + 1] - low;

	for (uint32_t u = 0; u < g->nodes; u++)
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			if (g->target[a] - low < width)
				j->degree[g->target[a]] += g->target[a] != u;
}

static void count_out(void *ctx, uint32_t i)
{
	const struct job *j = ctx;
	const struct graph *g = j->g;

	for (uint32_t u = j->part.cut[i]; u < j->part.cut[i + 1]; u++) {
		const uint32_t *t = graph_row(g, u), n = graph_outdegree(g, u);
		uint32_t links = n;
		for (uint32_t k = 0; k < n; k++)
			links -= t[k] == u;
		j->degree[u] = links;
	}
}

void degrees_in(const struct graph *g, uint32_t *in, unsigned threads)
{
	struct job j = {.g = g, .degree = in};

	memset(in, 0, g->nodes * sizeof *in);
	blocks_cut(&j.part, g->offset, g->nodes, GRAIN, threads);
	blocks_run(threads, j.part.count, count_in, &j);
	blocks_release(&j.part);
}

void degrees_out(const struct graph *g, uint32_t *out, unsigned threads)
{
	struct job j = {.g = g, .degree = out};

	blocks_cut(&j.part, g->offset, g->nodes, GRAIN, BLOCKS_MAX);
	blocks_run(threads, j.part.count, count_out, &j);
	blocks_release(&j.part);
}
