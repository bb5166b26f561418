/* The archive of a crawl, which keeps requests and answers as they were sent: files in the format WARC/1.1 (ISO
 * 28500) with one gzip member for each record, and beside each file its index in the format CDXJ.
 *
 *   PREFIX-20261121094512-00000.warc.gz    when it is larger than the limit, file 00001 is begun
 *   PREFIX-20261121094512-00000.cdxj       its index, sorted, written when the file is closed
 *
 *     struct warc_settings set = {WARC_LIMIT, WARC_LEVEL, "program/1.0", "robots: obey\r\n"};
 *     warc_open(&w, prefix, &set, why)
 *     warc_put(w, &exchange, NULL, why)      from any thread, for each exchange
 *     warc_sync(w, why)                before the store commits results of these exchanges
 *     warc_close(w, why)
 *
 * A file begins with a warcinfo record. An exchange becomes three records: the response, its request, and metadata; and a fourth, a
 * conversion, if a browser has rendered its body. If its payload is equal to that of an earlier exchange (by SHA-1), also in
 * another archive whose index is given, or the server answered that the page has not changed (304), a revisit record takes the
 * place of the response. The records of one exchange are written together; if the write fails in the middle, the file is cut back
 * to its length before. A file that a killed program or a power failure has left behind is mended when an archive with its prefix
 * is opened (storage/warc.c).
 *
 * Threads share one lock, which is not held during compression or while the disk syncs. */
#ifndef STORAGE_WARC_H
#define STORAGE_WARC_H

#include "base/err.h"
#include "base/result.h"
#include "storage/warc_items.h"

#include <stddef.h>
#include <stdint.h>

#define WARC_LIMIT ((uint64_t)1 << 30) /* bytes, the usual size of a file */
#define WARC_LEVEL 4                   /* the usual level of compression */

struct warc;

/* Each record is a gzip member, or a frame of zstd in files that end in .warc.zst. */
enum warc_packing { WARC_GZIP, WARC_ZSTD };

struct warc_settings {
	uint64_t limit;       /* the size in bytes at which the next file is begun */
	int level;            /* of compression, 1 (the fastest) .. 12 (the smallest), as of libdeflate or libzstd */
	const char *software; /* the name and version of the program, for the warcinfo records */
	const char *fields;   /* further lines "name: value\r\n" of the warcinfo records */
	const char *known;    /* the index of another archive, or a WACZ file: what it has is not written again. NULL: none */
	enum warc_packing packing;
};

/* One request and its answer. All memory is the caller's, and is borrowed for the call. */
struct warc_exchange {
	struct warc_span url;      /* canonical */
	const char *address;       /* the IP address that was asked, as text; NULL: unknown, or a proxy's */
	int64_t time;              /* of the request, in ms since 1970 */
	int64_t duration;          /* from the request to the end of the answer, in ms */
	unsigned status;           /* the HTTP status */
	const char *type;          /* the media type without parameters; NULL if the answer names none */
	struct warc_span request;  /* the request line and headers, with the blank line */
	struct warc_span head;     /* the status line and headers of the answer, with the blank line */
	struct warc_span body;     /* the body, in the encodings that `head` names */
	struct warc_span rendered; /* the HTML that a browser has made of the body; n = 0: none has */
	const char *truncated;     /* why the body is not complete: "length", "time", "disconnect"; or NULL */
};

/* Opens an archive: mends earlier files with the prefix, and creates the first new file. The settings are copied.
 * Returns 0 or ERR_FILE; *out is NULL after an error. */
int warc_open(struct warc **, const char *prefix, const struct warc_settings *, struct err_note *why) MUST_USE;

/* Writes an exchange, and says in *location, which may be NULL, where its answer stands. Any thread may call. Returns 0 or
 * ERR_FILE. After the first error all later calls fail with the same note. */
int warc_put(struct warc *, const struct warc_exchange *, struct warc_location *location, struct err_note *why) MUST_USE;

/* Writes all exchanges that were put before the call to the disk, so that a power failure does not lose them. Other
 * threads may put exchanges meanwhile. Returns as warc_put() does. */
int warc_sync(struct warc *, struct err_note *why) MUST_USE;

/* Returns 0 if no call has failed so far, or else ERR_FILE with the note of the first failure. */
int warc_failed(struct warc *, struct err_note *why) MUST_USE;

/* Syncs the last file, writes its index, and frees `w`, also after an error. No other thread may use `w` any more.
 * Returns 0 or ERR_FILE. NULL is allowed. */
int warc_close(struct warc *w, struct err_note *why) MUST_USE;

/* Mends the files of an archive whose writer was killed or lost power. Such a file has no index; its last record may
 * be incomplete; and after a power failure it may have holes (runs of zero bytes) where data written since the last
 * sync have not reached the disk.
 *
 * Mends each file PREFIX-*.warc.gz that has no index and that no process is writing (a writer holds flock() on its
 * file). The function removes holes and an incomplete last record from the file, and writes the index; it removes a file
 * that has no record at all. It does not change a file that another program wrote or that was renamed, nor a file that
 * has records behind damage other than a hole. Returns 0 or ERR_FILE. Time: the files are read whole. Memory: in
 * proportion to the largest record. */
int warc_mend(const char *prefix, struct err_note *why) MUST_USE;

#endif
