/* Host pruning: removes the links within a host from a graph, because most of them serve navigation. */
#ifndef SEEDS_PRUNE_H
#define SEEDS_PRUNE_H

#include "graph/graph.h"

/* A pruned graph. Nodes that have no arc after the pruning are removed; the others keep their order. */
struct pruned {
	struct graph graph, reverse;
	uint32_t *id; /* the id of each node in the original graph */
};

/* Prunes a graph. host[nodes] is the host of each node, a number; if it is NULL, every node is a host of its own,
 * so that only links of a node to itself are removed. */
void prune(struct pruned *p, const struct graph *g, const uint32_t *host, unsigned threads);

/* Frees a pruned graph. */
void pruned_release(struct pruned *p);

#endif
