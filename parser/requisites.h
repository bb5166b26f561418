/* Finds the requisites of a document: the URLs that a browser asks for to show it.
 *
 *	html_read(body, n, &address, type, 0, 0, on_link, ctx, &page);
 *	requisites_of_html(body, n, &page.base, page.charset, each, ctx);
 *	requisites_of_css(body, n, &address, each, ctx);
 *
 * They are, for an HTML document: images (src, srcset, data-src and data-srcset, background, the poster of a video, SVG's image and
 * use), style sheets, icons and preloads (link), scripts, frames, objects, and the url() and @import of its style elements and
 * attributes; for a style sheet, its url() and @import. Sounds and films are none. What a script asks for otherwise cannot be
 * found. */
#ifndef PARSER_REQUISITES_H
#define PARSER_REQUISITES_H

#include "parser/url.h"

/* Receives one requisite; a requisite may come several times. `target` is a canonical URL that is valid during the call only.
 * Returns 0 to continue. */
typedef int requisite_fn(void *ctx, const struct url *target);

/* Calls `each` for the requisites of an HTML document of n bytes in document order. `base` and `charset` are those that
 * html_read() has found. Any bytes are a document. Time: linear. */
void requisites_of_html(const char *bytes, size_t n, const struct url *base, const char *charset, requisite_fn *each, void *ctx);

/* Calls `each` for the requisites of a style sheet of n bytes, whose URL is `base`. */
void requisites_of_css(const char *bytes, size_t n, const struct url *base, requisite_fn *each, void *ctx);

#endif
