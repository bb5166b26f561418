/* A part made ready for iterations of HITS, its leaves folded away.
 *
 * A leaf is a hub or an authority with one link, whose other end has more. Its score is that of the
 * node it hangs on, as it was half an iteration ago: all leaves of a node have one score, which
 * nobody needs to look up. So the rows that are summed hold neither leaves nor links to them; of
 * each row is known how many leaves hang on it. On pruned web graphs most links end in a leaf.
 * Equal to summing over all links but for rounding.
 *
 * The members of the part are put into the order in which they are summed: first those that have
 * rows, by their length, then the leaves, by the row that they hang on. So a member's place tells
 * its row, a row's targets are places, and a vector is the score of each member by its place. */
#ifndef SEEDS_HITS_FOLD_H
#define SEEDS_HITS_FOLD_H

#include "seeds/hits/parts.h"
#include "seeds/hits/sweep.h"

/* The copies of one side. A member is known by its place in the part, from 0; those from `rows` on
 * are leaves. */
struct fold_side {
	struct sweep sweep; /* the rows, without leaves */
	uint32_t members, rows;
	uint32_t *leaves;  /* of a row: members of the other side that hang on it */
	uint32_t *on;      /* of a leaf, from the first one on: the row it hangs on; they ascend */
	uint8_t *gone;     /* of a leaf: whether it was dropped */
	uint32_t *dropped; /* rows that were emptied */
	uint32_t zero;     /* the place, beyond all parts, where a vector is 0 */
	double *x;         /* while it runs: the vector */
	/* Scratch of the plan, by member */
	uint32_t *
		row; /* its row; of a leaf: the member that it hangs on. At last, by row: its length */
	uint8_t *kind;   /* whether it is a leaf */
	uint32_t *count; /* links that are left, without those of leaves */
	uint32_t *order; /* members by their new place */
	size_t member_room, row_room, leaf_room, n_dropped, dropped_room;
};

/* Zeroed before; may be built any number of times, and is released once. */
struct fold {
	struct fold_side hubs, authorities;
	uint64_t folded; /* links that are in no row */
};

/* Puts the members of the part (p's) into their new order: vectors by place are void. */
void fold_build(struct fold *f, struct parts *p, const struct part *part);
void fold_release(struct fold *f);

/* The same in steps, for what is built once: each side of the pruned graph is read for the last
 * time when its rows are filled. */
void fold_plan(struct fold *f, struct parts *p, const struct part *part);
void fold_forget_plan(struct fold *f);
void fold_fill_hubs(struct fold *f, const struct parts *p, const struct part *part);
void fold_fill_authorities(struct fold *f, const struct parts *p, const struct part *part);
void fold_forget_lengths(struct fold *f);

/* As if the member had lost its links when the part was made ready. O(its links). */
void fold_drop_hub(struct fold *f, uint32_t member);
void fold_drop_authority(struct fold *f, uint32_t member);

/* So many iterations from all ones, in hub[] and authority[], by member; at hubs.zero and
 * authorities.zero there is a 0. A vector is divided by
 * its norm where the next half reads it; what it was divided by so far is log_norm at the end (a
 * logarithm), for the hubs log_authority more; without a link left all is 0 and log_norm is
 * -INFINITY. Returns how many iterations were done: where one
 * changes no bit the others would not either. `threads` never changes a result. */
struct fold_norms {
	double log_norm, log_authority;
};
unsigned fold_run(struct fold *f, unsigned iterations, unsigned threads, double *hub,
	double *authority, struct fold_norms *norms);

#endif
