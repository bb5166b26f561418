#include "storage/tags.h"
#include "base/mem.h"

#include <string.h>

#define SLACK 512 /* slots behind the homes, at first */
#define LEAST 64

void tags_release(struct tags *t)
{
	mem_big_free(t->slot, t->slots, sizeof *t->slot);
	*t = (struct tags)TAGS_INIT;
}

/* Returns the number of slots that the ids fill if they are placed from `homes` homes on. */
static size_t slots_filled(const struct tags *t, size_t homes)
{
	const struct tags wider = {.homes = homes};
	size_t at = 0;

	for (size_t i = 0; i < t->slots; i++) {
		if (t->slot[i] == TAGS_EMPTY)
			continue;
		const size_t home = tags_home(&wider, (uint32_t)(t->slot[i] >> 32));
		at = (at > home ? at : home) + 1;
	}
	return at;
}

/* Gives the table at least as many homes as it has, and `slack` slots after them, within one array: the filled slots are first
 * moved to its end, and from there to their positions. No slot is overwritten before it is read: a slot with k filled ones after
 * it has its new position at least k slots before the end. */
static void resize(struct tags *t, size_t homes, size_t slack)
{
	homes = homes < LEAST ? LEAST : homes > UINT32_MAX ? UINT32_MAX : homes;
	const size_t filled = slots_filled(t, homes);
	const size_t slots = homes + slack > filled ? homes + slack : filled + slack;
	size_t from = slots, to = 0;

	t->slot = mem_big_grow(t->slot, t->slots, slots, sizeof *t->slot);
	for (size_t i = t->slots; i-- > 0;)
		if (t->slot[i] != TAGS_EMPTY)
			t->slot[--from] = t->slot[i];
	t->homes = homes;
	t->slots = slots;
	for (; from < slots; from++) {
		const uint64_t slot = t->slot[from];
		const size_t home = tags_home(t, (uint32_t)(slot >> 32));
		while (to < home)
			t->slot[to++] = TAGS_EMPTY;
		t->slot[to++] = slot;
	}
	while (to < slots)
		t->slot[to++] = TAGS_EMPTY;
}

void tags_reserve(struct tags *t, size_t n)
{
	if (n > t->homes / 10 * 9)
		resize(t, n / 4 * 5 + 5, SLACK);
}

void tags_insert(struct tags *t, uint32_t tag, uint32_t id)
{
	uint64_t slot = (uint64_t)tag << 32 | id;
	size_t i, hole;

	tags_reserve(t, t->used + 1);
	for (;;) {
		i = tags_home(t, tag);
		while (t->slot[i] < slot)
			i++;
		hole = i;
		while (t->slot[hole] != TAGS_EMPTY)
			hole++;
		if (hole < t->slots - 1)
			break;
		resize(t, t->homes, (t->slots - t->homes) * 2);
	}
	memmove(t->slot + i + 1, t->slot + i, (hole - i) * sizeof slot);
	t->slot[i] = slot;
	t->used++;
}
