/* The parser of Content-Type headers: the essence and the charset, as the MIME sniffing standard
 * defines them. */
#ifndef PARSER_MIME_H
#define PARSER_MIME_H

#include <stddef.h>

struct mime {
	char essence[256]; /* "text/html", in lower case; RFC 6838 allows none that is longer */
	char charset[64];  /* as given, in lower case; "" if there is none */
};

/* Parses the value of a header. Returns 0, or -1 if the value is no media type. */
int mime_parse(struct mime *, const char *value, size_t n);

/* Returns the media type for which the extension of a path's last segment stands, or NULL if there is none or it is unknown. */
const char *mime_of_path(const char *path, size_t n);

/* Says whether a body of this media type is parsed for links: text/html, application/xhtml+xml. */
int mime_is_html(const struct mime *);

/* Says, from the first bytes of a body without a declared media type, whether the body is HTML: 1
 * for HTML, else 0. Deviation: a UTF-8 byte order mark before the markup does not make the body
 * plain text. */
int mime_sniff_html(const char *bytes, size_t n);

#endif
