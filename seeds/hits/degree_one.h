/* HITS iterations on one component (seeds/hits/bicover.h), after a degree-one reduction: its leaves are taken out.
 *
 * A leaf is a hub or an authority with one link, to a node that has more than one. The score of a leaf is the
 * score that this node had half an iteration before, so all leaves of a node have the same score. Therefore the
 * rows that are summed contain neither leaves nor links to leaves, and each row has a count of its leaves. On
 * pruned web graphs most links end in a leaf. The result is that of summing over all links, except for rounding.
 *
 * The reduction puts the members of the component into a new order: first the members with rows, by the length of
 * the row, then the leaves, by the row of their only neighbour. A member's place in this order is the number of its
 * row, the targets of a row are places, and a vector has the score of each member at its place. */
#ifndef SEEDS_HITS_DEGREE_ONE_H
#define SEEDS_HITS_DEGREE_ONE_H

#include "graph/graph.h"
#include "seeds/hits/bicover.h"

#include <stddef.h>

/* A sparse matrix laid out for repeated multiplication with a vector: half an iteration of HITS within a component.
 * Rows and targets are numbered from 0, so that the vectors are compact; rows of equal length are neighbours (a
 * run), so that the processor predicts the ends of rows.
 *
 *	sweep_begin(&s, targets);
 *	for each row: memcpy(sweep_row(&s, length), row, length * sizeof *row);
 *	sweep_end(&s);
 *	sweep_sum(&s, &step, threads, &sums); */

#define SWEEP_BLOCK 16384 /* the rows of a block, which one thread sums */

/* A run: `rows` rows in a row that have `length` targets each. */
struct sweep_run {
	uint32_t length, rows;
};

/* The first target and the first run of a block. */
struct sweep_block {
	uint64_t target;
	size_t run;
};

/* The caller zeroes the struct before; it may be built any number of times, and is released once. */
struct sweep {
	uint32_t rows, blocks;
	uint64_t targets;
	uint32_t *target;
	struct sweep_run *run; /* each run lies within one block */
	size_t runs;
	struct sweep_block *block;
	double *square; /* two numbers for each block: the sums that sweep_sum() makes */
	uint8_t *same;  /* for each block: sweep_sum() changed no bit */
	size_t target_room, run_room, block_room;
};

/* Begins a new matrix with so many targets in all. */
void sweep_begin(struct sweep *s, uint64_t targets);

/* Adds a row, and returns the memory to which the caller writes its `length` targets. */
uint32_t *sweep_row(struct sweep *s, uint32_t length);

/* Ends the matrix, after its last row. */
void sweep_end(struct sweep *s);

/* Returns the targets of a row, *length of them. Time: O(SWEEP_BLOCK). */
uint32_t *sweep_row_at(const struct sweep *s, uint32_t row, uint32_t *length);

/* Frees the memory. */
void sweep_release(struct sweep *s);

/* One multiplication: y[i] becomes scale * (sum of x[t] over the targets t of row i + leaves[i] * own * y[i]). */
struct sweep_step {
	const double *x;
	double scale;
	const uint32_t *leaves;
	double own;
	double *y;
};

struct sweep_sums {
	double square;      /* the sum of y[i]^2 */
	double leaf_square; /* the sum of leaves[i] * y[i]^2 */
	int same;           /* 1 if no bit of y has changed */
};

/* Does the multiplication for all rows. The result does not depend on `threads`. */
void sweep_sum(struct sweep *s, const struct sweep_step *step, unsigned threads, struct sweep_sums *sums);

/* The hubs or the authorities of a component. Members are numbered from 0 by place; those from `rows` on are leaves. */
struct degree_one_side {
	struct sweep sweep; /* the rows, without leaves */
	uint32_t members, rows;
	uint32_t *leaves;  /* for each row: the number of leaves of the other side that link to it */
	uint32_t *on;      /* for each leaf, from member `rows` on: the row of its neighbour; ascending */
	uint8_t *gone;     /* for each leaf: 1 if it was dropped */
	uint32_t *dropped; /* the rows that were dropped */
	uint32_t zero;     /* the place, beyond all components, at which a vector is 0 */
	double *x;         /* during degree_one_run(): the vector */
	/* Scratch memory of degree_one_plan(), by member. */
	uint32_t *row;   /* the member's row, or a leaf's neighbour; in the end, by row, its length */
	uint8_t *kind;   /* whether the member is a leaf */
	uint32_t *count; /* the number of its links, without those to leaves */
	uint32_t *order; /* the members by their new place */
	size_t member_room, row_room, leaf_room, n_dropped, dropped_room;
};

/* The caller zeroes the struct before; it may be built any number of times, and is released once. */
struct degree_one {
	struct degree_one_side hubs, authorities;
	uint64_t saved; /* the number of links that are in no row */
};

/* Reduces a component of p, and puts its members into the new order; vectors by the old places become invalid. */
void degree_one_build(struct degree_one *f, struct bicover *p, const struct bicover_component *component);

/* Frees the memory. */
void degree_one_release(struct degree_one *f);

/* degree_one_build() consists of degree_one_plan(), degree_one_fill_hubs() and degree_one_fill_authorities(). A caller that has to
 * save memory calls the steps itself, and frees the rows of the pruned graph in between: degree_one_fill_hubs() is the last that
 * reads `graph`, and degree_one_fill_authorities() the last that reads `reverse`. */

/* Decides which members are leaves, and puts the members into the new order. */
void degree_one_plan(struct degree_one *f, struct bicover *p, const struct bicover_component *component);

/* Frees the scratch memory of the plan that filling rows does not need. */
void degree_one_forget_plan(struct degree_one *f);

/* Fills the rows of the hubs. */
void degree_one_fill_hubs(struct degree_one *f, const struct bicover *p, const struct bicover_component *component);

/* Fills the rows of the authorities. */
void degree_one_fill_authorities(struct degree_one *f, const struct bicover *p, const struct bicover_component *component);

/* Frees the rest of the plan's scratch memory, after both fills. */
void degree_one_forget_lengths(struct degree_one *f);

/* Removes all links of a hub. Time: O(its links). */
void degree_one_drop_hub(struct degree_one *f, uint32_t member);

/* Removes all links of an authority. Time: O(its links). */
void degree_one_drop_authority(struct degree_one *f, uint32_t member);

/* The norms of the result of degree_one_run(), as logarithms. */
struct degree_one_norms {
	double log_norm;      /* of all factors that both vectors were divided by */
	double log_authority; /* of a further factor of the hub vector */
};

/* Runs HITS from vectors of ones. The results are hub[] and authority[], by member; hub[hubs.zero] and
 * authority[authorities.zero] become 0. Each vector is divided by its norm when the next half of an iteration reads it;
 * *norms tells by how much in all. If no link is left, all scores are 0, and log_norm is -INFINITY. The function
 * returns the number of iterations that it ran: it ends before `iterations` when an iteration changes no bit. The
 * result does not depend on `threads`. */
unsigned degree_one_run(struct degree_one *f, unsigned iterations, unsigned threads, double *hub, double *authority,
	struct degree_one_norms *norms);

#endif
