/* OutDegree: the pages with the most links to others. */
#include "base/mem.h"
#include "seeds/best.h"

#include <stdlib.h>

static int choose(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	const struct graph *g = in->graph;
	uint64_t *key = mem_new(g->nodes, sizeof *key);

	(void)why;
	for (uint32_t u = 0; u < g->nodes; u++)
		key[u] = seeds_outdegree(g, u);
	seeds_by_key(in, key, k, out);
	free(key);
	return 0;
}

const struct seed_method seed_method_outdegree = {
	.name = "outdegree",
	.summary = "the pages with the most links to others",
	.source = "Zheng, Dmitriev and Giles 2009, OutDegree",
	.nothing = "it is empty",
	.select = choose,
};
