/* Strongly connected components. */
#ifndef GRAPH_KERNELS_SCC_H
#define GRAPH_KERNELS_SCC_H

#include "graph/graph.h"

/* Sets component[v], for each node v, to the number of its component. Components are numbered 0, 1, 2 ... in the
 * order of their smallest nodes, so component[0] is 0. Returns the number of components. The function is not
 * recursive. Time: O(nodes + arcs). */
uint32_t scc(const struct graph *g, uint32_t *component);

/* Weakly connected components: the connected components of the graph without the directions of its arcs. */

/* Sets component[v], for each node v, to the number of its component. Components are numbered 0, 1, 2 ... in the
 * order of their smallest nodes. Returns the number of components. The function uses union-find in component[] and
 * needs no other memory. */
uint32_t components(const struct graph *g, uint32_t *component);

#endif
