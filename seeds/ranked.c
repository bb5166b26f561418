#include "seeds/ranked.h"
#include "base/mem.h"
#include "graph/kernels/topk.h"

#include <stdlib.h>

void seeds_by_key(const struct seed_input *in, const uint64_t *key, size_t k, struct seed_output *out)
{
	const uint32_t nodes = in->graph->nodes;
	const uint32_t m = k < nodes && !in->enough && !in->barred ? (uint32_t)k : nodes;
	uint32_t *top = mem_new(m, sizeof *top);

	topk(key, nodes, m, top);
	for (uint32_t i = 0; i < m && !seeds_enough(in, k, out); i++)
		if (!seeds_barred(in, top[i]))
			seed_output_add(out, top[i]);
	free(top);
}

uint32_t seeds_outdegree(const struct graph *g, uint32_t u)
{
	const uint32_t *row = graph_row(g, u), n = graph_outdegree(g, u);

	for (uint32_t i = 0; i < n; i++)
		if (row[i] == u)
			return n - 1;
	return n;
}
