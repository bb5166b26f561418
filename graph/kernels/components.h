/* Weakly connected components: the connected components of the graph without the directions of its arcs. */
#ifndef GRAPH_KERNELS_COMPONENTS_H
#define GRAPH_KERNELS_COMPONENTS_H

#include "graph/graph.h"

/* Sets component[v], for each node v, to the number of its component. Components are numbered 0, 1, 2 ... in the
 * order of their smallest nodes. Returns the number of components. The function uses union-find in component[] and
 * needs no other memory. */
uint32_t components(const struct graph *g, uint32_t *component);

#endif
