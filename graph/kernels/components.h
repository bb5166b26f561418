/* Weakly connected components: what hangs together when arcs have no direction. */
#ifndef GRAPH_KERNELS_COMPONENTS_H
#define GRAPH_KERNELS_COMPONENTS_H

#include "graph/graph.h"

/* The component of each node into component[nodes], numbered 0, 1, 2 ... by their smallest node, as
 * those of scc() are. Returns how many there are. Union-find in place; no other memory. */
uint32_t components(const struct graph *g, uint32_t *component);

#endif
