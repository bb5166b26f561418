/* `lycosa archive`: the captures of WARC files and of indexes, chosen by URL and time; and what the verbs and the crawl make of
 * them. */
#ifndef CLI_ARCHIVE_ARCHIVE_H
#define CLI_ARCHIVE_ARCHIVE_H

#include "base/destination.h"
#include "cli/verb.h"
#include "parser/url.h"
#include "storage/cdxj.h"
#include "storage/warc_capture.h"

#include <string.h>

/* The options of the verbs of `lycosa archive`, whose operands are files. */
struct archive_options {
	struct standard_options standard;
	const char *url, *before, *to;
	int json, headers, raw;
	uint64_t port, block;
};

/* --- captures by URL and time */

/* Selects captures. */
struct archive_wish {
	const char *text;   /* the URL as typed; NULL: any */
	struct url url;     /* its canonical form; text.used 0: it has none */
	int64_t until;      /* ms: captures of then or before */
	const char *digest; /* of a response; NULL: any */
};

/* Prepares a wish by --url and --before. Returns 0, or ERR_USAGE for a time that is none. */
int archive_wish_init(struct archive_wish *, const struct archive_options *, struct err_note *why) MUST_USE;

/* Frees the memory. */
void archive_wish_release(struct archive_wish *);

/* Receives a capture, whose block is not read yet. Returns 0 to continue. */
typedef int archive_fn(void *ctx, const struct warc_item *, struct capture *, struct err_note *why);

/* Calls each() for every capture of a WARC file that the wish selects, until a call returns a value other than 0. Returns that
 * value; 0; ERR_FORMAT, after all that can be read, with the first damaged place; or an error of warc_items(). */
int archive_each(const char *path, const struct archive_wish *, archive_fn *each, void *ctx, struct err_note *why) MUST_USE;

/* Returns the name of a file without its folder. */
static inline const char *archive_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Says whether a path is that of an index, or of the summary of one. */
static inline int archive_is_index(const char *path)
{
	return cdxj_is(path) || cdxj_is_summary(path);
}

/* Calls each() for every line of an index that the wish selects, as archive_each() does. Of a large index that is sorted only the
 * lines of the URL are read. */
int archive_each_line(const char *path, const struct archive_wish *, cdxj_fn *each, void *ctx, struct err_note *why) MUST_USE;

struct html_page;

/* Says whether a capture is an HTML page by its media type. */
int archive_is_html(const struct capture *);

/* Reads a capture as an HTML page; `flags` are the kinds of html_read(), such as HTML_TEXT. Returns 1 with *page, which the caller
 * releases, or 0 if its body cannot be unpacked or its URL is none of the Web. */
int archive_read_html(const struct capture *, unsigned flags, struct html_page *page);

/* Reads the last capture of the command's --url before its --before, from the files and indexes that are its operands. A revisit
 * gets head and body of the response that it stands for, unless --headers was given. A file that is damaged or cut short is read as
 * far as it can be, and then *damage says where the first of these is damaged; its text is "" if there is none. Returns 0,
 * ERR_NOTHING or an error of reading. */
int archive_find(const struct command *, struct capture *, struct err_note *damage, struct err_note *why) MUST_USE;

/* --- captures by URL and time, for a replay: in memory; or, of an index that is searched by halves, those of one URL at a time
 *
 *	replay_open(&r, files, n, NULL, why);
 *	c = replay_find(r, "http://a.test/", 14, time, &i);  the capture nearest to that time
 *	err = replay_read(r, c, &capture, why);              with the body, also of a revisit */

/* Where a record is. */
struct archive_place {
	char *file;
	uint64_t number; /* of the record in the file, from 1; 0: unknown */
	uint64_t offset; /* the place of warc_item_at(), which leads to no other record; or WARC_NO_PLACE */
};

struct replay_capture {
	char *url;           /* canonical, if it is an http or https URL */
	char *type, *digest; /* "" for unknown */
	int64_t time;        /* ms since 1970 */
	unsigned status;     /* 0: unknown */
	int is_revisit;
	char *refers_to;     /* of a revisit: the URL of the response that it repeats; NULL: unknown */
	int64_t refers_time; /* and the time of that response; 0: unknown */
	struct archive_place place;
};

struct replay;

/* Reads the heads of the captures of n WARC files and indexes: all, or those of a wish. A WARC file beside which an index lies is
 * read through it. A file that is damaged, cut short or no archive is read as far as it can be, with a line on stderr unless there
 * is a wish. Returns 0, ERR_NOTHING or ERR_FORMAT if there is no capture, or ERR_FILE. */
int replay_open(struct replay **, const char *const *files, size_t n, const struct archive_wish *, struct err_note *why) MUST_USE;

/* As replay_open() without a wish. If each file is a large, sorted index, or has one beside it, replay_at() gives REPLAY_FIRST
 * captures until replay_find() gives those of a URL; what that gave before is then not valid any more. */
int replay_open_searched(struct replay **, const char *const *files, size_t n, struct err_note *why) MUST_USE;

#define REPLAY_FIRST 10000

/* Frees the captures. NULL is allowed. */
void replay_close(struct replay *);

/* Returns the number of files that could not be read to their ends. */
size_t replay_damaged(const struct replay *);

/* Returns capture i of those in the order of their URLs and times, or NULL beyond the last. */
const struct replay_capture *replay_at(const struct replay *, size_t i);

/* Returns the capture of a URL that is nearest to a time, or NULL if there is none. *i becomes its place in that order. */
const struct replay_capture *replay_find(struct replay *, const char *url, size_t n, int64_t time, size_t *i);

/* Returns the capture that has the body of a capture: itself, or the response that a revisit stands for; NULL if the archive does
 * not have that. */
const struct replay_capture *replay_with_body(const struct replay *, const struct replay_capture *);

/* Reads a capture with its body. A revisit has no body of its own: one with the status 304 gets the body of the last response with
 * a status of 2xx of the same URL before it; any other gets that of the first response, by URL and time, with its digest, or, if
 * there is none, that of the response whose URL and time it names, or else that of the last response of the same URL before it.
 * Returns 0, ERR_NOTHING if there is no such response, or an error of reading. The caller releases the capture in each case. */
int replay_read(const struct replay *, const struct replay_capture *, struct capture *, struct err_note *why) MUST_USE;

/* --- the pages of WARC files as files that a browser opens from the disk, with links between them
 *
 *	err = extract_pages(&(struct extraction){files, n, "dir", INT64_MAX, &others}, &counts, why);
 *
 * http://a.test/x/?q=1 becomes DIR/a.test/x/index@q=1.html, a name that any file system takes. A reference to a page that is
 * extracted becomes a relative path, also through redirects; every other one becomes an absolute URL, as the page is not there. */

/* Returns 1 for a URL of n bytes that is a main page of a collection, 0 for another page, and -1 for what the collection has, and
 * is no page of its sites. */
typedef int url_rank_fn(void *ctx, const char *url, size_t n);

struct extraction {
	const char *const *files; /* n WARC files and indexes */
	size_t n;
	const char *dir;                   /* is created if it is missing */
	int64_t until;                     /* ms since 1970: captures of then or before */
	const struct destinations *others; /* what the command reads and writes besides; no page takes the place of such a file */
	url_rank_fn *rank;                 /* NULL: all are pages */
	void *ctx;
};

struct extract_counts {
	uint64_t files, bytes; /* those that are there now */
	uint64_t same;         /* the files among them that were there before, with the same bytes, and are not written again */
	uint64_t damaged;      /* WARC files and indexes that could not be read to their ends */
};

/* Writes the last capture of each page. A file is written under another name and renamed, so that at any time it has all bytes or
 * is not there. A page that cannot be read from the archive is left out, with a line on stderr; so is the damaged place of a file.
 * Returns 0, ERR_NOTHING or ERR_FORMAT if the archive has no page that can be read, or an error of reading or writing. */
int extract_pages(const struct extraction *, struct extract_counts *, struct err_note *why) MUST_USE;

/* --- WACZ files: WARC files packed into one ZIP file with their index, a list of their pages, and digests of all of these */

struct wacz_content {
	const char *to;           /* the WACZ file */
	const char *const *files; /* n WARC files with different names, which end in .warc or .warc.gz */
	size_t n;
	/* the WACZ file that has the responses which revisits of these files repeat; NULL: there is none, or an index has them */
	const char *required;
	/* NULL: all pages are main pages; so are the pages that a main page redirects to. Other pages are listed in
	 * pages/extraPages.jsonl. */
	url_rank_fn *rank;
	void *ctx;
};

/* Writes the WACZ file. Returns 0, ERR_USAGE, ERR_FILE or an error of archive_index_file(); then no file is left. */
int wacz_write(const struct wacz_content *, struct err_note *why) MUST_USE;

/* Appends the lines of the index of a WARC file, which name it without its folder. Returns 0, ERR_FORMAT for a file whose records
 * are not compressed one by one, or an error of warc_items(). */
int archive_index_file(struct buf *lines, const char *path, struct err_note *why) MUST_USE;

/* --- the verbs that have a file of their own */

int archive_extract(const struct command *, struct err_note *why) MUST_USE;
int archive_check(const struct command *, struct err_note *why) MUST_USE;
int archive_index(const struct command *, struct err_note *why) MUST_USE;
int archive_wacz(const struct command *, struct err_note *why) MUST_USE;
int archive_serve(const struct command *, struct err_note *why) MUST_USE;

#endif
