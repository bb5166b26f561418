/* Draws of the endless web: each random number is a function of the seed, of what it is drawn for, and of a host and a page.
 *
 *	u = draw_unit(seed, DRAW_SIZE, host, 0);
 *	pages = draw_power(u, 1.8, 1, 1000000);
 *
 * A sequence of numbers for one thing, such as the links of a page, comes from an rng: struct rng r = draw_stream(...). */
#ifndef SIMWEB_ENDLESS_DRAWS_H
#define SIMWEB_ENDLESS_DRAWS_H

#include "base/rng.h"

#include <stdint.h>

/* What a number is drawn for. */
enum draw {
	DRAW_LANGUAGE = 1,
	DRAW_NAME,
	DRAW_DOMAIN,
	DRAW_WWW,
	DRAW_SIZE,
	DRAW_SHAPE,
	DRAW_TRAP,
	DRAW_ROBOTS,
	DRAW_SECTION,
	DRAW_SLUG,
	DRAW_MEDIA,
	DRAW_LINKS,
	DRAW_TEXT,
	DRAW_BYTES,
	DRAW_FAULT,
	DRAW_PACE,
	DRAW_PHASE,
	DRAW_LIFE,
	DRAW_CALENDAR,
	DRAW_WORD,
	DRAW_DATED
};

/* Returns a stream of random numbers. */
struct rng draw_stream(uint64_t seed, enum draw, uint64_t host, uint64_t page);

/* Returns one random number of 64 bits, or from [0, 1). */
uint64_t draw_bits(uint64_t seed, enum draw, uint64_t host, uint64_t page);
double draw_unit(uint64_t seed, enum draw, uint64_t host, uint64_t page);

/* Makes of a number u from [0, 1) a whole number k from [least, most] with P(k) ~ k^-exponent for large k; exponent > 1,
 * 0 < least <= most. The number is a real Pareto variable, truncated at most + 1 and rounded down. */
double draw_power(double u, double exponent, double least, double most);

/* Makes of a number u from [0, 1) a rank from 0 .. n-1 such that rank r comes up with a probability of about (r+1)^-exponent;
 * 0 < exponent < 1. `span` is draw_span(exponent, n): whoever draws often from the same n computes it once. */
uint64_t draw_rank(double u, double exponent, double span, uint64_t n);
double draw_span(double exponent, uint64_t n);

/* Draws a normally distributed number with mean 0 and deviation 1. */
double draw_normal(struct rng *);

/* --- The exponents and rates of the endless web that are not settings. doc/simulation.md names the sources. */

#define ENDLESS_OUT_EXPONENT  2.72 /* P(links of a page = k) ~ k^-2.72 */
#define ENDLESS_OUT_LEAST     4    /* by default */
#define ENDLESS_BRANCHES      4    /* by default */
#define ENDLESS_OUT_MOST      2000
#define ENDLESS_IN_EXPONENT   2.1                             /* P(links to a page = k) ~ k^-2.1 */
#define ENDLESS_SIZE_EXPONENT 1.8                             /* P(pages of a host = k) ~ k^-1.8 */
#define ENDLESS_RANK_EXPONENT (1 / (ENDLESS_IN_EXPONENT - 1)) /* the page of rank r gets links ~ r^-0.91 */
#define ENDLESS_HOME          0.6 /* the share of the links to other hosts that lead to the host's home page */
#define ENDLESS_FRESH         0.3 /* the share of a page's links that change with each version */
#define ENDLESS_WORDS_SPREAD  0.8 /* the standard deviation of the logarithm of a page's words */
#define ENDLESS_WORDS_MOST    50000
#define ENDLESS_WWW           0.6 /* the share of the hosts with a domain of their own that are called www.DOMAIN */
#define ENDLESS_SUBDOMAIN     0.2 /* the share of the hosts that lie in the domain of another host */

#define ENDLESS_PACE_SPREAD 1.0  /* the standard deviation of the logarithm of a host's rate of changes */
#define ENDLESS_ABSENT      0.05 /* the share of the time in which a page that comes and goes does not exist */
#define ENDLESS_STAY        20.0 /* a page stays in existence, or away, for at least the time of this many changes */

#endif
