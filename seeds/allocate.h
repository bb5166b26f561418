/* Divides a number of seeds among sites in proportion to their importance (Zheng et al.), by Hamilton's method of the
 * largest remainders. */
#ifndef SEEDS_ALLOCATE_H
#define SEEDS_ALLOCATE_H

#include <stddef.h>
#include <stdint.h>

/* Sets share[i], for each of n sites, to budget * importance[i] / sum, rounded down, and then adds 1 for the sites
 * with the largest remainders until the shares add up to the budget. Of equal remainders the one with the lower
 * rank[i] comes first; ranks are distinct. All shares are 0 if all importances are 0. The sum of the importances
 * must be below 2^63. The arithmetic is exact. */
void allocate(uint64_t budget, const uint64_t *importance, const uint32_t *rank, size_t n, uint64_t *share);

#endif
