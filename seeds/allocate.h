/* How many seeds each site gets: Hamilton's method (Zheng et al.: proportional to importance). */
#ifndef SEEDS_ALLOCATE_H
#define SEEDS_ALLOCATE_H

#include <stddef.h>
#include <stdint.h>

/* budget * importance / sum of importances, rounded down; what is left goes one each to those with
 * the largest remainders, of equals those of the lower rank (ranks are distinct: the order of their
 * names). Exact. All 0 where nothing is important. share[n]; the sum must be below 2^63. */
void allocate(uint64_t budget, const uint64_t *importance, const uint32_t *rank, size_t n,
	uint64_t *share);

#endif
