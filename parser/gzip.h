/* The unpacking of gzip (RFC 1952) in memory. */
#ifndef PARSER_GZIP_H
#define PARSER_GZIP_H

#include "base/buf.h"

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
