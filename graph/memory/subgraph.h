/* Graphs of a graph: some of its nodes, or all in another order. */
#ifndef GRAPH_MEMORY_SUBGRAPH_H
#define GRAPH_MEMORY_SUBGRAPH_H

#include "graph/graph.h"

/* The nodes u where keep[u] is not 0, and the arcs between them, in their order; labelled as they
 * were called before. id[i] (room for all nodes; may be NULL) is what node i was. */
int graph_subgraph(const struct graph *g, const uint8_t *keep, const struct graph_space *space,
	struct graph *part, uint32_t *id, struct err_note *why) MUST_USE;

/* Node order[i] becomes node i: order[nodes] holds each once (asserted). Rows ascend; there are no
 * labels. */
int graph_relabel(const struct graph *g, const uint32_t *order, const struct graph_space *space,
	struct graph *other, struct err_note *why) MUST_USE;

/* The order of discovery into order[nodes]: breadth first from the n seeds, in their order, then
 * from the least node not yet found, and so on until all are. Repeated seeds are taken once. */
void graph_discovery(const struct graph *g, const uint32_t *seeds, size_t n, uint32_t *order);

/* The n first nodes in the order given, repeats taken once, then all others, ascending. */
void graph_first(const struct graph *g, const uint32_t *first, size_t n, uint32_t *order);

#endif
