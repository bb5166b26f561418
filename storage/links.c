#include "base/mem.h"
#include "storage/handle.h"

#include <assert.h>
#include <string.h>

/* The record of a page's links: the page's id; the number of links * 2, + 1 if kinds follow; each link as the difference from
 * the one before (the first: from the id); the kinds in runs of kind and length; and the anchor texts, each with its NUL. */

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

/* Appends as buf_zigzag() does, where there is room already. */
static uint8_t *add_step(uint8_t *p, int64_t step)
{
	uint64_t v = ((uint64_t)step << 1) ^ (uint64_t)(step >> 63);

	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	return p;
}

int store_put_links(struct store *s, uint32_t id, const uint32_t *links, const uint8_t *kinds,
	const char *anchors, size_t n, struct err_note *why)
{
	struct buf *b = &s->scratch;
	uint32_t last = id, pages = store_pages(s);

	assert(id < pages);
	if (n > STORE_LINKS_MAX)
		return err_set(why, ERR_TOO_BIG, "a page with %zu links; a store takes %u of one",
			n, STORE_LINKS_MAX);
	if (s->links_of == id)
		s->links_of = STORE_NO_PAGE;
	const size_t anchors_n = size_of_anchors(anchors, n);
	const int with_kinds = anchors_n || any_kind(kinds, n);
	buf_clear(b);
	buf_varint(b, id);
	buf_varint(b, (uint64_t)n << 1 | (with_kinds ? 1u : 0u));
	uint8_t *start = (uint8_t *)buf_room(b, n * 5), *p = start;
	for (size_t i = 0; i < n; i++) {
		assert(links[i] < pages);
		p = add_step(p, (int64_t)links[i] - last);
		last = links[i];
	}
	b->used += (size_t)(p - start);
	if (with_kinds)
		add_kinds(b, kinds, n);
	if (anchors_n)
		buf_add(b, anchors, anchors_n);
	int status = store_take_room(s, &s->links, b->used, why);
	if (status)
		return status;
	records_append(&s->links, b->at, b->used);
	s->uncommitted += n + 1;
	return 0;
}

int links_head(const struct store *s, const uint8_t **at, const uint8_t *end, uint32_t *id,
	size_t *n, int *kinds)
{
	uint64_t page, number;

	if (varint_read(at, end, &page) || page >= store_pages(s) ||
		varint_read(at, end, &number) || number >> 1 > (size_t)(end - *at))
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

int links_body(
	struct store *s, const uint8_t *at, const uint8_t *end, uint32_t id, size_t n, int kinds)
{
	uint64_t pages = store_pages(s);
	int64_t link = id;

	s->links_of = STORE_NO_PAGE;
	buf_clear(&s->anchors);
	s->link = mem_grow(s->link, &s->link_room, n, sizeof *s->link);
	for (size_t i = 0; i < n; i++) {
		uint64_t v;
		/* most steps are a byte or two */
		if (end - at >= 2 && at[0] < 0x80) {
			v = *at++;
		} else if (end - at >= 2 && at[1] < 0x80) {
			v = (at[0] & 0x7fu) | (uint64_t)at[1] << 7;
			at += 2;
		} else if (varint_read(&at, end, &v)) {
			return -1;
		}
		/* since |step| < 2^63 and 0 <= link < 2^32, a sum that overflows is outside the range of ids */
		link = (int64_t)((uint64_t)link + ((v >> 1) ^ -(v & 1)));
		if ((uint64_t)link >= pages)
			return -1;
		s->link[i] = (uint32_t)link;
	}
	if (!kinds)
		return at == end ? 0 : -1;
	s->kind = mem_grow(s->kind, &s->kind_room, n, 1);
	return read_kinds(&at, end, s->kind, n) || read_anchors(s, at, end, n) ? -1 : 0;
}

int links_find(struct store *s, uint32_t id, size_t *n, int *with_kinds)
{
	const uint8_t *at;
	size_t size;
	uint64_t number;
	uint32_t of;

	if (!latest_find(s, &s->latest_links, &s->links, id, &number))
		return 0;
	if (!records_get(&s->links, number, &at, &size))
		return -1;
	const uint8_t *end = at + size;
	if (links_head(s, &at, end, &of, n, with_kinds) || of != id ||
		links_body(s, at, end, id, *n, *with_kinds))
		return -1;
	s->links_of = id;
	s->links_n = *n;
	return 1;
}

size_t store_links(struct store *s, uint32_t id, const uint32_t **links, const uint8_t **kinds)
{
	size_t n;
	int with_kinds = 0, found = links_find(s, id, &n, &with_kinds) == 1;

	*links = found ? s->link : NULL;
	if (kinds)
		*kinds = found && with_kinds ? s->kind : NULL;
	return found ? n : 0;
}

const char *store_anchor(struct store *s, uint32_t id, size_t place, size_t *n)
{
	size_t links;
	int with_kinds = 0;

	*n = 0;
	if (s->links_of != id && links_find(s, id, &links, &with_kinds) != 1)
		return "";
	if (s->anchors.used == 0 || place >= s->links_n)
		return "";
	*n = strlen(s->anchors.at + s->anchor[place]);
	return s->anchors.at + s->anchor[place];
}
