#include "base/rng.h"
#include "base/map.h"

#include <assert.h>

/* An element of the array 0..n-1 that the shuffle has changed. */
struct moved {
	uint64_t place;
	uint32_t value;
};

static uint32_t value_at(const struct map *moved, uint32_t place)
{
	const struct moved *x = map_find(moved, place);

	return x ? x->value : place;
}

void rng_sample(struct rng *r, uint32_t n, uint32_t m, uint32_t *out)
{
	struct map moved; /* since m may be far smaller than n */

	assert(m <= n);
	map_init(&moved, sizeof(struct moved));
	for (uint32_t i = 0; i < m; i++) {
		const uint32_t j = i + (uint32_t)rng_below(r, n - i), mine = value_at(&moved, i);
		out[i] = value_at(&moved, j);
		struct moved *x = map_at(&moved, j);
		x->value = mine;
	}
	map_release(&moved);
}
