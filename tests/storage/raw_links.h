/* The links of a store as format 4 and earlier ones had them: each is the difference from the link before it. */
#ifndef TESTS_RAW_LINKS_H
#define TESTS_RAW_LINKS_H

#include "tests/storage/made_crawl.h"
#include "tests/storage/raw_store.h"

/* Appends a record of links in the form of format 4. What follows the links, their kinds and anchor texts, is the same in both
 * forms, and is the last `rest` bytes of the record in the store. */
static inline void raw_add_links(struct buf *b, struct store *s, uint32_t id, size_t n, int with_kinds, const uint8_t *rest,
	size_t rest_n)
{
	uint32_t last = id;

	buf_varint(b, id);
	buf_varint(b, (uint64_t)n << 1 | (with_kinds ? 1u : 0u));
	for (size_t i = 0; i < n; last = s->link[i++])
		buf_zigzag(b, (int64_t)s->link[i] - last);
	buf_add(b, rest, rest_n);
}

/* The bytes of a record's kinds. */
static inline size_t raw_kinds_bytes(const uint8_t *kinds, size_t n)
{
	struct buf b = BUF_EMPTY;
	size_t bytes;

	for (size_t i = 0, run; i < n; i += run) {
		for (run = 1; i + run < n && kinds[i + run] == kinds[i]; run++)
			;
		buf_byte(&b, kinds[i]);
		buf_varint(&b, run);
	}
	bytes = b.used;
	buf_release(&b);
	return bytes;
}

/* Puts one chunk of links again, in the form of format 4. */
static inline void raw_put_links(const char *dir, struct store *s, size_t chunk)
{
	const uint64_t first = s->links.chunk[chunk].first, end = records_chunk_end(&s->links, chunk);
	uint16_t *ends = mem_new((size_t)(end - first), sizeof *ends);
	struct buf b = BUF_EMPTY;
	uint8_t key[8];

	for (uint64_t i = first; i < end; i++) {
		const uint8_t *at = NULL;
		size_t size = 0, n, rest;
		uint32_t id;
		int with_kinds;
		assert_int_equal(links_read(s, i, &id, &n, &with_kinds), 0);
		rest = with_kinds ? raw_kinds_bytes(s->kind, n) + s->anchors.used : 0;
		assert_true(records_get(&s->links, i, &at, &size) && rest <= size);
		raw_add_links(&b, s, id, n, with_kinds, at + size - rest, rest);
		ends[i - first] = (uint16_t)b.used;
	}
	assert_true(end == first + 1 || b.used <= UINT16_MAX);
	for (uint64_t i = first; i < end && end > first + 1; i++) {
		buf_byte(&b, ends[i - first] & 0xff);
		buf_byte(&b, ends[i - first] >> 8);
	}
	for (int i = 0; i < 8; i++)
		key[i] = (uint8_t)(first >> (56 - 8 * i));
	raw_put(dir, "links", (const char *)key, sizeof key, b.at, b.used);
	free(ends);
	buf_release(&b);
}

/* Makes a store, which nobody has open, one whose links format 4 has written; the format's number stays. */
static inline void raw_links_of_4(const char *dir)
{
	char was[4200];

	/* the chunks are put into a copy, since a process opens an environment once */
	snprintf(was, sizeof was, "cp -r '%s' '%s.was'", dir, dir);
	assert_int_equal(system(was), 0);
	snprintf(was, sizeof was, "%s.was", dir);
	struct store *s = open_store(was, STORE_READ);
	for (size_t i = 0; i < s->links.chunks; i++)
		raw_put_links(dir, s, i);
	store_drop(s);
	snprintf(was, sizeof was, "rm -r '%s.was'", dir);
	assert_int_equal(system(was), 0);
}

#endif
