/* SplitMix64: the generator of all random numbers. Every consumer has a stream of its own, so that
 * the draws of one consumer do not change those of another.
 *
 *	struct rng r = {.state = 1};                         1 is the seed
 *	first = rng_next(&r);                                0x910a2dec89025cc1
 *	second = rng_next(&r);                               0xbeeb8da1658eec67 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t state; /* the seed, before the first draw */
};

/* Draws 64 random bits. */
static inline uint64_t rng_next(struct rng *r)
{
	uint64_t z = (r->state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

__extension__ typedef unsigned __int128 rng_wide;

/* Draws a whole number uniformly from 0..m-1; m must be positive. */
static inline uint64_t rng_below(struct rng *r, uint64_t m)
{
	return (uint64_t)(((rng_wide)rng_next(r) * m) >> 64);
}

/* Draws a multiple of 2^-53 uniformly from [0, 1). */
static inline double rng_unit(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* Draws m distinct numbers from 0..n-1 into out[m], by a partial Fisher-Yates shuffle; m must be at
 * most n. Memory: O(m). */
void rng_sample(struct rng *r, uint32_t n, uint32_t m, uint32_t *out);

#endif
