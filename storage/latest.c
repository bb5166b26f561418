#include "base/mem.h"
#include "storage/handle.h"

/* Looks at the records that came since. */
static void catch_up(struct store *s, struct latest *l, struct records *r)
{
	const uint8_t *at;
	size_t n, pages = store_pages(s);
	uint64_t id;

	if (l->pages < pages || !l->at) {
		l->at = mem_grow(l->at, &l->room, pages + 1, sizeof *l->at);
		memset(l->at + l->pages, 0, (pages - l->pages) * sizeof *l->at);
		l->pages = pages;
	}
	for (; l->seen < r->n; l->seen++) {
		const uint8_t *end = records_get(r, l->seen, &at, &n) ? at + n : NULL;
		if (end && varint_read(&at, end, &id) == 0 && id < pages)
			l->at[id] = (uint32_t)l->seen + 1;
		else
			l->nobodys++;
	}
}

int latest_find(struct store *s, struct latest *l, struct records *r, uint32_t id, uint64_t *number)
{
	if (id >= store_pages(s))
		return 0;
	if (l->seen < r->n || id >= l->pages)
		catch_up(s, l, r);
	if (l->at[id] == 0)
		return 0;
	*number = l->at[id] - 1;
	return 1;
}
