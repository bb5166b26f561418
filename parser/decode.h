/* Text of legacy encodings turned into UTF-8, by iconv, as the WHATWG Encoding standard decodes:
 * what is malformed becomes U+FFFD, and no byte fails. */
#ifndef PARSER_DECODE_H
#define PARSER_DECODE_H

#include "base/buf.h"

#include <iconv.h>

/* For one thread at a time. iconv is opened with the first byte that needs it. */
struct decoder {
	const char *encoding; /* of encoding_name() */
	iconv_t iconv;
	int opened; /* 1, or -1 where it cannot be */
};

void decoder_init(struct decoder *d, const char *encoding);
void decoder_release(struct decoder *d);

/* Whether every byte below 0x40 is the ASCII character wherever it stands. */
int decoder_keeps_ascii(const struct decoder *d);

/* Appends n bytes, a whole text, as UTF-8. */
void decode(struct decoder *d, const char *bytes, size_t n, struct buf *out);

/* The code point of a byte in windows-1252, which is also what a numeric character reference to it
 * means. */
uint32_t decode_windows_1252(unsigned char byte);

#endif
