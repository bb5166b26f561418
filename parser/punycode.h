/* Punycode, RFC 3492: Unicode in the letters, digits and hyphens of a host name; without "xn--". */
#ifndef PARSER_PUNYCODE_H
#define PARSER_PUNYCODE_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Appends n code points encoded. O(n * distinct code points): n is the caller's to cap. Returns 0,
 * or -1 on overflow, with something appended. */
int punycode_encode(struct buf *out, const uint32_t *point, size_t n) MUST_USE;

/* Decodes n bytes into point[], which has room for n code points; returns how many, or -1 where
 * they are no Punycode. O(n^2): as above. */
ptrdiff_t punycode_decode(const char *text, size_t n, uint32_t *point) MUST_USE;

#endif
