/* The rank that rules of the user give a page: a tier, which goes before the keys of the policy, and a weight, by which the key is
 * multiplied. It is one byte, so that a frontier keeps one for each page.
 *
 *	uint8_t rank = rank_make(TIER_NORMAL, 3);       weights[3] is the weight
 *	if (rank_tier(rank) == TIER_FIRST) ... */
#ifndef BASE_RANK_H
#define BASE_RANK_H

#include <stdint.h>

/* In the order in which pages are taken. Deferred pages come behind all others, whatever their rank. */
enum tier { TIER_FIRST, TIER_NORMAL, TIER_LAST, TIER_DEFERRED };

#define RANK_WEIGHTS 64 /* different weights; the first is 1 */

static inline uint8_t rank_make(enum tier tier, unsigned weight)
{
	return (uint8_t)((unsigned)tier * RANK_WEIGHTS + weight);
}

static inline enum tier rank_tier(uint8_t rank)
{
	return (enum tier)(rank / RANK_WEIGHTS);
}

/* Returns the index of the weight. */
static inline unsigned rank_weight(uint8_t rank)
{
	return rank % RANK_WEIGHTS;
}

#endif
