/* A capture: one record of a WARC file that has a page, and the HTTP message in it.
 *
 *	if (capture_of(&c, item))                            c.url, c.time, c.kind
 *		err = capture_take(&c, item, SIZE_MAX, why);          its head and its body
 *	capture_decode(&c, &body);                           the body without chunks and compression */
#ifndef STORAGE_WARC_CAPTURE_H
#define STORAGE_WARC_CAPTURE_H

#include "storage/warc_items.h"

enum capture_kind { CAPTURE_RESPONSE, CAPTURE_REVISIT, CAPTURE_RESOURCE };

struct capture {
	enum capture_kind kind;
	struct buf url;       /* the target, without the angle brackets of older programs */
	struct buf refers_to; /* of a revisit: the URL of the response that it repeats; "" if the record does not say */
	int64_t refers_time;  /* and the time of that response, ms since 1970; 0: unknown */
	struct buf record;    /* the name of the record; of a revisit that of the one that it repeats, "" if it does not say */
	struct buf digest;    /* of the payload, "sha1:..."; "" if the record has none */
	struct buf type;      /* the record's Content-Type, which is that of the page unless it is application/http */
	int64_t time;         /* ms since 1970; 0: unknown */
	uint64_t length;      /* of the block */
	struct buf block;
	size_t head_at; /* where the HTTP head begins: behind those of interim answers (1xx) */
	size_t head_n;  /* where it ends, behind its blank line; 0: there is none */
};

/* Frees the memory. A zeroed struct is allowed. */
void capture_release(struct capture *);

/* Fills in the fields of a record's header. Returns 1, or 0 if the record has no page. */
int capture_of(struct capture *, const struct warc_item *);

/* Fills in the fields of a header but length and kind, whatever its record is. Returns 1, or 0 if it has no URL. */
int capture_of_url(struct capture *, struct warc_span header);

/* Finds the head of a capture whose block the caller has filled in. */
void capture_find_head(struct capture *);

/* Makes the first bytes of the record's block, at most `most`, the block of the capture, and finds its head. Returns 0, or an error
 * of warc_item_block(). */
int capture_take(struct capture *, const struct warc_item *, size_t most, struct err_note *why) MUST_USE;

/* Returns the HTTP status; 0: unknown. */
unsigned capture_status(const struct capture *);

/* Returns the value of the Content-Type, an empty span if there is none. */
struct warc_span capture_type(const struct capture *);

/* Returns the HTTP head with its blank line, and the body as archived. */
struct warc_span capture_head(const struct capture *);
struct warc_span capture_body(const struct capture *);

/* Appends the body to `out`. Chunks that Transfer-Encoding declares are joined, also if the last ones are missing; gzip, deflate,
 * brotli and zstd that Transfer-Encoding and Content-Encoding declare, at most 8 of them, are unpacked, the last one first. Of
 * compressed bytes whose end is missing what can be unpacked is appended. If the bytes are not chunked or compressed as declared,
 * or would be more than 1 GiB when unpacked, they are appended without this step. Returns 0; or -1 if a coding is declared that
 * this function does not know (in a program built without libzstd also zstd): then the body is appended still compressed. */
int capture_decode(const struct capture *, struct buf *out);

/* Appends the body with the chunks joined that Transfer-Encoding declares, and still compressed where it is. Returns 0, or -1 if it
 * has no chunks. */
int capture_join(const struct capture *, struct buf *out);

#endif
