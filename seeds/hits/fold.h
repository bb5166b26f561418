/* HITS iterations on one part (seeds/hits/parts.h), after a degree-one reduction: folding its leaves away.
 *
 * A leaf is a hub or an authority with one link, to a node that has more than one. The score of a leaf is the
 * score that this node had half an iteration before, so all leaves of a node have the same score. Therefore the
 * rows that are summed contain neither leaves nor links to leaves, and each row has a count of its leaves. On
 * pruned web graphs most links end in a leaf. The result is that of summing over all links, except for rounding.
 *
 * Folding puts the members of the part into a new order: first the members with rows, by the length of the row,
 * then the leaves, by the row of their only neighbour. A member's place in this order is the number of its row,
 * the targets of a row are places, and a vector has the score of each member at its place. */
#ifndef SEEDS_HITS_FOLD_H
#define SEEDS_HITS_FOLD_H

#include "seeds/hits/parts.h"
#include "seeds/hits/sweep.h"

/* The hubs or the authorities of a part. Members are numbered from 0 by place; those from `rows` on are leaves. */
struct fold_side {
	struct sweep sweep; /* the rows, without leaves */
	uint32_t members, rows;
	uint32_t *leaves;  /* for each row: the number of leaves of the other side that link to it */
	uint32_t *on;      /* for each leaf, from member `rows` on: the row of its neighbour; ascending */
	uint8_t *gone;     /* for each leaf: 1 if it was dropped */
	uint32_t *dropped; /* the rows that were dropped */
	uint32_t zero;     /* the place, beyond all parts, at which a vector is 0 */
	double *x;         /* during fold_run(): the vector */
	/* Scratch memory of fold_plan(), by member. */
	uint32_t *row;   /* the member's row, or a leaf's neighbour; in the end, by row, its length */
	uint8_t *kind;   /* whether the member is a leaf */
	uint32_t *count; /* the number of its links, without those to leaves */
	uint32_t *order; /* the members by their new place */
	size_t member_room, row_room, leaf_room, n_dropped, dropped_room;
};

/* The caller zeroes the struct before; it may be built any number of times, and is released once. */
struct fold {
	struct fold_side hubs, authorities;
	uint64_t folded; /* the number of links that are in no row */
};

/* Folds a part of p, and puts its members into the new order; vectors by the old places become invalid. */
void fold_build(struct fold *f, struct parts *p, const struct part *part);

/* Frees the memory. */
void fold_release(struct fold *f);

/* fold_build() consists of fold_plan(), fold_fill_hubs() and fold_fill_authorities(). A caller that has to save
 * memory calls the steps itself, and frees the rows of the pruned graph in between: fold_fill_hubs() is the last
 * that reads `graph`, and fold_fill_authorities() the last that reads `reverse`. */

/* Decides which members are leaves, and puts the members into the new order. */
void fold_plan(struct fold *f, struct parts *p, const struct part *part);

/* Frees the scratch memory of the plan that filling rows does not need. */
void fold_forget_plan(struct fold *f);

/* Fills the rows of the hubs. */
void fold_fill_hubs(struct fold *f, const struct parts *p, const struct part *part);

/* Fills the rows of the authorities. */
void fold_fill_authorities(struct fold *f, const struct parts *p, const struct part *part);

/* Frees the rest of the plan's scratch memory, after both fills. */
void fold_forget_lengths(struct fold *f);

/* Removes all links of a hub. Time: O(its links). */
void fold_drop_hub(struct fold *f, uint32_t member);

/* Removes all links of an authority. Time: O(its links). */
void fold_drop_authority(struct fold *f, uint32_t member);

/* The norms of the result of fold_run(), as logarithms. */
struct fold_norms {
	double log_norm;      /* of all factors that both vectors were divided by */
	double log_authority; /* of a further factor of the hub vector */
};

/* Runs HITS from vectors of ones. The results are hub[] and authority[], by member; hub[hubs.zero] and
 * authority[authorities.zero] become 0. Each vector is divided by its norm when the next half of an iteration reads it;
 * *norms tells by how much in all. If no link is left, all scores are 0, and log_norm is -INFINITY. The function
 * returns the number of iterations that it ran: it ends before `iterations` when an iteration changes no bit. The
 * result does not depend on `threads`. */
unsigned fold_run(struct fold *f, unsigned iterations, unsigned threads, double *hub,
	double *authority, struct fold_norms *norms);

#endif
