/* A part made ready for iterations of HITS, its leaves folded away.
 *
 * A leaf is a hub or an authority with one link, whose other end has more. Its score is that of the
 * node it hangs on, as it was half an iteration ago: all leaves of a node have one score, which
 * nobody needs to look up. So the rows that are summed hold neither leaves nor links to them; of
 * each row is known how many leaves hang on it. On pruned web graphs most links end in a leaf.
 * Equal to summing over all links but for rounding. */
#ifndef SEEDS_FOLD_H
#define SEEDS_FOLD_H

#include "seeds/parts.h"
#include "seeds/sweep.h"

enum fold_kind { FOLD_ROW, FOLD_LEAF, FOLD_LEAF_GONE };

/* The copies of one side. A member is known by its place in the part, from 0. */
struct fold_side {
	struct sweep sweep; /* rows of the members that are no leaves, by their length */
	uint32_t *row;      /* of a member: its row; of a leaf: the member that it hangs on */
	uint8_t *leaf;      /* of a member: enum fold_kind */
	uint32_t *leaves;   /* of a row: members of the other side that hang on it */
	double *x;          /* of a row: its score; and one 0 behind the last */
	uint32_t members, rows;
	uint32_t *count;   /* scratch, by member */
	uint32_t *order;   /* scratch: the members by their row */
	uint32_t *dropped; /* rows that were emptied */
	size_t member_room, row_room, n_dropped, dropped_room;
};

/* Zeroed before; may be built any number of times, and is released once. */
struct fold {
	struct fold_side hubs, authorities;
	uint64_t folded; /* links that are in no row */
};

void fold_build(struct fold *f, const struct parts *p, const struct part *part);
void fold_release(struct fold *f);

/* Gives back what only building needs; the next one begins without it. */
void fold_settle(struct fold *f);

/* As if the member had lost its links when the part was made ready. O(its links). */
void fold_drop_hub(struct fold *f, uint32_t member);
void fold_drop_authority(struct fold *f, uint32_t member);

/* So many iterations from all ones, into hub[] and authority[], by member. A vector is divided by
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
