/* MaxOut (Zheng, Dmitriev and Giles): each round chooses, among the pages that no seed covers yet, the page with the most links to
 * uncovered pages. A seed covers the pages within `hops` links; paths may lead through covered pages. The choice ends with k seeds,
 * or when all pages are covered. Values are ignored. */
#include "base/mem.h"
#include "seeds/ball.h"
#include "seeds/best.h"

#include <stdlib.h>

/* Covers page x, if it is not covered: excludes x from later choices, and subtracts 1 from the counts of the pages that link to
 * x. */
static void cover(struct best *best, uint8_t *covered, const struct graph *reverse, uint32_t x)
{
	const uint32_t *row = graph_row(reverse, x);

	if (covered[x])
		return;
	covered[x] = 1;
	best_take_out(best, x);
	for (uint32_t i = 0, n = graph_outdegree(reverse, x); i < n; i++)
		if (row[i] != x)
			best_set(best, row[i], best->value[row[i]] - 1);
}

static int choose(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	const struct graph *g = in->graph;
	const uint32_t hops = (uint32_t)opt_number(in->opts, "hops");
	AUTO_FREE int64_t *links = mem_new(g->nodes, sizeof *links);
	AUTO_FREE uint8_t *covered = mem_zero(g->nodes, sizeof *covered);
	struct ball ball;
	struct best best;
	uint32_t seed;

	(void)why;
	for (uint32_t u = 0; u < g->nodes; u++)
		links[u] = seeds_outdegree(g, u);
	ball_init(&ball, g->nodes);
	best_init(&best, links, g->nodes);
	for (uint32_t u = 0; in->barred && u < g->nodes; u++)
		if (in->barred[u])
			best_take_out(&best, u);
	while (!seeds_enough(in, k, out) && (seed = best_find(&best, 0, g->nodes)) != BEST_NONE) {
		seed_output_add(out, seed);
		ball_search(&ball, g, &seed, 1, hops);
		for (uint32_t i = 0; i < ball.n; i++)
			cover(&best, covered, in->reverse, ball.node[i]);
	}
	best_release(&best);
	ball_release(&ball);
	return 0;
}

static const struct opt opts[] = {
	{"hops", OPT_COUNT, 5, 0, 1e6, NULL, "a seed covers the pages within so many links"},
	{.name = NULL},
};

const struct seed_method seed_method_maxout = {
	.name = "maxout",
	.summary = "the page with the most links to pages that no seed covers yet",
	.source = "Zheng, Dmitriev and Giles 2009, MaxOut",
	.nothing = "it is empty",
	.opts = opts,
	.ways = SEEDS_BOTH_WAYS,
	.select = choose,
};
