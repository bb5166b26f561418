/* Reads WARC files of any program as a stream: plain, or compressed by gzip or zstd, in one member or in a member for each record.
 *
 *	warc_stream_open(&s, "x.warc.gz", why);
 *	while ((got = warc_stream_next(&s, why)) > 0)
 *		if (warc_is(warc_field(s.header, "WARC-Type"), "response"))
 *			err = warc_stream_block(&s, &bytes, SIZE_MAX, why);
 *	warc_stream_close(&s);
 *
 * The files may contain any bytes. Memory: one header, and as much of a block as the caller asks for. */
#ifndef STORAGE_WARC_STREAM_H
#define STORAGE_WARC_STREAM_H

#include "base/buf.h"
#include "storage/warc_records.h"

#define WARC_HEADER_MOST ((size_t)1 << 20) /* bytes of a record's header */

struct input;

struct warc_stream {
	struct warc_span header; /* of the current record, lines that end in CR LF; valid until the next call */
	uint64_t length;         /* of its block, in bytes */
	uint64_t number;         /* of the record in the file, from 1 */
	/* private */
	struct input *input;
	const char *path, *at; /* the rest of the current chunk: n bytes */
	size_t n;
	uint64_t left; /* bytes of the block that are not read yet */
	struct buf text;
};

/* Opens a file; "-" is stdin. The path must outlive the stream. Returns 0 or ERR_FILE. The caller calls
 * warc_stream_close() in each case. */
int warc_stream_open(struct warc_stream *, const char *path, struct err_note *why) MUST_USE;

/* Closes the file. */
void warc_stream_close(struct warc_stream *);

/* Moves on to the next record, and skips what is left of the current block. Returns 1, 0 at the end of the file, or ERR_FORMAT (no
 * WARC, damaged, cut short) or ERR_FILE. */
int warc_stream_next(struct warc_stream *, struct err_note *why) MUST_USE;

/* Appends the next bytes of the current block, at most `most`. Returns 0, or ERR_FORMAT or ERR_FILE if the file ends before. */
int warc_stream_block(struct warc_stream *, struct buf *out, size_t most, struct err_note *why) MUST_USE;

#endif
