/* Degrees as scores: links of a page to itself do not count. */
#ifndef GRAPH_KERNELS_DEGREES_H
#define GRAPH_KERNELS_DEGREES_H

#include "graph/graph.h"

/* How many other nodes link to v into in[nodes]. One pass over the arcs. `threads` >= 1 never
 * changes the result. */
void degrees_in(const struct graph *g, uint32_t *in, unsigned threads);

/* How many other nodes v links to into out[nodes]. */
void degrees_out(const struct graph *g, uint32_t *out, unsigned threads);

#endif
