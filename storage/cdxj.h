/* The index of WARC files, in the format CDXJ: one line "KEY TIMESTAMP JSON" for each response, sorted by bytes. The
 * key is the URL with the labels of its host in reverse order (SURT: "org,example)/path?query").
 *
 *	cdxj_line(&lines, &entry);                           for each response
 *	code = cdxj_write("x.cdxj", &lines, why);
 *	err = cdxj_each("x.cdxj", each, &ctx, why);          every line of an index of any program
 *	err = cdxj_find("x.cdxj", url, CDXJ_SMALL, each, &ctx, why);   at least those of a URL */
#ifndef STORAGE_CDXJ_H
#define STORAGE_CDXJ_H

#include "base/buf.h"
#include "base/err.h"
#include "storage/warc_items.h"

/* Appends the key of a canonical URL of n bytes. The key has no scheme, no credentials and no "www."; the labels of a
 * host name are in reverse order, the parameters of the query are sorted, and all letters are in lower case. */
void cdxj_key(struct buf *out, const char *url, size_t n);

/* One line. Of a line that was read, a text that it does not have is "", and all are valid during the call. */
struct cdxj_entry {
	const char *url; /* canonical, url_length bytes */
	size_t url_length;
	int64_t time;            /* of the request, in ms since 1970 */
	unsigned status;         /* 0: unknown */
	const char *type;        /* the media type, "warc/revisit" for a revisit; NULL: unknown */
	const char *digest;      /* as in a WARC record: "sha1:..." */
	const char *file;        /* the name of the WARC file, without its folder */
	uint64_t offset, length; /* of the response's record within the file, in bytes, as the record is packed there */
};

/* Appends the line of an entry, with its line feed. */
void cdxj_line(struct buf *out, const struct cdxj_entry *e);

/* Appends the line for a record that has a page: a response, a revisit or a resource; nothing for other records. `file` is the name
 * of the WARC file without its folder, and the record is `length` bytes at `offset` of it. */
void cdxj_record(struct buf *out, const struct warc_item *, const char *file, uint64_t offset, uint64_t length);

/* Sorts lines by their bytes. */
void cdxj_sort(struct buf *lines);

/* Sorts lines and makes them the contents of a file: a reader sees the old contents or all of the new ones,
 * also after a power failure. Returns 0 or ERR_FILE. */
int cdxj_write(const char *path, struct buf *lines, struct err_note *why) MUST_USE;

/* Appends sorted lines as a ZipNum index: to *packed as gzip members of `block` lines each, and to *summary a line of the first
 * key, the place and the SHA-256 of each member, by which a reader finds the one that it needs. `name` is that of the file with the
 * members. */
void cdxj_pack(const struct buf *lines, size_t block, const char *name, struct buf *packed, struct buf *summary);

/* Says whether a path is that of an index, by its ending: .cdxj, .cdx or one of these with .gz. */
int cdxj_is(const char *path);

/* Says whether a path is that of the summary of a ZipNum index, .idx, by which cdxj_each() and cdxj_find() read the index. */
int cdxj_is_summary(const char *path);

/* Says whether a line is the first one of a CDX file, the index before CDXJ, which names the fields of the lines. */
int cdxj_is_legend(const char *line);

/* Receives one line. Returns 0 to continue. */
typedef int cdxj_fn(void *ctx, const struct cdxj_entry *, struct err_note *why);

/* Calls each() for every line, also of a CDX file with 9, 10 or 11 fields, until a call returns a value other than 0. Returns that
 * value; ERR_FORMAT for a line that is none of an index; or ERR_FILE. */
int cdxj_each(const char *path, cdxj_fn *each, void *ctx, struct err_note *why) MUST_USE;

#define CDXJ_SMALL ((uint64_t)16 << 20)

/* Calls each() for the lines that may be of a URL, and for others. An index of at most `small` bytes is read whole, in whatever
 * order it is. A larger one must be sorted, as its format says: a plain file, or a ZipNum index with its summary .idx beside it, is
 * searched by halves, so that time and memory are those of a few pages of it. (Programs differ in how the query of a key is
 * written, and in what they leave out of its host: the lines with the same host and path are given, and if there is none, all of
 * the host.) Returns as cdxj_each() does. */
int cdxj_find(const char *path, const char *url, uint64_t small, cdxj_fn *each, void *ctx, struct err_note *why) MUST_USE;

/* Says whether cdxj_find() with this `small` searches an index by halves. A plain file is read once to see whether it is sorted. */
int cdxj_is_searched(const char *path, uint64_t small);

struct json_t;

/* Returns a text of a JSON object; "" if there is none. */
const char *cdxj_text(const struct json_t *entry, const char *name);

/* Reads a number of the JSON of a line, which most programs write as a text; 0 if there is none. */
uint64_t cdxj_count(const struct json_t *entry, const char *name);

/* Returns the path of a WARC file that an index names: in the folder of the index, or, of an index within a WACZ, in archive/
 * there. The caller frees it with free(). */
char *cdxj_file(const char *index, const char *file);

#endif
