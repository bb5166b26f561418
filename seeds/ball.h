/* Balls of a graph. The ball of a page contains the page itself and all pages that are at most `hops` links away.
 *
 *	ball_init(&b, g->nodes);
 *	ball_search(&b, g, &page, 1, 2);                     b.node[0..b.n-1] are within two links of `page`
 *	ball_release(&b); */
#ifndef SEEDS_BALL_H
#define SEEDS_BALL_H

#include "graph/graph.h"

/* The result and the memory of searches. ball_init() costs O(nodes); each search costs O(arcs that it follows). */
struct ball {
	uint32_t *node; /* the n nodes that the last search found, in the order of a breadth-first search */
	uint32_t n;
	uint32_t *seen; /* for each node the number of the search that found it last */
	uint32_t search;
	uint32_t nodes;
};

/* Prepares for searches in graphs with `nodes` nodes. */
void ball_init(struct ball *b, uint32_t nodes);

/* Frees the memory. */
void ball_release(struct ball *b);

/* Finds the union of the balls of from[count], along the arcs of g. Each node is found once. */
void ball_search(struct ball *b, const struct graph *g, const uint32_t *from, size_t count, uint32_t hops);

/* Sets sum[v], for every node v, to the sum of the values of the nodes in v's ball. The result does not depend on
 * `threads`, which must be at least 1. */
void ball_sums(const struct graph *g, const int64_t *value, uint32_t hops, unsigned threads, int64_t *sum);

/* The coverage of a set of seeds: how many pages a crawl from the seeds reaches within a number of links, and the
 * sum of their values. */

struct coverage {
	uint64_t pages;
	int64_t value; /* the sum of the pages' values */
};

/* Computes the coverage of n seeds within `hops` links; each page counts once. `value` has the value of each node in
 * one unit; if it is NULL, every page has the value SEED_VALUE_ONE. */
void coverage_of(const struct graph *g, const uint32_t *seed, size_t n, uint32_t hops, const int64_t *value, struct coverage *c);

#endif
