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

#define DEGREE_ONE_BLOCK 16384 /* the rows of a block, which one thread sums */

/* The hubs or the authorities of a component. Members are numbered from 0 by place; those from `rows` on are leaves. The rows lie
 * one behind the other. Neighbours of equal length are a run, which lies within a block, so that the processor predicts the ends of
 * rows. */
struct degree_one_side {
	uint32_t members, rows, blocks;
	uint32_t *target;
	struct degree_one_run {
		uint32_t length, rows;
	} * run;
	struct degree_one_block {
		uint64_t target; /* the first one of the block */
		size_t run;
		double square, leaf_square; /* the sums of y^2, and of y^2 times the row's leaves */
		int same;                   /* no bit of y has changed */
	} * block;
	uint32_t *leaves; /* for each row: the number of leaves of the other side that link to it */
	uint32_t *on;     /* for each leaf, from member `rows` on: the row of its neighbour */
	uint8_t *gone;    /* for each member: 1 if it was dropped */
	uint32_t zero;    /* the place, beyond all components, at which a vector is 0 */
	double *x;        /* during degree_one_run(): the vector */
	uint64_t targets;
	size_t runs, target_room, run_room, block_room, member_room;
};

/* The caller zeroes the struct before; it may be built any number of times, and is released once. */
struct degree_one {
	struct degree_one_side side[2];
	uint64_t saved; /* the number of links that are in no row */
};

/* Reduces a component of p, and puts its members into the new order; vectors by the old places become invalid. */
void degree_one_build(struct degree_one *f, struct bicover *p, const struct bicover_component *component);

/* Frees the memory. */
void degree_one_release(struct degree_one *f);

/* Removes all links of a member. Time: O(its links + DEGREE_ONE_BLOCK). */
void degree_one_drop(struct degree_one *f, enum side side, uint32_t member);

/* The norms of the result of degree_one_run(), as logarithms. */
struct degree_one_norms {
	double log_norm;      /* of all factors that both vectors were divided by */
	double log_authority; /* of a further factor of the hub vector */
};

/* Runs HITS from vectors of ones. The results are hub[] and authority[], by member; hub[side[HUBS].zero] and
 * authority[side[AUTHORITIES].zero] become 0. Each vector is divided by its norm when the next half of an iteration reads it;
 * *norms tells by how much in all. If no link is left, all scores are 0, and log_norm is -INFINITY. The function
 * returns the number of iterations that it ran: it ends before `iterations` when an iteration changes no bit. The
 * result does not depend on `threads`. */
unsigned degree_one_run(struct degree_one *f, unsigned iterations, unsigned threads, double *hub, double *authority,
	struct degree_one_norms *norms);

#endif
