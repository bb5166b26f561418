/* Reads archives: finds the files of a prefix, and decompresses their records, each of which is a gzip member.
 *
 *     warc_reader_init(&reader);
 *     while (at < all.n && (n = warc_read(&reader, (struct warc_span){all.at + at, all.n - at}, &record)))
 *             at += n;                 ... record.header and record.block ...
 *     warc_reader_release(&reader);
 *
 * The files may contain any bytes, since other programs and damage change them. */
#ifndef STORAGE_WARC_RECORDS_H
#define STORAGE_WARC_RECORDS_H

#include "base/buf.h"
#include "base/err.h"

/* n bytes at `at`, which belong to someone else. */
struct warc_span {
	const char *at;
	size_t n;
};

/* A record, in memory of the reader that is valid until the next call with this reader. */
struct warc_record {
	struct warc_span header; /* lines that end in CR LF */
	struct warc_span block;
};

struct libdeflate_decompressor;
struct unzstd;

struct warc_reader {
	struct libdeflate_decompressor *unpacker;
	struct unzstd *zstd; /* NULL before the first zstd frame */
	struct buf text;
};

/* Prepares a reader. One thread uses a reader. */
void warc_reader_init(struct warc_reader *);

/* Frees the memory of a reader. */
void warc_reader_release(struct warc_reader *);

/* Reads the record at the start of some bytes, which may go on behind the record. Returns the length of the
 * compressed record, or 0 if the bytes do not begin with a complete record. Memory and time are in proportion to the
 * record, which may have 4 GB when decompressed. */
size_t warc_read(struct warc_reader *, struct warc_span bytes, struct warc_record *out);

/* Says whether some bytes begin with a gzip member or a zstd frame. */
int warc_is_packed(struct warc_span bytes);

/* Unpacks the gzip member or the zstd frame at the start of some bytes into r->text, at most `most` bytes. Returns the length of the packed
 * member, or 0 if it is damaged, incomplete or longer. A file whose zstd frames are packed with a dictionary begins with a frame that has
 * it, which a reader must be given before any other of that file. */
size_t warc_unpack(struct warc_reader *r, struct warc_span bytes, size_t most);

/* Searches for the next complete record behind damage. Returns its offset within the bytes; bytes.n if there is none;
 * or SIZE_MAX if the search has decompressed so much in vain that it gave up (the bytes may be made to waste time). */
size_t warc_seek(struct warc_reader *, struct warc_span bytes);

/* Returns the value of a field of a header, or an empty span if the header has no such field. The value has no white space around
 * it, but has that by which it continues on further lines. */
struct warc_span warc_field(struct warc_span header, const char *name);

/* Says whether a span equals a text; the case of ASCII letters does not count. */
int warc_is(struct warc_span, const char *text);

/* Splits a header (or an HTTP message) from its body at the first blank line, which belongs to neither part. Returns
 * 0, or -1 if there is no blank line. */
int warc_split(struct warc_span all, struct warc_span *head, struct warc_span *rest);

/* Returns the length of the path of a file without .warc.gz or .warc.zst. */
size_t warc_stem(const char *path);

/* Receives the path of one file. Returns 0 to continue. */
typedef int warc_file_fn(void *ctx, const char *path, struct err_note *why);

/* Calls `each` for every file PREFIX-YYYYMMDDhhmmss-NNNNN.warc.gz or .warc.zst in the order of names, which is the order in which
 * the files were begun, until a call returns a value other than 0. Returns that value, or 0. A folder that cannot be
 * read counts as empty. */
int warc_each_file(const char *prefix, warc_file_fn *each, void *ctx, struct err_note *why) MUST_USE;

#endif
