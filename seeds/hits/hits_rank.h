/* Hub and authority scores of a pruned graph from which nodes are removed from time to time. The other files of
 * seeds/hits/ serve this one.
 *
 *	hits_rank_init(&r, &pruned, 50, threads);
 *	hits_rank_update(&r);
 *	while (r.arcs) {
 *		node = hits_rank_top(&r);
 *		...
 *		hits_rank_remove(&r, node);
 *		hits_rank_update(&r);
 *	}
 *
 * The scores are those of a new run of HITS (graph/kernels/hits.h: a fixed number of iterations from vectors of
 * ones) on the nodes that have not been removed. They are integer keys, in 1e-9 of the greatest score, so that
 * rounding does not separate scores that are mathematically equal.
 *
 * Without normalisation, the scores of one component (seeds/hits/bicover.h) depend on that component only, and the vector of
 * the whole graph consists of the components' vectors, up to one factor. So each component keeps its own vector and the
 * logarithm of its norm, and after a removal only the components that have lost arcs are run again. A run ends early
 * when an iteration changes no bit, since later iterations would not either. The largest component stays reduced
 * (seeds/hits/degree_one.h) from one removal to the next, until it is split. */
#ifndef SEEDS_HITS_HITS_RANK_H
#define SEEDS_HITS_HITS_RANK_H

#include "seeds/hits/degree_one.h"

#define HITS_KEY_MAX UINT64_C(1000000000)

struct hits_rank {
	const struct pruned *pruned; /* borrowed */
	unsigned iterations;         /* >= 1 */
	unsigned threads;            /* >= 1; does not change the result */
	uint64_t arcs;               /* the arcs between nodes that have not been removed */
	struct bicover bicover;
	struct degree_one kept;  /* the reduction of the component that stays reduced */
	uint32_t kept_component; /* BICOVER_NONE: there is none */
	double *score[2];        /* of a side, by place, relative to the greatest score of the component; a 0 follows */
	double log[2];           /* the logarithms of the greatest scores of all components */
	/* The work so far: two visits for each arc and iteration; and the visits that degree-one reductions have saved. */
	_Atomic uint64_t visits, saved;
};

/* Prepares for a pruned graph. */
void hits_rank_init(struct hits_rank *r, const struct pruned *p, unsigned iterations, unsigned threads);

/* Frees the memory. */
void hits_rank_release(struct hits_rank *r);

/* Removes a node with its arcs. The scores of the other nodes change with the next hits_rank_update(). */
void hits_rank_remove(struct hits_rank *r, uint32_t node);

/* Computes the scores anew, after hits_rank_init() and after removals. */
void hits_rank_update(struct hits_rank *r);

/* Says whether the graph still has a node. */
static inline int hits_rank_has(const struct hits_rank *r, uint32_t node)
{
	return !r->bicover.dead[node];
}

/* Returns the score of a node, 0 to HITS_KEY_MAX. */
uint64_t hits_rank_key(const struct hits_rank *r, enum side side, uint32_t node);

/* Returns the node with the greatest authority score, of equal scores the lowest id. The graph must still have an
 * arc. */
uint32_t hits_rank_top(const struct hits_rank *r);

#endif
