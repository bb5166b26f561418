/* A method run on each site by itself, as the experiments of Zheng et al. are: on the links within
 * the site alone, with the share of the seeds that its pages are of all. */
#ifndef SEEDS_PER_SITE_H
#define SEEDS_PER_SITE_H

#include "seeds/method.h"

/* `in` is of the whole graph, in->host (not NULL) names the site of each node below `sites`, and
 * rank[sites] are distinct: the order of their names. Sites are worked on in parallel. The seeds
 * come in rounds, the i-th of each site, sites by (pages descending, rank); site number i of that
 * order has the rng seed in->rng_seed + i. Not for methods that go by links between sites;
 * in->enough is not asked. */
int seeds_per_site(const struct seed_method *m, const struct seed_input *in, uint32_t sites,
	const uint32_t *rank, size_t k, struct seed_output *out, struct err_note *why) MUST_USE;

#endif
