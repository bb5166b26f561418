/* Finds captures in WARC files and in indexes, by URL and time.
 *
 *	archive_wish_init(&wish, options, why);
 *	archive_each("x.warc.gz", &wish, each, ctx, why);    every capture that it fits
 *	archive_find(command, &capture, why);                the one that --url and --before mean */
#ifndef CLI_ARCHIVE_ARCHIVE_FIND_H
#define CLI_ARCHIVE_ARCHIVE_FIND_H

#include "cli/verb.h"
#include "parser/url.h"
#include "storage/cdxj.h"
#include "storage/warc_capture.h"
#include "storage/warc_items.h"

#include <stdint.h>

/* The options of the verbs of `lycosa archive`, whose operands are files. */
struct archive_options {
	struct standard_options standard;
	const char *url, *before, *to;
	int json, headers, raw;
	uint64_t port, block;
};

/* Selects captures by URL and time. */
struct archive_wish {
	const char *text; /* the URL as typed; NULL: any */
	struct url url;   /* its canonical form; text.used 0: it has none */
	int64_t until;    /* ms: captures of then or before */
};

/* Prepares a wish by --url and --before. Returns 0, or ERR_USAGE for a time that is none. */
int archive_wish_init(struct archive_wish *, const struct archive_options *, struct err_note *why) MUST_USE;

/* Frees the memory. */
void archive_wish_release(struct archive_wish *);

/* Says whether a capture of a URL of n bytes is meant. Two URLs are one if their canonical forms are equal. */
int archive_fits(const struct archive_wish *, const char *url, size_t n, int64_t time);

/* Where a record is. */
struct archive_place {
	char *file;
	uint64_t number; /* of the record in the file, from 1; 0: unknown */
	uint64_t offset; /* the place of warc_item_at(), which leads to no other record; or WARC_NO_PLACE */
};

/* Receives a capture, whose block is not read yet. Returns 0 to continue. */
typedef int archive_fn(void *ctx, struct warc_stream *, struct capture *, struct err_note *why);

/* Calls each() for every capture of a WARC file that is meant, until a call returns a value other than 0. Returns that value, 0, or
 * an error of warc_stream_next(). */
int archive_each(const char *path, const struct archive_wish *, archive_fn *each, void *ctx, struct err_note *why) MUST_USE;

/* Reads the capture at a place, with its block. The caller releases it in each case. Returns 0, ERR_FORMAT if there is none, or an
 * error of reading. */
int archive_read(const struct archive_place *, struct capture *, struct err_note *why) MUST_USE;

/* Reads the last capture of the command's --url before its --before, from the files and indexes that are its operands. A revisit
 * gets head and body of the response that it stands for, unless --headers was given. A file that is damaged or cut short is read as
 * far as it can be, and then *damage says where the first of these is damaged; its text is "" if there is none. Returns 0,
 * ERR_NOTHING or an error of reading. */
int archive_find(const struct command *, struct capture *, struct err_note *damage, struct err_note *why) MUST_USE;

/* --- the verbs of `lycosa archive` that have a file of their own */

/* `lycosa archive extract`. */
int archive_extract(const struct command *, struct err_note *why) MUST_USE;

/* `lycosa archive check`. */
int archive_check(const struct command *, struct err_note *why) MUST_USE;

/* `lycosa archive index`. */
int archive_index(const struct command *, struct err_note *why) MUST_USE;

/* Appends the lines of the index of a WARC file, which name it without its folder. Returns 0, ERR_FORMAT for a file whose records have no
 * gzip member each, or an error of warc_items(). */
int archive_index_file(struct buf *lines, const char *path, struct err_note *why) MUST_USE;

/* `lycosa archive wacz`. */
int archive_wacz(const struct command *, struct err_note *why) MUST_USE;

/* `lycosa archive serve`. */
int archive_serve(const struct command *, struct err_note *why) MUST_USE;

#endif
