/* The records of pages, each of which is a URL with the page's host, its depth and its refusal. The pages that one page links to
 * are discovered one after the other, and mostly share the beginning of their URLs, their host and their depth. So a record says
 * how many bytes its URL shares with the URL of the record before it, and has the rest only (front coding). The first record of a
 * chunk, and every 16th after it, shares nothing: a group begins there, and a URL is read from the beginning of its group.
 *
 *	place  URL                              what the record has of it
 *	0      https://example.org/a/one        0 shared, host, depth, "https://example.org/a/one"
 *	1      https://example.org/a/two        22 shared, as before, "two"
 *	2      https://example.org/b            20 shared, as before, "b"
 *
 * A record is a varint, the bytes shared times 2, + 1 if host, depth and refusal are those of the record before; if they are not, a
 * varint host, a varint depth and a byte, the refusal; then the rest of the URL. The first record of a chunk has 1, and its host,
 * depth and refusal follow.
 *
 * In a chunk of format 4 the first record has 0, and every 8th record begins a group. The records of a chunk of format 3 or earlier
 * have the whole URL instead: URL, NUL, host, depth, refusal. So the first byte of a chunk tells the three apart: 1, 0, or one of a
 * URL. */
#ifndef STORAGE_URLS_H
#define STORAGE_URLS_H

#include "base/buf.h"
#include "storage/records.h"

#define URLS_GROUP      16 /* the records from one that shares nothing to the next */
#define URLS_GROUP_OF_4 8  /* in a chunk of format 4 */

/* The page of one record, decoded. The record after it is decoded from it. */
struct url_entry {
	struct buf url; /* a NUL follows */
	uint64_t host, depth;
	uint8_t refusal; /* as it is stored */
	uint64_t number; /* the record's number + 1; 0: none has been read */
};

/* Frees the memory. */
void url_entry_release(struct url_entry *);

/* Makes *e a copy of another entry. */
void url_entry_copy(struct url_entry *e, const struct url_entry *of);

/* Reads record i into *e. It costs least if *e has the record before it, and nothing if *e has the record itself. Returns 1; or 0
 * if there is no such record or it is damaged, and then *e has none. */
int urls_read(struct records *, uint64_t i, struct url_entry *e);

/* Says whether the URL of record i is a text of n bytes, without decoding it. A damaged record has no URL. */
int urls_is(struct records *, uint64_t i, const char *text, size_t n);

/* Fetches the memory that urls_is() of record i, which is in the chunk, will read: its lines at once, while urls_is() would wait
 * for one after the other. */
void urls_expect(const struct chunk *, uint64_t i);

/* Appends the record of a page, whose URL has n bytes, n > 0. *last is the caller's and is for this call alone: it remembers the
 * record that was appended last. `scratch` is overwritten. Writers only. */
void urls_append(struct records *, const char *url, size_t n, uint32_t host, uint16_t depth, uint8_t refusal,
	struct url_entry *last, struct buf *scratch);

#endif
