/* MaxSCC(d): chooses, in the strongly connected component with the greatest value, the page whose ball of radius d has the
 * greatest value. */
#include "seeds/greedy.h"

static int choose(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	struct greedy g;

	(void)why;
	greedy_init(&g, in, GREEDY_COMPONENTS);
	greedy_run(&g, k, greedy_richest, NULL, out);
	greedy_release(&g);
	return 0;
}

const struct seed_method seed_method_maxscc = {
	.name = "maxscc",
	.summary = "maxweight within the strongly connected component that is worth most",
	.source = "Zheng, Dmitriev and Giles 2009, MaxSCC",
	.nothing = "no page is worth anything, or no seed would gain",
	.opts = greedy_opts,
	.values = SEEDS_USE_VALUES,
	.ways = SEEDS_BOTH_WAYS,
	.select = choose,
};
