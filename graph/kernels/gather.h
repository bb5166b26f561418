/* A layout of a graph's rows for repeated multiplication with a vector x (gather): for each row v it computes the sum
 * of x_u over the targets u of the row. PageRank uses the rows of the transposed graph, HITS the rows of both.
 *
 *	gather_build(&p, g, &plan);
 *	for (w = 0; w < p.windows; w++)
 *		gather_sum(&p, w, x, sum);                     the sums of the rows gather_first(&p, w) and following
 *
 * The rows are divided into windows of GATHER_WINDOW consecutive ids. A target within about 30,000 ids of its window is
 * near and takes 16 bits; any other target is far and takes 32 bits. On web graphs nine targets in ten are near, so the
 * layout takes half the memory of the graph, and the part of x that a window reads stays in the cache. Within a window,
 * rows of equal length are neighbours (a class), so that the processor predicts the end of each inner loop; a wrong
 * prediction costs more than ten additions.
 *
 * The sum of a row is the sum over its far targets plus the sum over its near targets, each in ascending order (in four
 * interleaved parts for long rows), so it depends on the graph only. A layout is immutable once built. */
#ifndef GRAPH_KERNELS_GATHER_H
#define GRAPH_KERNELS_GATHER_H

#include "graph/graph.h"

#define GATHER_WINDOW 2048

/* A row with more targets is summed in four parts. */
#define GATHER_LONG 64

/* `rows` rows in a row that have `length` targets each. */
struct gather_class {
	uint32_t length, rows;
};

/* The positions at which a share begins in the arrays of struct gather with these names. It ends where the next share
 * begins. */
struct gather_share {
	uint64_t near, far;
	uint32_t near_row, far_row;
	uint64_t near_class, far_class;
};

struct gather {
	uint32_t nodes, windows;
	struct gather_share *share; /* 2 * windows + 1: window w's rows of every sweep, its deferred rows */
	uint32_t *origin;           /* of each window: a near target is stored as its id less this */
	int has_deferred;
	uint16_t *near;     /* the near targets */
	uint32_t *far;      /* the far targets: ids, or nodes + k for ghost[k] */
	uint16_t *near_row; /* the rows, relative to the first row of the window, class by class */
	uint16_t *far_row;  /* the rows with far targets, in the same form */
	struct gather_class *near_class, *far_class;
	uint32_t blocks, *block; /* block b has the windows block[b]..block[b + 1] - 1 */
	uint32_t phases, *phase; /* phase r has the blocks phase[r]..phase[r + 1] - 1 */
	uint32_t *ghost;         /* the ids of the ghosts, phase by phase, ascending in each */
	uint32_t *phase_ghosts;  /* phases + 1: the ghosts of phase r begin here */
};

enum gather_rows {
	GATHER_OUT, /* the targets of a row are the nodes that the node links to, in the order of the graph */
	GATHER_IN,  /* the targets of a row are the nodes that link to the node, ascending */
};

struct gather_plan {
	/* For a caller that changes x while it sums (Gauss-Seidel): the windows are divided into at most `blocks` blocks of
	 * equal work, of which `abreast` at a time form a phase and may be processed in parallel. A row reads a target
	 * in another block of its phase as it was before the phase; such a target is a ghost (see gather_copy_ghosts()). 1 and 1
	 * mean one block; other values need nodes < 2^31. */
	uint32_t blocks, abreast;
	unsigned threads; /* >= 1; does not change the result */
	enum gather_rows rows;
	const uint8_t *deferred; /* 1 for each row that gather_sum() sums and gather_near() skips; NULL: none */
	uint8_t *loop;           /* NULL; or self-loops are removed, and loop[v] is set to 1 for their rows */
	uint64_t *scratch;       /* scratch memory for `nodes` numbers; NULL: the function allocates it */
};

/* Builds the layout of a graph with fewer than 2^36 arcs, in two passes over the arcs. GATHER_IN needs no transposed graph. */
void gather_build(struct gather *p, const struct graph *g, const struct gather_plan *plan);

/* Frees the memory. */
void gather_release(struct gather *p);

/* Returns the number of elements that x must have: one for each node, and one for each ghost. */
static inline size_t gather_values(const struct gather *p)
{
	return (size_t)p->nodes + p->phase_ghosts[p->phases];
}

/* The numbers of a vector x. Singles take half the memory, so that more of those that far targets name are in the cache;
 * sums are doubles in any case. */
enum gather_numbers { GATHER_DOUBLES, GATHER_SINGLES };

/* Returns x[i]. */
static inline __attribute__((always_inline)) double gather_value(const void *x, enum gather_numbers kind, size_t i)
{
	return kind == GATHER_SINGLES ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* Returns the address of x[i]. */
static inline __attribute__((always_inline)) const void *gather_at(const void *x, enum gather_numbers kind, size_t i)
{
	return (const char *)x + i * (kind == GATHER_SINGLES ? sizeof(float) : sizeof(double));
}

/* Copies the present values of phase r's ghosts to the end of x. The caller calls this before the phase. */
void gather_copy_ghosts(const struct gather *p, uint32_t r, void *x, enum gather_numbers kind);

/* Returns the first row of window w; the number of nodes if w = windows. */
static inline uint32_t gather_first(const struct gather *p, uint32_t w)
{
	return w < p->windows ? w * GATHER_WINDOW : p->nodes;
}

/* Sets sum[i] to the sum over the far targets of row gather_first(w) + i, for the rows of window w; 0 for deferred rows. */
void gather_far(const struct gather *p, uint32_t w, const void *x, enum gather_numbers kind, double *sum);

/* Sets sum[i] to the whole sum of row gather_first(w) + i, for all rows of window w, deferred ones included. The numbers
 * of x are doubles. */
void gather_sum(const struct gather *p, uint32_t w, const double *x, double *sum);

/* Calls row(ctx, i, s) for each row gather_first(w) + i of a share in window w = share / 2, in the order of the layout,
 * with the sum s over its near targets. The call may change x; later rows see the change, except up to three rows that
 * are summed at the same time. The function is inlined, so `kind` and `row` should be constants. */
static inline __attribute__((always_inline)) void gather_near_share(const struct gather *p, uint32_t share, const void *x,
	enum gather_numbers kind, void (*row)(void *ctx, uint32_t i, double s), void *ctx)
{
	const struct gather_share *at = &p->share[share];
	const void *base = gather_at(x, kind, p->origin[share / 2]);
	const uint16_t *t = p->near + at->near, *id = p->near_row + at->near_row;

	for (uint64_t c = at->near_class; c < at[1].near_class; c++) {
		const uint32_t n = p->near_class[c].length;
		uint32_t rows = p->near_class[c].rows;

		/* four rows at once, one from each quarter of the class: neighbours often link to
		 * one another, and so still see each other change */
		if (rows >= 4 && n <= GATHER_LONG) {
			const uint32_t quarter = rows / 4;
			const size_t apart = (size_t)quarter * n;
			for (uint32_t r = 0; r < quarter; r++, id++) {
				double s = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
				for (uint32_t k = 0; k < n; k++, t++) {
					s += gather_value(base, kind, t[0]);
					s1 += gather_value(base, kind, t[apart]);
					s2 += gather_value(base, kind, t[2 * apart]);
					s3 += gather_value(base, kind, t[3 * apart]);
				}
				row(ctx, id[0], s);
				row(ctx, id[quarter], s1);
				row(ctx, id[2 * quarter], s2);
				row(ctx, id[3 * quarter], s3);
			}
			t += 3 * apart;
			id += 3 * quarter;
			rows -= 4 * quarter;
		}
		for (; rows; rows--, id++) {
			double s = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
			uint32_t k = 0;
			for (; n > GATHER_LONG && k + 4 <= n; k += 4) {
				s += gather_value(base, kind, t[k]);
				s1 += gather_value(base, kind, t[k + 1]);
				s2 += gather_value(base, kind, t[k + 2]);
				s3 += gather_value(base, kind, t[k + 3]);
			}
			s = (s + s1) + (s2 + s3);
			for (; k < n; k++)
				s += gather_value(base, kind, t[k]);
			t += n;
			row(ctx, *id, s);
		}
	}
}

/* Calls row(ctx, i, s) in the same way for all rows of window w that are not deferred. */
static inline __attribute__((always_inline)) void gather_near(const struct gather *p, uint32_t w, const void *x,
	enum gather_numbers kind, void (*row)(void *ctx, uint32_t i, double s), void *ctx)
{
	gather_near_share(p, 2 * w, x, kind, row, ctx);
}

/* Returns the positions at which the arrays end. */
static inline const struct gather_share *gather_end(const struct gather *p)
{
	return &p->share[2 * (size_t)p->windows];
}

#endif
