/* Text encodings by the names the web gives them, as the WHATWG Encoding standard lists them. */
#ifndef PARSER_ENCODING_H
#define PARSER_ENCODING_H

#include <stddef.h>

/* The name, in lower case, of the encoding that a label (n bytes, white space around it ignored,
 * any case) means: "latin1" is "windows-1252". NULL where no encoding bears that label. Static
 * memory. */
const char *encoding_name(const char *label, size_t n);

/* The iconv name of what comes nearest to an encoding named by encoding_name(); NULL where iconv
 * has none (replacement, x-user-defined) or the name is none. Static memory. */
const char *encoding_iconv(const char *name);

#endif
