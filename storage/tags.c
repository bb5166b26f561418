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

/* Places the slots of `from` in order. -1 where they do not fit in behind the homes. */
static int place_all(struct tags *t, const struct tags *from)
{
	size_t at = 0;

	for (size_t i = 0; i < from->slots; i++) {
		if (from->slot[i] == TAGS_EMPTY)
			continue;
		size_t home = tags_home(t, (uint32_t)(from->slot[i] >> 32));
		if (at < home)
			at = home;
		if (at >= t->slots - 1)
			return -1;
		t->slot[at++] = from->slot[i];
	}
	t->used = from->used;
	return 0;
}

static void resize(struct tags *t, size_t homes, size_t slack)
{
	struct tags bigger = TAGS_INIT;

	for (;; slack *= 2) {
		bigger.homes = homes < LEAST ? LEAST : homes > UINT32_MAX ? UINT32_MAX : homes;
		bigger.slots = bigger.homes + slack;
		bigger.slot = mem_big(bigger.slots, sizeof *bigger.slot);
		memset(bigger.slot, 0xff, bigger.slots * sizeof *bigger.slot);
		if (place_all(&bigger, t) == 0)
			break;
		tags_release(&bigger);
	}
	tags_release(t);
	*t = bigger;
}

void tags_reserve(struct tags *t, size_t n)
{
	if (n > t->homes / 5 * 4)
		resize(t, n / 5 * 8 + 8, SLACK);
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
