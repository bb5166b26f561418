/* Strongly connected components. */
#ifndef GRAPH_KERNELS_SCC_H
#define GRAPH_KERNELS_SCC_H

#include "graph/graph.h"

/* The component of each node into component[nodes], numbered 0, 1, 2 ... by their smallest node, so
 * that component[0] = 0. Returns how many there are. Iterative; O(nodes + arcs). */
uint32_t scc(const struct graph *g, uint32_t *component);

#endif
