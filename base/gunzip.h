/* Gzip files (RFC 1952), unpacked as a stream. Each member of a gzip file ends with the CRC-32 and
 * the length of its contents, and gunzip_read() checks both; libarchive, which the other formats are
 * unpacked with, ignores both, so that a damaged file would go unnoticed. No thread-safety: one
 * thread uses one struct gunzip.
 *
 *	gunzip_new(&z, read, ctx);
 *	while ((got = gunzip_read(z, bytes, room, &n, "x.gz", why)) > 0)
 *		... n bytes ...
 *	gunzip_free(z); */
#ifndef BASE_GUNZIP_H
#define BASE_GUNZIP_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>

struct gunzip;

/* Reads the next run of packed bytes of a file. The caller of gunzip_new() provides this function.
 * It sets *bytes and *n, which must stay valid until its next call, and returns 1; it returns 0 at
 * the end of the file, or a negative error with a note. */
typedef int gunzip_source(void *ctx, const void **bytes, size_t *n, struct err_note *why);

/* Says whether a file that begins with these n bytes is a gzip file. At least 3 bytes are needed for
 * the answer 1. */
int gunzip_detect(const void *bytes, size_t n);

/* Makes a new stream that reads its packed bytes with source(ctx, ...). The caller frees it with
 * gunzip_free(). */
void gunzip_new(struct gunzip **z, gunzip_source *source, void *ctx);

/* Frees a stream. NULL is allowed. */
void gunzip_free(struct gunzip *z);

/* Unpacks up to `room` bytes (below 2^32) into `bytes`. Returns 1 with their number in *n, which is
 * positive, or 0 at the end of the file. It returns ERR_FORMAT if the file is cut short, if a
 * checksum or a length is wrong, or if other bytes than zeros follow the last member; the caller
 * must then discard the bytes that earlier calls gave. Errors of the source are returned as they
 * are. `path` is used in the note only. */
int gunzip_read(struct gunzip *z, char *bytes, size_t room, size_t *n, const char *path, struct err_note *why) MUST_USE;

/* The unpacking of gzip (RFC 1952) in memory. */

enum gzip_end {
	GZIP_WHOLE,
	GZIP_LONG,   /* the data unpack to more than `max` bytes */
	GZIP_DAMAGED /* damaged, empty or no gzip; some of the text before the damage is there */
};

/* Unpacks all gzip members in n bytes, and appends at most `max` unpacked bytes. The function
 * ignores bytes behind the last member (padding), unpacks only once (gzip within gzip stays
 * packed), and does not verify checksums. */
enum gzip_end gzip_unpack(const char *bytes, size_t n, size_t max, struct buf *out);

#endif
