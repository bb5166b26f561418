/* The page of a node: small HTML with a link for each of its out-links. */
#ifndef SIMWEB_NODE_PAGE_H
#define SIMWEB_NODE_PAGE_H

#include "simweb/site.h"

/* Appends the HTML of node u, UTF-8 as it says itself: a title of its own and one `a[href]` for
 * each target of its row, in the row's order, itself included. An href is path-absolute where the
 * target has the same scheme, host and port and nothing in it could be read otherwise, else it is
 * the target's URL as given: either way it leads to what that URL leads to. */
void node_page(const struct site *, uint32_t u, struct buf *out);

#endif
