/* Balls of a graph: the pages within some links of a page, itself included. */
#ifndef SEEDS_BALL_H
#define SEEDS_BALL_H

#include "graph/graph.h"

/* A search that is cheap to begin again: O(nodes) once, then O(arcs looked at). */
struct ball {
	uint32_t *node; /* of the last search, n of them, in the order found */
	uint32_t n;
	uint32_t *seen; /* the search in which a node was last found */
	uint32_t search;
	uint32_t nodes;
};

void ball_init(struct ball *b, uint32_t nodes);
void ball_release(struct ball *b);

/* The nodes within `hops` links of one of from[count], along the arcs of g, into b->node. Repeated
 * ones are taken once. */
void ball_search(
	struct ball *b, const struct graph *g, const uint32_t *from, size_t count, uint32_t hops);

/* sum[v] = the value of v's ball, for every v. `threads` >= 1 never changes the result. */
void ball_sums(
	const struct graph *g, const int64_t *value, uint32_t hops, unsigned threads, int64_t *sum);

#endif
