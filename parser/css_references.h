/* Finds the references of a style sheet: what stands in url(...), and the strings of @import.
 *
 *	css_references(bytes, n, each, ctx);                 each(ctx, "../font.woff", 12) ...
 *	css_unescape(at, n, &text);                          "a\20 b" becomes "a b"
 *
 * Comments and other strings have no references. */
#ifndef PARSER_CSS_REFERENCES_H
#define PARSER_CSS_REFERENCES_H

#include "base/buf.h"

/* Receives one reference as it is written, n bytes within the style sheet, without its quotes. Returns 0 to continue. */
typedef int css_reference_fn(void *ctx, const char *at, size_t n);

/* Calls `each` for the references of a style sheet of n bytes, or of the value of a style attribute, in their order, until
 * a call returns a value other than 0. Any bytes are a style sheet. Time: linear. */
void css_references(const char *bytes, size_t n, css_reference_fn *each, void *ctx);

/* Appends a reference with its escapes resolved (CSS Syntax 4.3.7). */
void css_unescape(const char *at, size_t n, struct buf *out);

#endif
