/* A Content-Type header: essence and charset, as the MIME sniffing standard parses them. */
#ifndef PARSER_MIME_H
#define PARSER_MIME_H

#include <stddef.h>

struct mime {
	char essence[256]; /* "text/html", lower case; RFC 6838 has no longer ones */
	char charset[64];  /* as given, lower case; "" where there is none */
};

/* Returns 0, or -1 where the value is no media type. */
int mime_parse(struct mime *, const char *value, size_t n);

/* Whether links may be sought in it: text/html, application/xhtml+xml. */
int mime_is_html(const struct mime *);

/* What an undeclared body is: looks at its first bytes; 1 for HTML. Deviation: a byte order mark
 * of UTF-8 before the markup does not make it plain text. */
int mime_sniff_html(const char *bytes, size_t n);

#endif
