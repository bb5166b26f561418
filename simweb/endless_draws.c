#include "simweb/endless_draws.h"

#include <math.h>

/* Returns the finalizer of SplitMix64. */
static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

uint64_t draw_bits(uint64_t seed, enum draw what, uint64_t host, uint64_t page)
{
	uint64_t z = mix(seed + 0x9e3779b97f4a7c15u * (uint64_t)what);

	z = mix(z ^ (host + 0x9e3779b97f4a7c15u));
	return mix(z + page * 0xd1342543de82ef95u);
}

struct rng draw_stream(uint64_t seed, enum draw what, uint64_t host, uint64_t page)
{
	return (struct rng){draw_bits(seed, what, host, page)};
}

double draw_unit(uint64_t seed, enum draw what, uint64_t host, uint64_t page)
{
	return (double)(draw_bits(seed, what, host, page) >> 11) * 0x1p-53;
}

double draw_power(double u, double exponent, double least, double most)
{
	const double a = exponent - 1, rest = pow((most + 1) / least, -a);
	const double k = floor(least * pow(1 - u * (1 - rest), -1 / a));

	return k > most ? most : k;
}

double draw_span(double exponent, uint64_t n)
{
	return pow((double)n + 1, 1 - exponent) - 1;
}

uint64_t draw_rank(double u, double exponent, double span, uint64_t n)
{
	const uint64_t rank = (uint64_t)pow(1 + u * span, 1 / (1 - exponent)) - 1;

	return rank < n ? rank : n - 1;
}

double draw_normal(struct rng *r)
{
	const double u = 1 - rng_unit(r), v = rng_unit(r);

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}
