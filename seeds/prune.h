/* Host pruning: a graph without the links within a host, which were made for navigation. */
#ifndef SEEDS_PRUNE_H
#define SEEDS_PRUNE_H

#include "graph/graph.h"

/* What is left, without the nodes that lost all their arcs; the others keep their order. */
struct pruned {
	struct graph graph, reverse;
	uint32_t *id; /* of each node, in the graph that was pruned */
};

/* host[nodes] are numbers; NULL: every node is a host of its own, so only loops go. */
void prune(struct pruned *p, const struct graph *g, const uint32_t *host, unsigned threads);
void pruned_release(struct pruned *p);

#endif
