/* The index of a WARC file, in the format CDXJ: one line "KEY TIMESTAMP JSON" for each response, sorted by bytes. The
 * key is the URL with the labels of its host in reverse order (SURT: "org,example)/path?query").
 *
 *	cdxj_line(&lines, &entry);                           for each response
 *	code = cdxj_write("x.cdxj", &lines, why); */
#ifndef STORAGE_CDXJ_H
#define STORAGE_CDXJ_H

#include "base/buf.h"
#include "base/err.h"

/* Appends the key of a canonical URL of n bytes. The key has no scheme, no credentials and no "www."; the labels of a
 * host name are in reverse order, the parameters of the query are sorted, and all letters are in lower case. */
void cdxj_key(struct buf *out, const char *url, size_t n);

struct cdxj_entry {
	const char *url; /* canonical, url_length bytes */
	size_t url_length;
	int64_t time; /* of the request, in ms since 1970 */
	unsigned status;
	const char *type;        /* the media type; NULL: unknown */
	const char *digest;      /* "sha1:..." */
	const char *file;        /* the name of the WARC file, without its folder */
	uint64_t offset, length; /* of the response's gzip member within the file, in bytes */
};

/* Appends the line of an entry, with its line feed. */
void cdxj_line(struct buf *out, const struct cdxj_entry *e);

/* Sorts lines by their bytes. */
void cdxj_sort(struct buf *lines);

/* Sorts lines and makes them the contents of a file: a reader sees the old contents or all of the new ones,
 * also after a power failure. Returns 0 or ERR_FILE. */
int cdxj_write(const char *path, struct buf *lines, struct err_note *why) MUST_USE;

#endif
