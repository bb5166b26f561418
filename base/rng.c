#include "base/rng.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

/* The elements of the array 0..n-1 that the shuffle has changed, by index. It is a hash table, since m may be far smaller than
 * n. */
struct moved {
	uint32_t *place, *value; /* place + 1, 0 for a free slot */
	size_t mask;
};

static size_t slot_of(const struct moved *t, uint32_t place)
{
	size_t i = (place * 0x9e3779b97f4a7c15u) >> 20 & t->mask;

	while (t->place[i] && t->place[i] != place + 1)
		i = (i + 1) & t->mask;
	return i;
}

static uint32_t value_at(const struct moved *t, uint32_t place)
{
	size_t i = slot_of(t, place);

	return t->place[i] ? t->value[i] : place;
}

void rng_sample(struct rng *r, uint32_t n, uint32_t m, uint32_t *out)
{
	struct moved t;
	size_t slots = 16;

	assert(m <= n);
	while (slots < (size_t)m * 4)
		slots *= 2;
	t.mask = slots - 1;
	t.place = mem_zero(slots, sizeof *t.place);
	t.value = mem_zero(slots, sizeof *t.value);
	for (uint32_t i = 0; i < m; i++) {
		uint32_t j = i + (uint32_t)rng_below(r, n - i);
		uint32_t mine = value_at(&t, i);
		out[i] = value_at(&t, j);
		size_t slot = slot_of(&t, j);
		t.place[slot] = j + 1;
		t.value[slot] = mine;
	}
	free(t.place);
	free(t.value);
}
