/* MaxWeight(d): chooses the page whose ball of radius d has the greatest value. With d = hops and no negative value this is
 * greedy maximum coverage, which reaches at least 1 - 1/e of the best possible coverage. */
#include "seeds/greedy.h"

static int choose(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	struct greedy g;

	(void)why;
	greedy_init(&g, in, GREEDY_ONE_GROUP);
	greedy_run(&g, k, greedy_richest, NULL, out);
	greedy_release(&g);
	return 0;
}

const struct seed_method seed_method_maxweight = {
	.name = "maxweight",
	.summary = "the page whose surroundings are worth most, then again without what it covers",
	.source = "Zheng, Dmitriev and Giles 2009, MaxWeight",
	.nothing = "no page is worth anything, or no seed would gain",
	.opts = greedy_opts,
	.values = SEEDS_USE_VALUES,
	.ways = SEEDS_BOTH_WAYS,
	.select = choose,
};
