/* The rows of a graph laid out for summing over them again and again: for each row v the sum of x_u
 * over the targets u in it. PageRank pulls through the rows of the transpose, HITS through both.
 *
 * Rows lie in windows of PULL_WINDOW ids. A target within some 30,000 ids of its window is near and
 * takes 16 bits, any other is far and takes 32; on web graphs nine in ten are near, so that the
 * layout is half the size of the graph, and what x is read for a window stays in the cache. Within
 * a window the rows stand in classes of equal length, so that the processor foresees where each
 * inner loop ends: a wrong guess costs more than ten additions.
 *
 * A row's sum is the sum of its far targets plus that of its near ones, each in ascending order
 * (the longest in four interleaved parts): it depends on the graph alone. Immutable once built. */
#ifndef GRAPH_KERNELS_PULL_H
#define GRAPH_KERNELS_PULL_H

#include "graph/graph.h"

#define PULL_WINDOW 2048

/* Rows of more targets than this are summed in four parts. */
#define PULL_LONG 64

/* A run of rows that have the same number of targets. */
struct pull_class {
	uint32_t length, rows;
};

/* Where a share of each array begins; the next one's says where it ends. */
struct pull_share {
	uint64_t near, far;             /* in struct pull's near, far */
	uint32_t near_row, far_row;     /* likewise */
	uint64_t near_class, far_class; /* likewise */
};

struct pull {
	uint32_t nodes, windows;
	struct pull_share
		*share;   /* 2 * windows + 1: window w's rows of every sweep, its late rows */
	uint32_t *origin; /* of each window: the id that a near target's 0 stands for */
	int has_late;
	uint16_t *near;     /* target - origin */
	uint32_t *far;      /* as pull_build() says */
	uint16_t *near_row; /* row - first row of the window, class by class */
	uint16_t *far_row;  /* likewise, those that have far targets alone */
	struct pull_class *near_class, *far_class;
	uint32_t lanes, *lane;   /* lane l: windows lane[l]..lane[l + 1] - 1 */
	uint32_t rounds, *round; /* round r: lanes round[r]..round[r + 1] - 1 */
	uint32_t *frozen;        /* ids that stand for themselves as nodes + place, ascending */
	uint32_t *round_frozen;  /* rounds + 1: frozen ids of round r begin here */
};

enum pull_rows {
	PULL_OUT, /* a row's targets are whom the node links to, in the order of the graph */
	PULL_IN,  /* who links to it, ascending */
};

struct pull_plan {
	/* For rows that change x while it is summed: cuts the windows into at most so many lanes of
	 * equal work, `abreast` of which at a time, a round, may be worked on at once. A row reads
	 * a target in another lane of its round as it was before the round: such targets are far,
	 * and stand as nodes + k for frozen[k]. 1 and 1 for none; more only if nodes < 2^31. */
	uint32_t lanes, abreast;
	unsigned threads; /* >= 1; never changes the result */
	enum pull_rows rows;
	const uint8_t *late; /* 1: the row is summed by pull_sum() alone, not in sweeps. Or NULL */
	uint8_t *loop;       /* where not NULL, self-loops are dropped, and their rows set to 1 */
	uint64_t *scratch;   /* nodes numbers to work with; NULL: own ones */
};

/* Less than 2^36 arcs. Two passes over them; no transpose is made for PULL_IN. */
void pull_build(struct pull *p, const struct graph *g, const struct pull_plan *plan);
void pull_release(struct pull *p);

/* How many values x holds: of the nodes, then of the frozen targets. */
static inline size_t pull_values(const struct pull *p)
{
	return (size_t)p->nodes + p->round_frozen[p->rounds];
}

/* Takes the values of round r's frozen targets as they are now. */
void pull_freeze(const struct pull *p, uint32_t r, double *x);

/* First row of window w; nodes where w = windows. */
static inline uint32_t pull_first(const struct pull *p, uint32_t w)
{
	return w < p->windows ? w * PULL_WINDOW : p->nodes;
}

/* sum[i] = the sum over the far targets of row first + i, for the rows of window w (0 for late ones).
 */
void pull_far(const struct pull *p, uint32_t w, const double *x, double *sum);

/* sum[i] = the whole sum of row first + i, for all rows of window w. */
void pull_sum(const struct pull *p, uint32_t w, const double *x, double *sum);

/* Calls row(ctx, i, s) for each row first + i of a share, which is in window share / 2, in the order of the
 * layout, with s the sum over its near targets. It may change x: rows to come see that, but for the
 * up to three that are summed together with it. To be inlined with a constant `row`. */
static inline __attribute__((always_inline)) void pull_near_share(const struct pull *p,
	uint32_t share, const double *x, void (*row)(void *ctx, uint32_t i, double s), void *ctx)
{
	const struct pull_share *at = &p->share[share];
	const double *base = x + p->origin[share / 2];
	const uint16_t *t = p->near + at->near, *id = p->near_row + at->near_row;

	for (uint64_t c = at->near_class; c < at[1].near_class; c++) {
		const uint32_t n = p->near_class[c].length;
		uint32_t rows = p->near_class[c].rows;

		/* four rows at once, one from each quarter of the class: neighbours often link to
		 * one another, and so still see each other change */
		if (rows >= 4 && n <= PULL_LONG) {
			const uint32_t quarter = rows / 4;
			const size_t apart = (size_t)quarter * n;
			for (uint32_t r = 0; r < quarter; r++, id++) {
				double s = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
				for (uint32_t k = 0; k < n; k++, t++) {
					s += base[t[0]];
					s1 += base[t[apart]];
					s2 += base[t[2 * apart]];
					s3 += base[t[3 * apart]];
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
			for (; n > PULL_LONG && k + 4 <= n; k += 4) {
				s += base[t[k]];
				s1 += base[t[k + 1]];
				s2 += base[t[k + 2]];
				s3 += base[t[k + 3]];
			}
			s = (s + s1) + (s2 + s3);
			for (; k < n; k++)
				s += base[t[k]];
			t += n;
			row(ctx, *id, s);
		}
	}
}

/* For the rows of window w that are not late. */
static inline __attribute__((always_inline)) void pull_near(const struct pull *p, uint32_t w,
	const double *x, void (*row)(void *ctx, uint32_t i, double s), void *ctx)
{
	pull_near_share(p, 2 * w, x, row, ctx);
}

/* Where the arrays end. */
static inline const struct pull_share *pull_end(const struct pull *p)
{
	return &p->share[2 * (size_t)p->windows];
}

#endif
