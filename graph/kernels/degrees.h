/* Degrees as scores of pages. A link of a page to itself does not count. The results do not depend on `threads`,
 * which must be at least 1. */
#ifndef GRAPH_KERNELS_DEGREES_H
#define GRAPH_KERNELS_DEGREES_H

#include "graph/graph.h"

/* Sets in[v], for each node v, to the number of other nodes that link to v. Time: O(nodes + arcs). */
void degrees_in(const struct graph *g, uint32_t *in, unsigned threads);

/* Sets out[v], for each node v, to the number of other nodes that v links to. */
void degrees_out(const struct graph *g, uint32_t *out, unsigned threads);

#endif
