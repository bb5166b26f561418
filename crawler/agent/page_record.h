/* What became of a page, as several agents tell one another (doc/agents.md): the result and the links of the page, with URLs in
 * place of ids. The agent that owns the page writes the record into the log that the page's partition has on the bus
 * (agents/log_pack.h), and a later owner of the partition takes the page over as if it had fetched the page itself.
 *
 *	page_record_write(store, id, rest, &bytes);
 *
 *	struct page_record r = PAGE_RECORD_EMPTY;
 *	err = page_record_read(&r, bytes, n, why);
 *	... r.url, r.page ...                                         r.page.result.id is still to be set
 *	page_record_release(&r);
 *
 * The bytes: varints and zigzags of numbers, 8 bytes little-endian for hashes and the score, texts with their lengths before them;
 * of a URL of a link, the number of bytes in common with the URL before it, and the rest. */
#ifndef CRAWLER_PAGE_RECORD_H
#define CRAWLER_PAGE_RECORD_H

#include "fetch/fetch.h"
#include "storage/store.h"

/* Writes the record of a page that has ended, with its result and links, as the store has them, in place of what *bytes has. `rest`
 * is how long its host is to rest after the request, in ms. Returns 1, or 0 if the store has no such page or result. */
int page_record_write(struct store *, uint32_t id, int64_t rest, struct buf *bytes);

struct page_record {
	struct buf url;         /* of the page */
	int64_t rest;           /* ms */
	struct fetch_page page; /* its times are in ms since 1970, its texts are those of this struct */
	/* private */
	struct buf texts, anchors;
	uint32_t *start;
	uint8_t *kinds;
	size_t start_room, kinds_room;
};

/* clang-format off */
#define PAGE_RECORD_EMPTY {.rest = 0}
/* clang-format on */

/* Reads a record of n bytes. Returns 0, or ERR_FORMAT if the bytes are none; the caller calls page_record_release() in each
 * case. */
int page_record_read(struct page_record *, const void *bytes, size_t n, struct err_note *why) MUST_USE;

/* Frees the memory. */
void page_record_release(struct page_record *);

#endif
