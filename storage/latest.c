#include "storage/handle.h"

/* Returns the tag of a page: an odd factor gives each page a tag of its own, and spreads neighbours over the table. */
static uint32_t tag_of(uint64_t id)
{
	return (uint32_t)id * 0x9e3779b1u;
}

/* Finds the slot of a page. Returns 1, or 0 if the page has none. */
static int find(const struct tags *t, uint64_t id, size_t *slot)
{
	if (!t->used)
		return 0;
	*slot = tags_seek(t, tag_of(id));
	return tags_id(t, *slot, tag_of(id)) != TAGS_NO_ID;
}

/* Enters the records that were added since the last call into the table. */
static void catch_up(struct store *s, struct latest *l, struct records *r)
{
	const uint32_t pages = store_pages(s);
	const uint8_t *at;
	size_t n, slot;
	uint64_t id;

	for (; l->seen < r->n; l->seen++) {
		const uint8_t *end = records_get(r, l->seen, &at, &n) ? at + n : NULL;
		if (!end || varint_read(&at, end, &id) || id >= pages)
			l->nobodys++;
		else if (find(&l->number, id, &slot))
			tags_replace(&l->number, slot, (uint32_t)l->seen);
		else
			tags_insert(&l->number, tag_of(id), (uint32_t)l->seen);
	}
}

int latest_find(struct store *s, struct latest *l, struct records *r, uint32_t id, uint64_t *number)
{
	size_t slot;

	if (id >= store_pages(s))
		return 0;
	catch_up(s, l, r);
	if (!find(&l->number, id, &slot))
		return 0;
	*number = (uint32_t)l->number.slot[slot];
	return 1;
}
