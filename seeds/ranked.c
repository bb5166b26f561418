#include "seeds/ranked.h"
#include "base/mem.h"
#include "graph/topk.h"

#include <stdlib.h>

void seeds_by_key(const uint64_t *key, uint32_t nodes, size_t k, struct seed_output *out)
{
	const uint32_t m = k < nodes ? (uint32_t)k : nodes;
	uint32_t *top = mem_new(m, sizeof *top);

	topk(key, nodes, m, top);
	for (uint32_t i = 0; i < m; i++)
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
