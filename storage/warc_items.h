/* Reads the records of archives of any program, whatever is wrong with some of them: plain, or compressed by gzip, in one member
 * or in a member for each record; or by zstd, xz or bzip2; or a file within a ZIP file, as those of a WACZ are.
 *
 *	err = warc_items("x.warc.gz", on_record, &ctx, &damage, why);
 *	if (damage.places) ... damage.first says where and what ...
 *
 * Damage is passed over: the reader goes on at the next record that it finds. A plain file, and one with a member for each record,
 * is mapped: memory is that of the largest record, of which more than WARC_ITEM_MOST bytes count as damage. Any other file is a
 * stream: memory is what the caller asks for by warc_item_block(). */
#ifndef STORAGE_WARC_ITEMS_H
#define STORAGE_WARC_ITEMS_H

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

#define WARC_ITEM_MOST   ((size_t)1 << 30)
#define WARC_HEADER_MOST ((size_t)1 << 20) /* bytes of a record's header */
#define WARC_NO_PLACE    UINT64_MAX

/* n bytes at `at`, which belong to someone else. */
struct warc_span {
	const char *at;
	size_t n;
};

/* Returns the value of a field of a header, or an empty span if the header has no such field. The value has no white space around
 * it, but has that by which it continues on further lines. */
struct warc_span warc_field(struct warc_span header, const char *name);

/* Says whether a span equals a text; the case of ASCII letters does not count. */
int warc_is(struct warc_span, const char *text);

/* Splits a header (or an HTTP message) from its body at the first blank line, which belongs to neither part. Returns
 * 0, or -1 if there is no blank line. */
int warc_split(struct warc_span all, struct warc_span *head, struct warc_span *rest);

struct warc_stream;

struct warc_item {
	struct warc_span header; /* lines that end in LF or CR LF */
	struct warc_span block;  /* of a mapped file; see warc_item_block() */
	uint64_t size;           /* bytes of the block */
	uint64_t number;         /* of the record among those that are passed on, from 1 */
	/* the place in the file at which warc_item_at() finds the record; WARC_NO_PLACE: the file can only be read from its
	 * start */
	uint64_t place;
	uint64_t length;            /* the bytes of the file there: of the record, or of the packed member that has it */
	int is_alone;               /* 1: the record has these bytes to itself, as an index needs it; 0 also without a place */
	int is_ended;               /* 1: CR LF CR LF stands behind the block */
	struct warc_stream *stream; /* that the rest of the block comes from; NULL: the file is mapped */
};

/* Gives the first bytes of the block, at most `most`, which are valid as long as the record is. Returns 0; or an error, which the
 * receiver of the record passes on, if the file ends before. */
int warc_item_block(const struct warc_item *, size_t most, struct warc_span *block, struct err_note *why) MUST_USE;

/* Reads to the end of the block, for a receiver that must know that the file has it. Returns as warc_item_block() does. */
int warc_item_pass(const struct warc_item *, struct err_note *why) MUST_USE;

/* What was passed over. */
struct warc_damage {
	uint64_t places;
	struct err_note first;
};

/* Receives a record, whose memory is valid during the call. Returns 0 to continue. */
typedef int warc_item_fn(void *ctx, const struct warc_item *, struct err_note *why);

/* Calls each() for every record of a file in its order, until a call returns a value other than 0, and adds what is damaged to
 * *damage. The path "-" is stdin. Returns that value; 0; ERR_FILE if the file cannot be read; or ERR_FORMAT if it is no WARC file
 * at all. */
int warc_items(const char *path, warc_item_fn *each, void *ctx, struct warc_damage *damage, struct err_note *why) MUST_USE;

/* A part of a file: the records that begin from byte `from` on and before byte `to`. Several threads may each read a part of a
 * file. */
struct warc_part {
	uint64_t from, to;
	int is_begun; /* 1: a record begins at `from`; 0: the first one from there on is searched for */
	/* results: where the first record of the part begins, and where the first one behind the part begins, if there is one. If
	 * `begin` is not the `end` of the part before, this part has been read from within a record, and has to be read again from
	 * that `end` on. */
	uint64_t begin, end;
	uint64_t items; /* records passed on */
};

/* Returns into how many parts of about `size` bytes a file may be cut: 1 unless it has a gzip member for each record. */
uint64_t warc_parts(const char *path, uint64_t size);

/* Reads a part of a file, as warc_items() does; a file of no part but the whole one is read in full. A part without records is no
 * error. */
int warc_items_of(const char *path, struct warc_part *part, warc_item_fn *each, void *ctx, struct warc_damage *damage,
	struct err_note *why) MUST_USE;

/* Calls each() for the record at a place of a file. Returns as warc_items() does. */
int warc_item_at(const char *path, uint64_t place, warc_item_fn *each, void *ctx, struct err_note *why) MUST_USE;

/* --- records of mapped files, one by one, for those who write archives */

struct libdeflate_decompressor;
struct unzstd;

/* One thread uses a reader. */
struct warc_reader {
	struct libdeflate_decompressor *unpacker;
	struct unzstd *zstd; /* NULL before the first zstd frame */
	struct buf text;
};

void warc_reader_init(struct warc_reader *);
void warc_reader_release(struct warc_reader *);

/* Says whether some bytes begin with a gzip member or a zstd frame. */
int warc_is_packed(struct warc_span bytes);

/* Reads the record at the start of some bytes, which go on behind it: a packed member that has one whole record and nothing else.
 * Returns the length of the member, or 0 if the bytes begin with none. The item is valid until the next call with this reader. */
size_t warc_read(struct warc_reader *, struct warc_span bytes, struct warc_item *out);

/* Searches from a byte on for the next packed member that begins as a record does, before byte `to`. Returns its place; `to` if
 * there is none; or SIZE_MAX if the search has unpacked so much in vain that it gave up (the bytes may be made to waste time). */
size_t warc_seek(struct warc_reader *, struct warc_span all, size_t from, size_t to);

/* --- a stream, record by record, for a reader that is asked for the next one */

struct input;

struct warc_stream {
	struct warc_span header; /* of the current record; valid until the next call */
	uint64_t length;         /* of its block, in bytes */
	uint64_t number;         /* of the record in the file, from 1 */
	/* private */
	struct input *input;
	const char *path, *at; /* the rest of the current chunk: n bytes */
	size_t n;
	uint64_t left; /* bytes of the block that are not read yet */
	struct buf text, block;
	int failed; /* the file ends within the block, or cannot be read on */
	struct err_note why;
};

/* Opens a file; "-" is stdin. The path must outlive the stream. Returns 0 or ERR_FILE. The caller calls
 * warc_stream_close() in each case. */
int warc_stream_open(struct warc_stream *, const char *path, struct err_note *why) MUST_USE;
void warc_stream_close(struct warc_stream *);

/* Moves on to the next record, and skips what is left of the current block. Returns 1, 0 at the end of the file, or ERR_FORMAT (no
 * WARC, damaged, cut short) or ERR_FILE. */
int warc_stream_next(struct warc_stream *, struct err_note *why) MUST_USE;

/* Appends the next bytes of the current block, at most `most`. Returns 0, or ERR_FORMAT or ERR_FILE if the file ends before. */
int warc_stream_block(struct warc_stream *, struct buf *out, size_t most, struct err_note *why) MUST_USE;

#endif
