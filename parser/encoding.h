/* The text encodings of the web, as the WHATWG Encoding standard lists them: from a label in a
 * document to the encoding's name, and from the name to iconv's. Any thread may call.
 *
 *	name = encoding_name("latin1", 6);                   "windows-1252"
 *	iconv_open("UTF-8", encoding_iconv(name));           "CP1252" */
#ifndef PARSER_ENCODING_H
#define PARSER_ENCODING_H

#include <stddef.h>

/* Returns the name, in lower case, of the encoding that a label of n bytes stands for, or NULL if the
 * label is unknown. The case of the label and white space around it do not matter. The name is in
 * static memory. */
const char *encoding_name(const char *label, size_t n);

/* Returns iconv's name for an encoding, or NULL if iconv has no such encoding ("replacement",
 * "x-user-defined") or if `name` is not a name from encoding_name(). iconv decodes some encodings
 * slightly differently from the standard. The name is in static memory. */
const char *encoding_iconv(const char *name);

#endif
