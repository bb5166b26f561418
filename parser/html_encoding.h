/* Which encoding a document is in: HTML 13.2.3. */
#ifndef PARSER_HTML_ENCODING_H
#define PARSER_HTML_ENCODING_H

#include <stddef.h>

struct html_encoding {
	const char *name; /* of encoding_name() */
	int certain;      /* told by a byte order mark or the header: no meta changes it */
	int is_xml;       /* the header says XHTML */
	size_t mark;      /* bytes of the byte order mark */
};

/* By the byte order mark, the header's value (may be NULL), a meta or XML declaration in the first
 * 1024 bytes; windows-1252 (XHTML: utf-8) where nothing tells. */
struct html_encoding html_encoding_find(const char *bytes, size_t n, const char *content_type);

/* Likewise of XML: its declaration, else utf-8. */
struct html_encoding html_encoding_of_xml(const char *bytes, size_t n, const char *content_type);

/* What a meta's charset or content attribute (values decoded) declares, as it is to be used; NULL
 * where it is no encoding. */
const char *html_encoding_of_charset(const char *value, size_t n);
const char *html_encoding_of_content(const char *value, size_t n);

#endif
