/* The index of a WARC file, CDXJ: a line a response, "KEY TIMESTAMP JSON", sorted bytewise, where the
 * key is the URL with its host turned round (SURT: "org,example)/path?query"). */
#ifndef STORAGE_CDXJ_H
#define STORAGE_CDXJ_H

#include "base/buf.h"
#include "base/err.h"

/* Appends the key of a canonical URL: without scheme, "www.", the scheme's port, credentials; host
 * names label by label from the last; in lower case; the query's parameters sorted. */
void cdxj_key(struct buf *out, const char *url, size_t n);

struct cdxj_entry {
	const char *url;
	size_t url_length;
	int64_t time; /* ms since 1970 */
	unsigned status;
	const char *type;   /* NULL: "unk" */
	const char *digest; /* "sha1:..." */
	const char *file;
	uint64_t offset, length; /* of the record's gzip member */
};

/* Appends a line. */
void cdxj_line(struct buf *out, const struct cdxj_entry *e);

/* Writes lines, sorted, in place of the file's content: atomically. ERR_FILE. */
int cdxj_write(const char *path, char *lines, size_t n, struct err_note *why) MUST_USE;

#endif
