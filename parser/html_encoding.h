/* Determines the encoding of an HTML or XML document (HTML 13.2.3). The functions are pure.
 *
 *	struct html_encoding found = html_encoding_find(body, n, "text/html; charset=latin1");
 *	decoder_init(&d, found.name);                        found.name is "windows-1252" */
#ifndef PARSER_HTML_ENCODING_H
#define PARSER_HTML_ENCODING_H

#include <stddef.h>

struct html_encoding {
	const char *name; /* a name from encoding_name(), never NULL */
	int certain;      /* 1 if a byte order mark or the header told; a later meta then has no effect */
	int is_xml;       /* 1 if the header's media type is application/xhtml+xml */
	size_t mark;      /* the length of the byte order mark at the start, in bytes; 0 if none */
};

/* Determines the encoding of an HTML document of n bytes. The first of these that is there decides: a
 * byte order mark, the charset of `content_type` (the Content-Type header, or NULL), a meta element
 * within the first 1,024 bytes, an XML declaration. Without any of them the encoding is windows-1252,
 * or utf-8 for XHTML. */
struct html_encoding html_encoding_find(const char *bytes, size_t n, const char *content_type);

/* Determines the encoding of an XML document of n bytes: a byte order mark decides, else the charset of
 * `content_type` (which may be NULL), else the XML declaration; else the encoding is utf-8. */
struct html_encoding html_encoding_of_xml(const char *bytes, size_t n, const char *content_type);

/* Returns the encoding that the charset attribute of a meta element declares, or NULL if the value, n
 * bytes, is no encoding. As the standard requires, a declared utf-16 stands for utf-8, and
 * x-user-defined for windows-1252. */
const char *html_encoding_of_charset(const char *value, size_t n);

/* Returns the encoding that the content attribute of a meta element ("text/html; charset=x") declares,
 * with the rules of html_encoding_of_charset(), or NULL if it declares none. */
const char *html_encoding_of_content(const char *value, size_t n);

#endif
