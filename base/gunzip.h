/* Gzip data (RFC 1952) in memory. Files are read through base/input.h. */
#ifndef BASE_GUNZIP_H
#define BASE_GUNZIP_H

#include "base/buf.h"

#include <stddef.h>

/* Says whether data that begin with these n bytes are gzip's. At least 3 bytes are needed for the answer 1. */
int gunzip_detect(const void *bytes, size_t n);

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
