/* UTF-8, decoded as the WHATWG Encoding standard does: each maximal subpart of an ill-formed sequence is
 * one malformed character, for which a caller writes U+FFFD. */
#ifndef PARSER_UTF8_H
#define PARSER_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT 0xfffdu
#define UTF8_MALFORMED   UINT32_MAX

/* Decodes the character at *at, which must be before `end`, and moves *at behind it. Returns the code
 * point, or UTF8_MALFORMED for a malformed character; *at then moves by 1 to 3 bytes. */
static inline uint32_t utf8_read(const char **at, const char *end)
{
	const uint8_t *p = (const uint8_t *)*at, *stop = (const uint8_t *)end;
	uint32_t c = *p++;
	unsigned more = 0;
	uint8_t low = 0x80, high = 0xbf; /* what the second byte may be */

	if (c >= 0xc2 && c < 0xe0) {
		more = 1;
		c &= 0x1f;
	} else if (c >= 0xe0 && c < 0xf0) {
		low = c == 0xe0 ? 0xa0 : 0x80;  /* no longer than needed */
		high = c == 0xed ? 0x9f : 0xbf; /* no surrogates */
		more = 2;
		c &= 0x0f;
	} else if (c >= 0xf0 && c < 0xf5) {
		low = c == 0xf0 ? 0x90 : 0x80;
		high = c == 0xf4 ? 0x8f : 0xbf; /* not beyond U+10FFFF */
		more = 3;
		c &= 0x07;
	} else if (c >= 0x80) {
		c = UTF8_MALFORMED;
	}
	for (; more; more--, low = 0x80, high = 0xbf) {
		if (p == stop || *p < low || *p > high) {
			c = UTF8_MALFORMED;
			break;
		}
		c = c << 6 | (*p++ & 0x3f);
	}
	*at = (const char *)p;
	return c;
}

/* Encodes a code point, which must be a Unicode scalar value, into `to`, which has room for 4 bytes.
 * Returns the number of bytes written; no NUL is written. */
static inline size_t utf8_write(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

#endif
