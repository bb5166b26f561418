/* PageRank, with the mass of dangling pages distributed uniformly.
 *
 *	struct pagerank p = PAGERANK_DEFAULT;
 *	pagerank(g, &p, rank);
 *	pagerank_order(rank, g->nodes, order);               order[0] is the best page
 *
 * x_v = (1-d)/n + d/n * sum of x_u over dangling u + d * sum over u -> v of x_u / O(u); the sum of x is 1. LAW
 * calls this variant strongly preferential with uniform preference. The IECA paper's eq. (1) loses the mass of
 * dangling pages; its solution differs from x by a factor only, so the ranking is the same. Self-loops count.
 *
 * A sweep computes the right side for all v. The sweeps end when the L1 norm of the change falls below
 * `tolerance`; then |x - exact|_1 <= d/(1-d) * change. In exact arithmetic each sweep reduces the change by the
 * factor d or more. When a sweep no longer does, the change is rounding error (about 1e-15), and the sweeps end,
 * whatever the tolerance. */
#ifndef GRAPH_KERNELS_PAGERANK_H
#define GRAPH_KERNELS_PAGERANK_H

#include "graph/graph.h"

struct pagerank {
	double damping;      /* in (0, 1); 0.85 */
	double tolerance;    /* > 0; 1e-12 for a ranking, 1e-13 if keys are compared */
	unsigned max_sweeps; /* 0: no limit */
	unsigned threads;    /* >= 1; does not change the result */
	/* The start values of all nodes, which are normalised and must not be rank[]; NULL: 1/n each. */
	const double *warm;
	unsigned sweeps; /* result: the number of sweeps */
	double change;   /* result: the L1 norm of the last sweep's change */
};

#define PAGERANK_DEFAULT \
	{ \
		0.85, 1e-12, 0, 1, NULL, 0, 0.0 \
	}

/* Computes rank[v] for each node v by Jacobi sweeps. Needs no transposed graph. Memory beside graph and rank: 13
 * bytes for each node, and 2 to 4 for each arc. A graph of a million nodes or more in an order without locality is
 * copied into a better order first (reorder.h), which takes 24 bytes for each node and 4 for each arc besides. */
void pagerank(const struct graph *g, struct pagerank *p, double *rank);

/* Computes the same ranks within the same error bound by Gauss-Seidel sweeps, with over-relaxation as long as it
 * helps. It needs at most half as many sweeps, each of which costs less, so it is the better choice if only the
 * result matters.
 *
 * The sweeps solve y_v = (1-d)/n + d * sum over u -> v of y_u / O(u) in place. Self-loops are eliminated
 * algebraically, and dangling pages are skipped, since no other value depends on theirs; y is x up to a factor
 * (eq. (1)). In the end y is completed and normalised, and one sweep of pagerank() makes rank[] of it. p->change
 * is the change of that last sweep and is below `tolerance`, so the error bound above holds for rank[]. If
 * max_sweeps, at least 2, is reached before, p->change may be greater. p->sweeps counts all sweeps.
 * Deviation: on large graphs a sweep works on blocks of consecutive pages, several of them in parallel,
 *   and these see each other's values from before. The blocks, and which of them run in parallel, depend only on
 *   the graph.
 * Deviation: where tiles_pay() says so (tiles.h), the links lead anywhere, and the pages of a block see each other's values
 *   from before, too: Gauss-Seidel by blocks. That takes more sweeps on a graph with order, and each is a quarter of the work
 *   on one without.
 * Deviation: if most links lead further than about 30,000 ids, or anywhere, and there is no warm start, the values are single
 *   precision until a sweep changes them by less than 1e-6; the last sweep and p->change are double precision always.
 *
 * Memory beside graph and rank, where tiles_pay(): at most 20 bytes for each node, and 4 for each arc. */
void pagerank_solve(const struct graph *g, struct pagerank *p, double *rank);

/* Gauss-Seidel leaves its residual distributed differently from Jacobi. At this fraction of the tolerance (about
 * ten more sweeps), pagerank_solve() makes at most as many integer keys differ from the exact ones as pagerank()
 * does at the full tolerance. */
#define PAGERANK_SOLVE_SHARE 0.1

/* Returns the integer key of a rank in a graph of n nodes, floor(value * n * 1e8 + 0.5). Ranks are compared by
 * key, so that the order of summation does not separate pages whose ranks are mathematically equal. */
uint64_t pagerank_key(double value, uint32_t n);

/* Sorts the n nodes by descending key, and then by ascending id, into order[n]. */
void pagerank_order(const double *rank, uint32_t n, uint32_t *order);

#endif
