/* The decoder: converts text in a legacy encoding to UTF-8 by iconv, as the WHATWG Encoding
 * standard decodes. Malformed bytes become U+FFFD, so decoding never fails. */
#ifndef PARSER_DECODE_H
#define PARSER_DECODE_H

#include "base/buf.h"

#include <iconv.h>

/* A decoder, for one thread at a time. It opens iconv with the first byte that needs iconv. */
struct decoder {
	const char *encoding; /* a name from encoding_name() */
	iconv_t iconv;
	int opened; /* 1 if iconv is open, -1 if iconv cannot be opened */
};

/* Prepares to decode texts in this encoding, which is a name from encoding_name(). */
void decoder_init(struct decoder *d, const char *encoding);

/* Closes iconv if it is open. */
void decoder_release(struct decoder *d);

/* Says whether every byte below 0x40 is always the ASCII character in this encoding. */
int decoder_keeps_ascii(const struct decoder *d);

/* Decodes a whole text of n bytes and appends the UTF-8. */
void decode(struct decoder *d, const char *bytes, size_t n, struct buf *out);

/* Returns the code point of a byte in windows-1252. A numeric character reference to this byte
 * value means the same code point. */
uint32_t decode_windows_1252(unsigned char byte);

#endif
