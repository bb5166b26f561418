/* HITS: hub and authority scores (Kleinberg 1999), as Daneshpajouh et al. use it for the extraction of seeds.
 *
 * At first h_v = 1 for all v. Each iteration sets a_v to the sum of h_u over all arcs u -> v, and normalises a to
 * the L2 norm 1; then sets h_u to the sum of the new a_v over all arcs u -> v, and normalises h in the same way.
 * (This is Kleinberg's order: operation I, then O.) A vector with norm 0 stays 0. There is no test for
 * convergence; the number of iterations is part of the definition.
 *
 *	hits_init(&h, g, threads);
 *	hits_run(&h, HITS_ITERATIONS, NULL, hub, authority);
 *	hits_release(&h); */
#ifndef GRAPH_KERNELS_HITS_H
#define GRAPH_KERNELS_HITS_H

#include "graph/graph.h"
#include "graph/kernels/gather.h"

#define HITS_ITERATIONS 60

/* A graph prepared for any number of runs. */
struct hits {
	struct gather in, out; /* the rows of the transposed graph, and of the graph */
	unsigned threads;      /* >= 1; does not change the result */
	uint32_t *order;       /* NULL, or the rows have another order: row i is that of node order[i] */
};

/* Prepares a graph, which is not needed afterwards. A graph of a million nodes or more in an order without locality
 * is laid out in a better order (reorder.h): this takes 16 bytes for each node and 4 for each arc during the call, 4 bytes
 * for each node until hits_release(), and 16 or 17 for each node during each hits_run(). */
void hits_init(struct hits *h, const struct graph *g, unsigned threads);

/* Frees the memory. */
void hits_release(struct hits *h);

/* Runs HITS and sets hub[v] and authority[v] for each node v. A node with dead[v] != 0 counts as removed with its
 * arcs, and its scores are 0; `dead` may be NULL. */
void hits_run(const struct hits *h, unsigned iterations, const uint8_t *dead, double *hub, double *authority);

/* Converts n scores into the integer keys by which they are compared: key[i] = floor(value[i] / max * 1e9 + 0.5),
 * where max is the greatest value; all keys are 0 if max is 0. Scores that are mathematically equal, as those of
 * all members of a complete core are, get equal keys in spite of rounding. */
void hits_keys(const double *value, uint32_t n, uint64_t *key);

#endif
