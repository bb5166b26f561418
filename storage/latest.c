/* The index from a page to the last of its results, or of its records of links.
 *
 * Most pages have one such record, that of their crawl, which nobody asks for while the crawl goes on; and who asks for those of
 * many pages mostly does so in the order of the crawl (a crawl that resumes from its log). So the table has other pages only: those
 * that had a record before or without being crawled. Of the rest a bit says that there is a record, and the record is looked for
 * near the one that was found last. When it is not there, the pages are asked for in another order, and from then on the table has
 * them all. */
#include "base/paged.h"
#include "storage/handle.h"

#define AHEAD 4096    /* records behind the last that was found */
#define TAIL  1000000 /* records at the end, where a crawl goes on from its snapshot; looked through once */

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

/* Reads the page of a record. Returns 1; *is_crawl says whether it is the record of a page's crawl. Or returns 0 if the record is
 * damaged. */
static int page_of(struct store *s, struct records *r, uint64_t number, uint64_t *id, int *is_crawl)
{
	const uint8_t *at;
	size_t n;
	const uint8_t *end = records_get(r, number, &at, &n) ? at + n : NULL;

	if (!end || varint_read(&at, end, id) || *id >= store_pages(s))
		return 0;
	*is_crawl = r == &s->links || result_is_crawl(at, end);
	return 1;
}

static int is_alone(const struct latest *l, uint64_t id)
{
	return id / 64 < l->alone_room && l->alone[id / 64] >> id % 64 & 1;
}

static void set_alone(struct latest *l, uint64_t id)
{
	l->alone = paged_need(l->alone, &l->alone_room, (size_t)id / 64 + 1, sizeof *l->alone);
	l->alone[id / 64] |= (uint64_t)1 << id % 64;
}

/* Enters the records that were added since the last call. */
static void catch_up(struct store *s, struct latest *l, struct records *r)
{
	size_t slot;
	uint64_t id;
	int is_crawl;

	for (; l->seen < r->n; l->seen++) {
		if (!page_of(s, r, l->seen, &id, &is_crawl))
			continue; /* the store was opened as STORE_SUSPECT */
		if (find(&l->number, id, &slot))
			tags_replace(&l->number, slot, (uint32_t)l->seen);
		else if (!l->is_whole && is_crawl && !is_alone(l, id))
			set_alone(l, id);
		else
			tags_insert(&l->number, tag_of(id), (uint32_t)l->seen);
	}
}

/* Looks for the record of a page among from..to-1. Returns 1 with *number, or 0. */
static int look(struct store *s, struct records *r, uint64_t from, uint64_t to, uint32_t id, uint64_t *number)
{
	uint64_t of;
	int is_crawl;

	for (*number = from; *number < to; ++*number)
		if (page_of(s, r, *number, &of, &is_crawl) && of == id)
			return 1;
	return 0;
}

/* Looks for the record of a page that has one alone, near the one that was found last. */
static int look_near(struct store *s, struct latest *l, struct records *r, uint32_t id, uint64_t *number)
{
	const uint64_t rest = r->n - l->found;
	int found = look(s, r, l->found, l->found + (rest < AHEAD ? rest : AHEAD), id, number);

	if (!found && !l->has_looked)
		found = look(s, r, r->n > TAIL ? r->n - TAIL : 0, r->n, id, number);
	l->has_looked = 1;
	l->found = found ? *number : l->found;
	return found;
}

/* Makes the table one of all pages. */
static void make_whole(struct store *s, struct latest *l, struct records *r)
{
	latest_release(l);
	l->is_whole = 1;
	catch_up(s, l, r);
}

int latest_find(struct store *s, struct latest *l, struct records *r, uint32_t id, uint64_t *number)
{
	size_t slot;

	if (id >= store_pages(s))
		return 0;
	catch_up(s, l, r);
	if (!find(&l->number, id, &slot)) {
		if (!is_alone(l, id))
			return 0;
		if (look_near(s, l, r, id, number))
			return 1;
		make_whole(s, l, r);
		if (!find(&l->number, id, &slot))
			return 0; /* the record cannot be read any more */
	}
	*number = (uint32_t)l->number.slot[slot];
	return 1;
}

void latest_release(struct latest *l)
{
	tags_release(&l->number);
	paged_free(l->alone, l->alone_room, sizeof *l->alone);
	*l = (struct latest){.number = TAGS_INIT};
}
