#include "base/mem.h"
#include "storage/handle.h"

#include <assert.h>
#include <string.h>

/* The record of a page's links: the page's id; the number of links * 2, + 1 if kinds follow; the links; the kinds in runs of kind
 * and length; and the anchor texts, each with its NUL.
 *
 * Most links lead to pages that were known, or to new ones, whose ids follow one another, since the page discovered them. So the
 * links are items: a known page as its difference from the known page before (the first: from the page's own id) * 2; or a run of
 * pages that follow one another as their number * 2 + 1, the first of which is the page after the last run (for the first run: its
 * difference from the page's own id follows). Which pages are called new is the writer's guess, and changes the size of a record
 * only. */

#define NO_RUN UINT64_MAX

static int any_kind(const uint8_t *kinds, size_t n)
{
	for (size_t i = 0; kinds && i < n; i++)
		if (kinds[i])
			return 1;
	return 0;
}

static void add_kinds(struct buf *b, const uint8_t *kinds, size_t n)
{
	for (size_t i = 0, run; i < n; i += run) {
		for (run = 1; i + run < n && (!kinds || kinds[i + run] == kinds[i]); run++)
			;
		buf_byte(b, kinds ? kinds[i] : 0);
		buf_varint(b, run);
	}
}

/* Returns the bytes of n anchor texts with their NULs; 0 if all are "". */
static size_t size_of_anchors(const char *anchors, size_t n)
{
	size_t size = 0;

	for (size_t i = 0; anchors && i < n; i++) {
		const size_t length = strlen(anchors + size);
		assert(length < LINK_ANCHOR);
		size += length + 1;
	}
	return size > n ? size : 0;
}

/* Returns how many of n links, n > 0, are the first one and the ids after it. */
static size_t run_length(const uint32_t *links, size_t n)
{
	size_t run = 1;

	while (run < n && links[run] == links[run - 1] + 1)
		run++;
	return run;
}

/* Appends n links of page `id`, at most 5 bytes for each and 5 more. The pages from `known` on are called new. */
static uint8_t *add_links(uint8_t *p, uint32_t id, const uint32_t *links, size_t n, uint32_t known)
{
	uint32_t last = id;
	uint64_t next = NO_RUN; /* the page after the last run */
	size_t run;

	for (size_t i = 0; i < n; i += run) {
		const uint32_t link = links[i];
		if (next == NO_RUN ? link < known : link != next) {
			p = varint_write(p, zigzag_of((int64_t)link - last) << 1);
			last = link;
			run = 1;
			continue;
		}
		run = run_length(links + i, n - i);
		p = varint_write(p, (uint64_t)run << 1 | 1);
		if (next == NO_RUN)
			p = varint_write(p, zigzag_of((int64_t)link - id));
		next = (uint64_t)link + run;
	}
	return p;
}

int store_put_links(struct store *s, uint32_t id, const uint32_t *links, const uint8_t *kinds, const char *anchors, size_t n,
	struct err_note *why)
{
	struct buf *b = &s->scratch;
	const uint32_t pages = store_pages(s);

	assert(id < pages);
	if (n > STORE_LINKS_MAX)
		return err_set(why, ERR_TOO_BIG, "a page with %zu links; a store takes %u of one", n, STORE_LINKS_MAX);
	if (s->links_of == id)
		s->links_of = STORE_NO_PAGE;
	const size_t anchors_n = size_of_anchors(anchors, n);
	const int with_kinds = anchors_n || any_kind(kinds, n);
	buf_clear(b);
	buf_varint(b, id);
	buf_varint(b, (uint64_t)n << 1 | (with_kinds ? 1u : 0u));
	for (size_t i = 0; i < n; i++)
		assert(links[i] < pages);
	uint8_t *start = (uint8_t *)buf_room(b, n * 5 + 5);
	b->used += (size_t)(add_links(start, id, links, n, s->linked) - start);
	if (with_kinds)
		add_kinds(b, kinds, n);
	if (anchors_n)
		buf_add(b, anchors, anchors_n);
	int status = store_take_room(s, &s->links, b->used, why);
	if (status)
		return status;
	records_append(&s->links, b->at, b->used);
	s->linked = pages;
	return 0;
}

/* --- reading. The bytes may be damaged. */

/* Reads the page, the number of its links, and whether their kinds follow. Returns 0, or -1 if the bytes are no such head. */
static int read_head(const struct store *s, const uint8_t **at, const uint8_t *end, uint32_t *id, size_t *n, int *kinds)
{
	uint64_t page, number;

	if (varint_read(at, end, &page) || page >= store_pages(s) || varint_read(at, end, &number) || number >> 1 > STORE_LINKS_MAX)
		return -1;
	*id = (uint32_t)page;
	*n = (size_t)(number >> 1);
	*kinds = (int)(number & 1);
	return 0;
}

static int read_kinds(const uint8_t **at, const uint8_t *end, uint8_t *kinds, size_t n)
{
	uint64_t run;

	for (size_t i = 0; i < n; i += run) {
		if (*at == end)
			return -1;
		uint8_t kind = *(*at)++;
		if (varint_read(at, end, &run) || run == 0 || run > n - i)
			return -1;
		memset(kinds + i, kind, run);
	}
	return 0;
}

/* Reads the anchor texts, which end the record, if it has them. */
static int read_anchors(struct store *s, const uint8_t *at, const uint8_t *end, size_t n)
{
	if (at == end)
		return 0;
	buf_add(&s->anchors, at, (size_t)(end - at));
	s->anchor = mem_grow(s->anchor, &s->anchor_room, n, sizeof *s->anchor);
	for (size_t i = 0; i < n; i++) {
		const size_t room = (size_t)(end - at);
		const uint8_t *nul = memchr(at, 0, room < LINK_ANCHOR ? room : LINK_ANCHOR);
		if (!nul)
			return -1;
		s->anchor[i] = s->anchors.used - room;
		at = nul + 1;
	}
	return at == end ? 0 : -1;
}

/* Returns the page that is a step away from another one; no page's id if there is none: |step| < 2^63, so the sum does not come
 * back to an id. */
static inline uint64_t stepped(uint64_t from, uint64_t zigzag)
{
	return from + ((zigzag >> 1) ^ -(zigzag & 1));
}

/* Reads the links of a record that format 4 or an earlier one has written: each as the difference from the one before, the first
 * from the page's own id. */
static int read_steps(struct store *s, const uint8_t **at, const uint8_t *end, uint32_t id, size_t n)
{
	const uint64_t pages = store_pages(s);
	uint64_t link = id, v;

	for (size_t i = 0; i < n; i++) {
		if (varint_read(at, end, &v) || (link = stepped(link, v)) >= pages)
			return -1;
		s->link[i] = (uint32_t)link;
	}
	return 0;
}

/* Reads n links as add_links() writes them. */
static int read_links(struct store *s, const uint8_t **at, const uint8_t *end, uint32_t id, size_t n)
{
	const uint64_t pages = store_pages(s);
	uint64_t last = id, next = NO_RUN, v, run, step;

	for (size_t i = 0; i < n;) {
		if (varint_read(at, end, &v))
			return -1;
		if (!(v & 1)) {
			if ((last = stepped(last, v >> 1)) >= pages)
				return -1;
			s->link[i++] = (uint32_t)last;
			continue;
		}
		run = v >> 1;
		if (next == NO_RUN) {
			if (varint_read(at, end, &step))
				return -1;
			next = stepped(id, step);
		}
		if (run == 0 || run > n - i || next >= pages || run > pages - next)
			return -1;
		for (; run; run--)
			s->link[i++] = (uint32_t)next++;
	}
	return 0;
}

int links_read(struct store *s, uint64_t number, uint32_t *id, size_t *n, int *with_kinds)
{
	const uint8_t *at;
	size_t size;

	s->links_of = STORE_NO_PAGE;
	buf_clear(&s->anchors);
	if (!records_get(&s->links, number, &at, &size))
		return -1;
	const uint8_t *end = at + size;
	if (read_head(s, &at, end, id, n, with_kinds))
		return -1;
	s->link = mem_grow(s->link, &s->link_room, *n, sizeof *s->link);
	if (number < s->links_in_steps ? read_steps(s, &at, end, *id, *n) : read_links(s, &at, end, *id, *n))
		return -1;
	if (!*with_kinds)
		return at == end ? 0 : -1;
	s->kind = mem_grow(s->kind, &s->kind_room, *n, 1);
	return read_kinds(&at, end, s->kind, *n) || read_anchors(s, at, end, *n) ? -1 : 0;
}

/* Finds and decodes the last links of a page into store->link and, if *with_kinds is set, store->kind. Returns 1, or 0 if there are
 * none. */
static int links_find(struct store *s, uint32_t id, size_t *n, int *with_kinds)
{
	uint64_t number;
	uint32_t of;

	if (!latest_find(s, &s->latest_links, &s->links, id, &number))
		return 0;
	if (links_read(s, number, &of, n, with_kinds) || of != id)
		return store_unread(s, "the links of page", id);
	s->links_of = id;
	s->links_n = *n;
	return 1;
}

size_t store_links(struct store *s, uint32_t id, const uint32_t **links, const uint8_t **kinds)
{
	size_t n;
	int with_kinds = 0, found = links_find(s, id, &n, &with_kinds);

	*links = found ? s->link : NULL;
	if (kinds)
		*kinds = found && with_kinds ? s->kind : NULL;
	return found ? n : 0;
}

size_t store_web_links(struct store *s, uint32_t id, const uint32_t **links, const uint8_t **kinds)
{
	const uint8_t *known;
	const size_t n = store_links(s, id, links, &known);

	if (kinds)
		*kinds = known;
	return n - (n && known && known[n - 1] == STORE_MADE_UP);
}

int store_is_sitemap(struct store *s, uint32_t id)
{
	const uint32_t *links;
	const uint8_t *kinds;

	return store_links(s, id, &links, &kinds) && kinds && kinds[0] == STORE_SITEMAP;
}

uint8_t *store_made_up(struct store *s)
{
	const uint32_t pages = store_pages(s), *links;
	uint8_t *made = mem_zero((size_t)pages + 1, 1);

	for (uint32_t id = 0; id < pages; id++) {
		const size_t n = store_web_links(s, id, &links, NULL);
		if (s->links_of == id && n < s->links_n && links[n] < pages)
			made[links[n]] = 1;
	}
	return made;
}

const char *store_anchor(struct store *s, uint32_t id, size_t place, size_t *n)
{
	size_t links;
	int with_kinds = 0;

	*n = 0;
	if (s->links_of != id && !links_find(s, id, &links, &with_kinds))
		return "";
	if (s->anchors.used == 0 || place >= s->links_n)
		return "";
	*n = strlen(s->anchors.at + s->anchor[place]);
	return s->anchors.at + s->anchor[place];
}
