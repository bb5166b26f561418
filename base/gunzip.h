/* Gzip files (RFC 1952), unpacked as a stream and compared with what their trailers say: each member
 * ends with the CRC-32 and the length of its text. libarchive skips both, so that a flipped bit gives
 * another text in silence. The only zlib user.
 *
 *	gunzip_new(&z, read, ctx);
 *	while ((got = gunzip_read(z, bytes, room, &n, "x.gz", why)) > 0)
 *		... n bytes ...
 *	gunzip_free(z); */
#ifndef BASE_GUNZIP_H
#define BASE_GUNZIP_H

#include "base/err.h"

#include <stddef.h>

struct gunzip;

/* Gives the next run of packed bytes, which stay until the next call: 1, 0 at the end of the file, or
 * an error with a note. */
typedef int gunzip_source(void *ctx, const void **bytes, size_t *n, struct err_note *why);

/* Whether `n` bytes from the beginning of a file are those of a gzip member. */
int gunzip_detect(const void *bytes, size_t n);

void gunzip_new(struct gunzip **z, gunzip_source *source, void *ctx);
void gunzip_free(struct gunzip *z); /* NULL is none */

/* Up to `room` unpacked bytes. 1 with *n > 0, 0 at the end. ERR_FORMAT where the file is cut short,
 * where a checksum or a length differs, and where other bytes than zeros follow the last member; what
 * was unpacked before is then of no use. */
int gunzip_read(struct gunzip *z, char *bytes, size_t room, size_t *n, const char *path,
	struct err_note *why) MUST_USE;

#endif
