/* An archive of what was fetched: WARC/1.1 (ISO 28500), a gzip member a record, beside each file its
 * index, CDXJ.
 *
 *   PREFIX-20261121094512-00000.warc.gz    rolled when it has grown beyond the limit
 *   PREFIX-20261121094512-00000.cdxj       sorted, made when its file is closed
 *
 *     warc_open(&w, prefix, WARC_LIMIT, "program/1.0", "robots: obey\r\n", why)
 *     warc_put(w, &exchange, why)      any number of threads, any number of times
 *     warc_sync(w, why)                before something counts on what was put
 *     warc_close(w, why)
 *
 * A file begins with a warcinfo record. An exchange is a response, its request and a metadata record; where its
 * payload is that of an earlier one (SHA-1), or the server says that it has not changed, a revisit stands in
 * place of the response. The records of an exchange are written in one go, and what could not be written whole
 * is cut off again. What a program left that was killed, or whose power failed, is mended when the prefix is
 * opened again (storage/warc_mend.h).
 *
 * Threads share one lock, which is held neither while a record is packed nor while the disk syncs. */
#ifndef STORAGE_WARC_H
#define STORAGE_WARC_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

#define WARC_LIMIT ((uint64_t)1 << 30) /* bytes, the usual size of a file */

struct warc;

struct warc_bytes {
	const char *at;
	size_t n;
};

struct warc_exchange {
	struct warc_bytes url;     /* canonical */
	const char *address;       /* asked, as text; NULL: unknown, or a proxy's */
	int64_t time, duration;    /* ms: since 1970, of the request; until the answer's end */
	unsigned status;           /* HTTP */
	const char *type;          /* the media type, without parameters; NULL: none was said */
	struct warc_bytes request; /* request line and headers, to the blank line */
	struct warc_bytes head;    /* status line and headers of the answer, to the blank line */
	struct warc_bytes body;    /* as `head` describes it */
	const char *truncated;     /* NULL: whole; "length", "time", "disconnect" */
};

/* Mends the files of the prefix and makes the first one of its own. `fields` are lines "name: value\r\n" of the
 * warcinfo records, beside software and format. ERR_FILE; *out is NULL then. */
int warc_open(struct warc **, const char *prefix, uint64_t limit, const char *software,
	const char *fields, struct err_note *why) MUST_USE;

/* Writes an exchange. ERR_FILE; from then on every call fails so, with the note of the first failure. */
int warc_put(struct warc *, const struct warc_exchange *, struct err_note *why) MUST_USE;

/* Returns when a power failure takes nothing of what was put before the call. Threads may put
 * meanwhile. ERR_FILE; from then on every call fails so. */
int warc_sync(struct warc *, struct err_note *why) MUST_USE;

/* Whether a call has failed: 0, or its ERR_FILE with its note. */
int warc_failed(struct warc *, struct err_note *why) MUST_USE;

/* Syncs the last file, makes its index, and frees `w`. NULL is allowed. ERR_FILE; it is freed all the same. */
int warc_close(struct warc *w, struct err_note *why) MUST_USE;

#endif
