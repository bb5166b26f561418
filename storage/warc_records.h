/* Reading archives: the files of a prefix, and the records that are packed in each, a gzip member a record.
 *
 *     warc_reader_init(&reader);
 *     while (at < all.n && (n = warc_read(&reader, rest of the file, &record)))
 *             record.header and record.block are the reader's until the next call; at += n;
 *     warc_reader_release(&reader);
 *
 * What is read may be anything: nothing of it is trusted. */
#ifndef STORAGE_WARC_RECORDS_H
#define STORAGE_WARC_RECORDS_H

#include "base/buf.h"
#include "base/err.h"

struct warc_span {
	const char *at;
	size_t n;
};

struct warc_record {
	struct warc_span header; /* lines that end in CR LF */
	struct warc_span block;
};

struct libdeflate_decompressor;

struct warc_reader {
	struct libdeflate_decompressor *unpacker;
	struct buf text;
};

void warc_reader_init(struct warc_reader *);
void warc_reader_release(struct warc_reader *);

/* The record that bytes begin with: the length of its member, or 0 where there is none that is whole.
 * Memory and time grow with the record, up to 4 GB unpacked. */
size_t warc_read(struct warc_reader *, struct warc_span bytes, struct warc_record *out);

/* Where the next whole record begins in bytes that could not be read on: its place, bytes.n where there is
 * none, SIZE_MAX where the search was given up, as the bytes seem made to be unpacked again and again. */
size_t warc_seek(struct warc_reader *, struct warc_span bytes);

/* The value of a field; of length 0 where it is missing. */
struct warc_span warc_field(struct warc_span header, const char *name);

int warc_is(struct warc_span, const char *text);

/* Splits an HTTP message at its first blank line, which belongs to neither part: 0, or -1 where there is
 * none. */
int warc_split(struct warc_span all, struct warc_span *head, struct warc_span *rest);

/* Calls `each` for the files PREFIX-YYYYMMDDhhmmss-NNNNN.warc.gz in the order of their names, the order in
 * which they were written, until it returns other than 0, which is returned. A folder that cannot be read
 * has none. */
typedef int warc_file_fn(void *ctx, const char *path, struct err_note *why);
int warc_each_file(
	const char *prefix, warc_file_fn *each, void *ctx, struct err_note *why) MUST_USE;

#endif
