#include "crawler/network/distinct.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void distinct_release(struct distinct *d)
{
	free(d->slot);
}

void distinct_begin(struct distinct *d)
{
	d->n = 0;
	if (++d->list == 0) {
		if (d->slot)
			memset(d->slot, 0, d->room * sizeof *d->slot);
		d->list = 1;
	}
}

/* Returns the slot of a page in the list, or the free slot where it would be inserted. */
static struct distinct_slot *place(const struct distinct *d, uint32_t id)
{
	size_t i = (id * 0x9e3779b97f4a7c15u >> 32) & (d->room - 1);

	while (d->slot[i].list == d->list && d->slot[i].id != id)
		i = (i + 1) & (d->room - 1);
	return &d->slot[i];
}

static void grow(struct distinct *d)
{
	const size_t room = d->room;
	struct distinct_slot *old = d->slot;

	d->room = room ? 2 * room : 256;
	d->slot = mem_zero(d->room, sizeof *d->slot);
	for (size_t i = 0; i < room; i++)
		if (old[i].list == d->list)
			*place(d, old[i].id) = old[i];
	free(old);
}

int distinct_add(struct distinct *d, uint32_t id)
{
	if (2 * (d->n + 1) > d->room)
		grow(d);
	struct distinct_slot *at = place(d, id);
	if (at->list == d->list)
		return 0;
	*at = (struct distinct_slot){d->list, id};
	d->n++;
	return 1;
}
