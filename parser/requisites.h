/* Finds the requisites of a document: the URLs that a browser asks for to show it.
 *
 *	html_read(body, n, &address, type, 1u << LINK_REQUISITE, 0, on_link, ctx, &page);
 *	requisites_of_css(body, n, &address, on_link, ctx);
 *
 * They are, for an HTML document: images (src, srcset, data-src and data-srcset, background, the poster of a video, SVG's image and
 * use), style sheets, icons and preloads (link), scripts, frames, objects, and the url() and @import of its style elements and
 * attributes; for a style sheet, its url() and @import. Sounds and films are none. What a script asks for otherwise cannot be
 * found. A requisite may be reported several times. */
#ifndef PARSER_REQUISITES_H
#define PARSER_REQUISITES_H

#include "base/buf.h"
#include "parser/html.h"
#include "parser/html_value.h"

#include <stddef.h>

/* Calls `each` with LINK_REQUISITE for the requisites of a style sheet of n bytes, whose URL is `base`, until `each` returns
 * another value than 0. */
void requisites_of_css(const char *bytes, size_t n, const struct url *base, html_link_fn *each, void *ctx);

/* --- what html_read() calls for each start tag of a document */

struct requisites {
	struct html_values *values;
	const struct url *base; /* NULL: relative references lead nowhere */
	const char *charset;    /* for queries: NULL for UTF-8 */
	html_link_fn *each;
	void *ctx;
	struct url target;
	struct buf text; /* scratch memory: a reference of a style sheet */
	int is_over;     /* `each` wants no more */
};

/* Prepares to report the requisites of a document, whose values are those of `values`; the caller sets `base` and `charset` before
 * each tag. */
void requisites_init(struct requisites *, struct html_values *values, html_link_fn *each, void *ctx);

/* Frees the memory. */
void requisites_release(struct requisites *);

/* Reports the requisites of a tag, and of the text behind it if this is a style sheet. `raw` is the text behind the tag of an
 * element whose text is no markup; its n is 0 for all others. */
void requisites_of_tag(struct requisites *, const struct html_attributes *, struct html_text name, struct html_text raw);

/* Finds the references of a style sheet: what stands in url(...), and the strings of @import.
 *
 *	css_references(bytes, n, each, ctx);                 each(ctx, "../font.woff", 12) ...
 *	css_unescape(at, n, &text);                          "a\20 b" becomes "a b"
 *
 * Comments and other strings have no references. */

/* Receives one reference as it is written, n bytes within the style sheet, without its quotes. Returns 0 to continue. */
typedef int css_reference_fn(void *ctx, const char *at, size_t n);

/* Calls `each` for the references of a style sheet of n bytes, or of the value of a style attribute, in their order, until
 * a call returns a value other than 0. Any bytes are a style sheet. Time: linear. */
void css_references(const char *bytes, size_t n, css_reference_fn *each, void *ctx);

/* Appends a reference with its escapes resolved (CSS Syntax 4.3.7). */
void css_unescape(const char *at, size_t n, struct buf *out);

/* Finds the references of a srcset attribute: "small.png 1x, large.png 2x".
 *
 *	srcset_references(value.at, value.n, each, ctx);     each(ctx, "small.png", 9) ... */

/* Receives one reference, n bytes within the value. Returns 0 to continue. */
typedef int srcset_fn(void *ctx, const char *at, size_t n);

/* Calls `each` for the references of a value of n bytes in their order (HTML 4.8.4.3.10, without its errors), until a call
 * returns a value other than 0. */
void srcset_references(const char *at, size_t n, srcset_fn *each, void *ctx);

#endif
