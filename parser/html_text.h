/* Collects the visible text of an HTML document, as a reader of the page has it before him: without markup, scripts and styles.
 * html_read() hands over the tags and the text between them (HTML_TEXT).
 *
 *	struct buf text = BUF_EMPTY;
 *	html_visible_init(&v, &text);
 *	html_visible_start(&v, h1, 0, 0);  html_visible_add(&v, heading);  html_visible_end(&v, h1);  ...
 *	html_visible_finish(&v);                             "Heading\nA paragraph with a link.\n"
 *
 * A line ends where a block ends; white space within a line is one blank; empty lines and control characters are left out, so that
 * a terminal may show the text. Deviation: what a style sheet hides is shown. */
#ifndef PARSER_HTML_TEXT_H
#define PARSER_HTML_TEXT_H

#include "base/buf.h"
#include "parser/html_token.h"

struct html_visible {
	struct buf *text;
	int blank;               /* white space came since the last word */
	struct html_text hidden; /* the name of the open element whose text is not shown; n is 0: there is none */
	unsigned inner;          /* the elements of this name that are open within it */
	unsigned lists;          /* the lists, tables and menus that are open within it */
};

/* Prepares to append the text of a document to `text`, which must outlive the struct. */
void html_visible_init(struct html_visible *, struct buf *text);

/* Takes account of a start tag. is_hidden: it has the attribute "hidden"; is_empty: it ends in "/>". The name must stay where it is
 * until the element ends. */
void html_visible_start(struct html_visible *, struct html_text name, int is_hidden, int is_empty);

/* Takes account of an end tag. */
void html_visible_end(struct html_visible *, struct html_text name);

/* Adds a text in UTF-8 that stands between two tags, with its character references resolved. Malformed bytes become U+FFFD. */
void html_visible_add(struct html_visible *, struct html_text text);

/* Ends the last line. */
void html_visible_finish(struct html_visible *);

#endif
