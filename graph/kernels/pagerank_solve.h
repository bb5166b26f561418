/* Inside of pagerank_solve(): what the equation, in pagerank_solve.c, and the two ways to sweep over the links share. One way sums
 * up by gather.h, the other, for graphs whose links lead anywhere, by tiles.h. */
#ifndef GRAPH_KERNELS_PAGERANK_SOLVE_H
#define GRAPH_KERNELS_PAGERANK_SOLVE_H

#include "graph/kernels/gather.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/tiles.h"

#define SOLVE_GRAIN 2048 /* pages that a thread takes at a time, where links are not read */

struct solve;

/* A way to sweep. */
struct solve_way {
	/* Builds the layout of s->g, whose dangling pages are deferred, and sets loop[v] to 1 for each page that links to itself;
	 * such links are left out. Sets s->values. Returns the numbers to begin with, if there is no warm start. */
	enum gather_numbers (*build)(struct solve *s, const uint8_t *deferred, uint8_t *loop);
	/* Moves s->share[v] by solve_step() for each page v that does not dangle. Returns the L1 norm of the changes of y. */
	double (*sweep)(struct solve *s);
	/* Sets s->rank[v] to the sum of s->share[u], doubles, over u -> v, for all pages v. */
	void (*sum)(struct solve *s);
	/* Frees the layout. */
	void (*release)(struct solve *s);
};

extern const struct solve_way solve_by_gather, solve_by_tiles;

/* What decides how far a page moves. */
struct solve_rates {
	double damping, base, relaxation;
};

struct solve {
	const struct graph *g;
	const struct solve_way *way;
	struct gather gather; /* the layout: one of the two */
	struct tiles tiles;
	struct solve_rates rates;
	const double *warm;
	unsigned threads;
	size_t values; /* elements of share[]: one for each page, and what the way needs */
	void *share;   /* y_v / O(v), singles or doubles; 0 for dangling pages */
	enum gather_numbers kind;
	uint32_t at;              /* by gather: the phase of the sweep; by tiles: the first block of the phase */
	double *sums;             /* by tiles: the sums of the blocks of a phase, and then their new values */
	double *divisor;          /* O(v), less the damping where v links to itself; 0: v dangles */
	double *change;           /* a place for each SOLVE_GRAIN pages, or a block */
	double *held, *gained;    /* likewise */
	uint8_t *deferred, *loop; /* a page dangles; links to itself */
	double scale, mass, gain;
	double *rank; /* the result */
};

/* Returns how far y_v / O(v) moves from the value `old`; `sum` is that of y_u / O(u) over u -> v. */
static inline double solve_step(struct solve_rates r, double sum, double divisor, double old)
{
	return ((r.base + r.damping * sum) / divisor - old) * r.relaxation;
}

#endif
