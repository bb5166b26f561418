/* Random: a sample without replacement. */
#include "base/mem.h"
#include "base/rng.h"
#include "seeds/method.h"

#include <stdlib.h>

static int choose(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	const uint32_t n = in->graph->nodes;
	const uint32_t m = k < n && !in->enough && !in->barred ? (uint32_t)k : n;
	struct rng rng = {in->rng_seed};
	uint32_t *drawn = mem_new(m, sizeof *drawn);

	(void)why;
	rng_sample(&rng, n, m, drawn);
	for (uint32_t i = 0; i < m && !seeds_enough(in, k, out); i++)
		if (!seeds_barred(in, drawn[i]))
			seed_output_add(out, drawn[i]);
	free(drawn);
	return 0;
}

const struct seed_method seed_method_random = {
	.name = "random",
	.summary = "any pages, drawn by --rng-seed",
	.source = "Zheng, Dmitriev and Giles 2009, Random",
	.nothing = "it is empty",
	.select = choose,
};
