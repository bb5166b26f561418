/* PageRank: the pages of the highest rank. */
#include "graph/kernels/pagerank.h"
#include "base/mem.h"
#include "seeds/best.h"

#include <stdlib.h>

static int choose(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	const uint32_t n = in->graph->nodes;
	struct pagerank p = PAGERANK_DEFAULT;
	double *rank = mem_new(n, sizeof *rank);
	uint64_t *key = mem_new(n, sizeof *key);

	(void)why;
	p.threads = in->threads;
	p.tolerance = opt_number(in->opts, "tol") * PAGERANK_SOLVE_SHARE;
	pagerank_solve(in->graph, &p, rank);
	for (uint32_t u = 0; u < n; u++)
		key[u] = pagerank_key(rank[u], n);
	seeds_by_key(in, key, k, out);
	free(rank);
	free(key);
	return 0;
}

static const struct opt opts[] = {
	{"tol", OPT_REAL, 1e-12, 1e-300, 1, NULL, "PageRank stops at this L1 change"},
	{.name = NULL},
};

const struct seed_method seed_method_pagerank = {
	.name = "pagerank",
	.summary = "the pages of the highest PageRank",
	.source = "Zheng, Dmitriev and Giles 2009, PageRank",
	.nothing = "it is empty",
	.opts = opts,
	.ways = SEEDS_FORWARD_ONLY,
	.select = choose,
};
