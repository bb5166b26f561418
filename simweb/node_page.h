/* Composes the HTML page that the fake web serves for a node of a graph. */
#ifndef SIMWEB_NODE_PAGE_H
#define SIMWEB_NODE_PAGE_H

#include "simweb/changing.h"
#include "simweb/site.h"

/* Appends the page of node u to `out`, in UTF-8 with a meta element that says so. The page has a title and, for
 * each target of u's row, an element `a` with an href, in the order of the row; a link to itself is included. Then it has
 * a paragraph of made-up words, which differs from page to page, so that no page is a near-duplicate of another.
 * An href is the absolute path ("/a?b") if the target has u's scheme, host and port and the path cannot be
 * misread; else it is the whole URL. Both forms resolve to the target's URL. Of a web that changes, `look` is what the page is
 * like now: it has these links in place of its row, and a paragraph of its version; else `look` is NULL. */
void node_page(const struct site *, uint32_t u, const struct changing_look *look, struct buf *out);

#endif
