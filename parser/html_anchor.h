/* The anchor text of a link: the text between the start tag of an a element and its end.
 *
 *	html_anchor_read(&tokens, &raw);                     tokens stand behind the start tag's attributes
 *	html_line(html_value(&values, (struct html_text){raw.at, raw.used}), text, sizeof text);
 *
 * Deviations: each tag within the element counts as a blank; an image has no text, whatever its alt says; only the first
 * HTML_ANCHOR_LOOK bytes behind the start tag are looked at, so that a page of tags that are never closed takes linear time. */
#ifndef PARSER_HTML_ANCHOR_H
#define PARSER_HTML_ANCHOR_H

#include "base/buf.h"
#include "parser/html_token.h"

#define HTML_ANCHOR_LOOK 2048

/* Overwrites *raw with the text of the element as the document has it: neither decoded nor free of character references. The text
 * ends before the next start or end tag of an a element, or at the end of the document. The tokens do not move. */
void html_anchor_read(const struct html_tokens *, struct buf *raw);

#endif
