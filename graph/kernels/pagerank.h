/* PageRank, with the mass of dangling pages spread uniformly.
 *
 * x_v = (1-d)/n + d/n * sum of x_u over dangling u + d * sum over u -> v of x_u / O(u); sum x = 1.
 * The one LAW calls strongly preferential with uniform preference; the ranking is that of eq. (1)
 * of the IECA paper, which leaks the dangling mass, since both are equal up to a factor.
 * Self-loops count. Stops when the L1 change of a sweep falls under `tolerance`; then
 * |x - exact|_1 <= d/(1-d) * that change. In exact arithmetic a sweep shrinks the change by the
 * factor d at least; where it no longer does, what is left is rounding (around 1e-15), and the
 * sweeps end there whatever the tolerance. */
#ifndef GRAPH_KERNELS_PAGERANK_H
#define GRAPH_KERNELS_PAGERANK_H

#include "graph/graph.h"

struct pagerank {
	double damping;      /* in (0, 1); 0.85 */
	double tolerance;    /* > 0; 1e-12 for a benchmark ranking, 1e-13 where keys are judged */
	unsigned max_sweeps; /* 0: as many as it takes */
	unsigned threads;    /* >= 1; never changes the result */
	const double
		*warm;   /* nodes values to start from (normalised here), not rank[]; NULL: 1/n */
	unsigned sweeps; /* out: sweeps done */
	double change;   /* out: L1 change of the last */
};

#define PAGERANK_DEFAULT                                                                           \
	{                                                                                          \
		0.85, 1e-12, 0, 1, NULL, 0, 0.0                                                    \
	}

/* Into rank[nodes]. Needs no transpose. Memory beside graph and rank: 13 bytes a node, and 2 to 4 an
 * arc. */
void pagerank(const struct graph *g, struct pagerank *p, double *rank);

/* The same ranks by Gauss-Seidel, over-relaxed as long as that pays, within the same bound, in half
 * the sweeps or fewer, each of which costs less: for graphs where only the result counts.
 *
 * Sweeps solve y = (1-d)/n + d * sum over u -> v of y_u / O(u) in place, self-loops solved for and
 * dangling pages left out, since nobody's value depends on theirs; y is x up to a factor (eq. (1)).
 * Then one sweep of pagerank() is done on y, completed and normalised: rank[] is what it gives,
 * p->change is its L1 change and is under `tolerance`, so that the bound above holds for rank[].
 * Where max_sweeps (two at least) ends it sooner p->change tells what was reached. p->sweeps counts
 * both kinds.
 * Deviation: on large graphs a sweep is done in lanes of consecutive pages, some abreast, which see
 * one another as they were before; lanes and rounds depend on the graph alone. */
void pagerank_solve(const struct graph *g, struct pagerank *p, double *rank);

/* What is left is spread otherwise: at this share of the tolerance, ten sweeps more, no more keys
 * differ from the exact ones than with pagerank() at the whole. */
#define PAGERANK_SOLVE_SHARE 0.1

/* The integer key of a value over n nodes, by which ranks are compared, so that the order of
 * summation cannot part pages whose values are mathematically equal: floor(v * n * 1e8 + 0.5). */
uint64_t pagerank_key(double value, uint32_t n);

/* The nodes by (key descending, id ascending) into order[nodes]. */
void pagerank_order(const double *rank, uint32_t n, uint32_t *order);

#endif
