/* Gzip (RFC 1952) undone in memory. */
#ifndef PARSER_GZIP_H
#define PARSER_GZIP_H

#include "base/buf.h"

enum gzip_end {
	GZIP_WHOLE,
	GZIP_LONG, /* there is more than was asked for */
	GZIP_DAMAGED /* or no gzip, or nothing within; of what comes before the damage some is there */
};

/* Appends what n bytes unpack to, at most `max` bytes: all members, one behind the other; what follows
 * the last and is none (padding) is passed over. Gzip within gzip stays. Checksums are not looked
 * at. */
enum gzip_end gzip_unpack(const char *bytes, size_t n, size_t max, struct buf *out);

#endif
