/* The visible text of an HTML document, as a reader of the page has it before him: without markup, scripts and styles.
 *
 *	struct buf text = BUF_EMPTY;
 *	html_text_read(body, n, "text/html", &text);         "Heading\nA paragraph with a link.\n"
 *	buf_release(&text); */
#ifndef PARSER_HTML_TEXT_H
#define PARSER_HTML_TEXT_H

#include "base/buf.h"

#define HTML_TEXT_MOST ((size_t)64 << 20) /* bytes of a document; what is behind them is not read */

/* Appends the text of a document of n bytes in UTF-8. `content_type` is the Content-Type header, or NULL. A line ends where a block
 * ends; white space within a line is one blank; empty lines and control characters are left out, so that a terminal may show the
 * text. Any bytes are a document. Deviation: the document is read by libxml2, and not as a browser reads it; what a style sheet
 * hides is shown. */
void html_text_read(const char *bytes, size_t n, const char *content_type, struct buf *text);

#endif
