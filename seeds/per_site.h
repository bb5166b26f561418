/* Runs a seed method on each site separately, as in the experiments of Zheng et al.: on the links within the site,
 * for a number of seeds that is proportional to the site's pages. */
#ifndef SEEDS_PER_SITE_H
#define SEEDS_PER_SITE_H

#include "seeds/method.h"

#include <stddef.h>
#include <stdint.h>

/* Chooses k seeds into `out`. `in` describes the whole graph; in->host is not NULL and has the site of each node,
 * a number below `sites`; rank[sites] is the place of each site in the order of names. The sites are ordered by
 * descending number of pages, then by rank; the output has the first seed of each site in this order, then the
 * second seeds, and so on. Site i of this order has the random seed in->rng_seed + i. Sites run in parallel, on
 * in->threads threads; in->enough is ignored. A method that uses links between sites finds nothing this way.
 * Returns 0 or the first error of the method. */
int seeds_per_site(const struct seed_method *m, const struct seed_input *in, uint32_t sites, const uint32_t *rank, size_t k,
	struct seed_output *out, struct err_note *why) MUST_USE;

/* Divides a number of seeds among sites in proportion to their importance (Zheng et al.), by Hamilton's method of the
 * largest remainders. */

/* Sets share[i], for each of n sites, to budget * importance[i] / sum, rounded down, and then adds 1 for the sites
 * with the largest remainders until the shares add up to the budget. Of equal remainders the one with the lower
 * rank[i] comes first; ranks are distinct. All shares are 0 if all importances are 0. The sum of the importances
 * must be below 2^63. The arithmetic is exact. */
void allocate(uint64_t budget, const uint64_t *importance, const uint32_t *rank, size_t n, uint64_t *share);

#endif
