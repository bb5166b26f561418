/* Makes subgraphs of a graph, and graphs with the nodes in another order. */
#ifndef GRAPH_MEMORY_SUBGRAPH_H
#define GRAPH_MEMORY_SUBGRAPH_H

#include "graph/graph.h"

/* Makes the graph of the nodes u with keep[u] != 0, in their order, and of the arcs between them. A node's label
 * is its label in `g`. If `id` is not NULL, it has room for all nodes of `g`, and id[i] becomes the node of `g`
 * that node i of the subgraph was. Returns 0 or ERR_FILE. */
int graph_subgraph(const struct graph *g, const uint8_t *keep, const struct graph_space *space, struct graph *part, uint32_t *id,
	struct err_note *why) MUST_USE;

/* Makes the graph in which node i is node order[i] of `g`. order[nodes] contains each node once (asserted). The
 * rows ascend, and there are no labels. Returns 0 or ERR_FILE. */
int graph_relabel(const struct graph *g, const uint32_t *order, const struct graph_space *space, struct graph *other,
	struct err_note *why) MUST_USE;

/* Writes the nodes into order[nodes] in the order of discovery: a breadth-first search from the n seeds, in their
 * order, then from the lowest node that has not been found, and so on. Repeated seeds count once. */
void graph_discovery(const struct graph *g, const uint32_t *seeds, size_t n, uint32_t *order);

/* Writes the n nodes first[] in their order, of which repeated ones count once, and then all other nodes in
 * ascending order, into order[nodes]. */
void graph_first(const struct graph *g, const uint32_t *first, size_t n, uint32_t *order);

#endif
