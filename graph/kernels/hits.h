/* HITS: hubs and authorities (Kleinberg 1999), as Daneshpajouh et al. run it for seed extraction.
 *
 * h = 1; then so many times: a_v = sum of h_u over u -> v, a normalised to L2 norm 1; h_u = sum of
 * the new a_v over u -> v, h likewise. Kleinberg's order, I then O. A vector of norm 0 stays 0.
 * There is no test of convergence: the number of iterations is part of the definition. */
#ifndef GRAPH_KERNELS_HITS_H
#define GRAPH_KERNELS_HITS_H

#include "graph/graph.h"
#include "graph/kernels/pull.h"

#define HITS_ITERATIONS 60

/* A graph made ready for any number of runs. */
struct hits {
	struct pull in, out; /* rows of the transpose, and of the graph */
	unsigned threads;    /* >= 1; never changes the result */
};

/* g is not needed afterwards. */
void hits_init(struct hits *h, const struct graph *g, unsigned threads);
void hits_release(struct hits *h);

/* Into hub[nodes] and authority[nodes]. Nodes with dead[v] != 0 are as if removed with their arcs,
 * and get 0; dead may be NULL. */
void hits_run(const struct hits *h, unsigned iterations, const uint8_t *dead, double *hub,
	double *authority);

/* The integer keys by which such values are compared, since all members of a complete core have
 * equal ones but for rounding: floor(v / max * 1e9 + 0.5), max over all; all 0 where max is. */
void hits_keys(const double *value, uint32_t n, uint64_t *key);

#endif
