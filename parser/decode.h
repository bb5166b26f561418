/* The decoder: converts text in a legacy encoding to UTF-8 by iconv, as the WHATWG Encoding
 * standard decodes. Malformed bytes become U+FFFD, so decoding never fails. */
#ifndef PARSER_DECODE_H
#define PARSER_DECODE_H

#include "base/buf.h"

#include <iconv.h>
#include <stddef.h>

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

/* Opens what iconv needs for every encoding, and ICU for names of hosts, and leaves it open: afterwards this process needs no files
 * for either. */
void decode_prepare(void);

/* The text encodings of the web, as the WHATWG Encoding standard lists them: from a label in a
 * document to the encoding's name, and from the name to iconv's. Any thread may call.
 *
 *	name = encoding_name("latin1", 6);                   "windows-1252"
 *	iconv_open("UTF-8", encoding_iconv(name));           "CP1252" */

/* Returns the name, in lower case, of the encoding that a label of n bytes stands for, or NULL if the
 * label is unknown. The case of the label and white space around it do not matter. The name is in
 * static memory. */
const char *encoding_name(const char *label, size_t n);

/* Returns iconv's name for an encoding, or NULL if iconv has no such encoding ("replacement",
 * "x-user-defined") or if `name` is not a name from encoding_name(). iconv decodes some encodings
 * slightly differently from the standard. The name is in static memory. */
const char *encoding_iconv(const char *name);

#endif
