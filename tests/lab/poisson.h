/* Random times and numbers for tests of pages that change at random. */
#ifndef TESTS_POISSON_H
#define TESTS_POISSON_H

#include "base/rng.h"

#include <math.h>

/* Draws a normally distributed number with mean 0 and deviation 1. */
static inline double draw_normal(struct rng *r)
{
	return sqrt(-2 * log(1 - rng_unit(r))) * cos(6.283185307179586 * rng_unit(r));
}

/* Draws the time until the next change of a page that changes at a rate. */
static inline double draw_wait(struct rng *r, double rate)
{
	return -log(1 - rng_unit(r)) / rate;
}

#endif
