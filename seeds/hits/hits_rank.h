/* Hub and authority scores of a pruned graph from which nodes are removed now and then.
 *
 * The scores are those of a cold run of HITS (graph/kernels/hits.h: so many iterations from all ones) on
 * what is left, as integer keys: in 1e-9 of the greatest, so that rounding parts no two that are
 * mathematically equal.
 *
 * Without normalisation, what happens in one part (seeds/hits/parts.h) depends on that part alone; the
 * global vector is all of them side by side, up to one factor. So each part keeps its own vector
 * and the logarithm of its norm, and after a removal only the parts that lost arcs are run again. A
 * run ends early where an iteration changes no bit: the others would not either. */
#ifndef SEEDS_HITS_HITS_RANK_H
#define SEEDS_HITS_HITS_RANK_H

#include "seeds/hits/kept.h"

#define HITS_KEY_MAX UINT64_C(1000000000)

struct hits_rank {
	struct pruned *pruned; /* borrowed */
	unsigned iterations;   /* >= 1 */
	unsigned threads;      /* >= 1; never changes the result */
	uint64_t arcs;         /* between nodes that are left */
	struct parts parts;
	struct kept kept;
	double *hub, *authority; /* by place, relative to the greatest of the part; then a 0 */
	double hub_log, authority_log; /* the greatest of all */
	/* Of arcs, so far: two an arc and iteration; and those that folding (seeds/hits/fold.h) saved */
	_Atomic uint64_t visits, folded;
};

/* Uses up the rows of the pruned graph: until the end it is not to be read, and afterwards only its
 * ids and how many nodes there are. */
void hits_rank_init(struct hits_rank *r, struct pruned *p, unsigned iterations, unsigned threads);
void hits_rank_release(struct hits_rank *r);

/* Removes a node with its arcs and its scores. Those of others are as they were until
 * hits_rank_update(), which is also owed at the beginning. */
void hits_rank_remove(struct hits_rank *r, uint32_t node);
void hits_rank_update(struct hits_rank *r);

static inline int hits_rank_is_left(const struct hits_rank *r, uint32_t node)
{
	return !r->parts.dead[node];
}

/* The links that are left, and some to nodes that are not, from or to one that is left. */
static inline struct links hits_rank_out(const struct hits_rank *r, uint32_t u)
{
	return kept_out(&r->kept, &r->parts, u);
}

static inline struct links hits_rank_in(const struct hits_rank *r, uint32_t v)
{
	return kept_in(&r->kept, &r->parts, v);
}

uint64_t hits_rank_hub(const struct hits_rank *r, uint32_t u);
uint64_t hits_rank_authority(const struct hits_rank *r, uint32_t v);

/* The node of the greatest authority, of equals the lowest. There must be an arc. */
uint32_t hits_rank_top(const struct hits_rank *r);

#endif
