/* A copy of a graph in another order, in which the ends of a link have nearer ids, for kernels that pass over all
 * links many times. In an order by chance each link costs such a kernel a read from far memory; in the
 * order of a breadth-first search the neighbours of a page lie together, and half of these reads are spared.
 *
 *	if (reorder_pays(g, 60)) {
 *		reorder_make(&r, g, threads);
 *		kernel(&r.graph, value);
 *		reorder_back(&r, value, value_by_id);
 *		reorder_release(&r);
 *	} */
#ifndef GRAPH_KERNELS_REORDER_H
#define GRAPH_KERNELS_REORDER_H

#include "graph/graph.h"

struct reorder {
	struct graph graph; /* its rows have the order of the rows that they copy, and need not ascend */
	uint32_t *order;    /* node i of the copy is node order[i] of the graph */
};

/* Says whether `passes` passes over the links of a graph take less time if the copy is made first: the graph has a
 * million nodes or more, at least REORDER_PASSES passes are made, and its links lead about as far as in an order by
 * chance, by a sample of its rows. A graph that is GRAPH_BOUNDED is never copied. The answer depends on the
 * graph and on `passes` only. */
int reorder_pays(const struct graph *g, double passes);

#define REORDER_NODES  (UINT32_C(1) << 20) /* fewer values stay in the cache, whatever the order */
#define REORDER_PASSES 48                  /* with fewer passes the copy took longer than it spared, with four million nodes, too */

/* Makes the copy, of any graph: the nodes in the order of a breadth-first search from the node of most links, and
 * then from the lowest node that was not found, and so on. Memory: 4 bytes for each link and 16 for each node. The
 * copy does not depend on `threads`, which must be at least 1. */
void reorder_make(struct reorder *r, const struct graph *g, unsigned threads);

/* Sets value_by_id[r->order[i]] = value[i] for all nodes. The arrays must not overlap. */
void reorder_back(const struct reorder *r, const double *value, double *value_by_id);

/* Sets value[i] = value_by_id[r->order[i]] for all nodes. The arrays must not overlap. */
void reorder_values(const struct reorder *r, const double *value_by_id, double *value);

/* Frees the memory. */
void reorder_release(struct reorder *r);

#endif
