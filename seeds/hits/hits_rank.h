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
 * Without normalisation, the scores of one part (seeds/hits/parts.h) depend on that part only, and the vector of
 * the whole graph consists of the parts' vectors, up to one factor. So each part keeps its own vector and the
 * logarithm of its norm, and after a removal only the parts that have lost arcs are run again. A run ends early
 * when an iteration changes no bit, since later iterations would not either. */
#ifndef SEEDS_HITS_HITS_RANK_H
#define SEEDS_HITS_HITS_RANK_H

#include "seeds/hits/kept.h"

#define HITS_KEY_MAX UINT64_C(1000000000)

struct hits_rank {
	struct pruned *pruned; /* borrowed */
	unsigned iterations;   /* >= 1 */
	unsigned threads;      /* >= 1; does not change the result */
	uint64_t arcs;         /* the arcs between nodes that have not been removed */
	struct parts parts;
	struct kept kept;
	double *hub, *authority; /* by place, relative to the greatest score of the part; a 0 follows */
	double hub_log, authority_log; /* the logarithms of the greatest scores of all parts */
	/* The work so far: two visits for each arc and iteration; and the visits that folding has saved. */
	_Atomic uint64_t visits, folded;
};

/* Prepares for a pruned graph. The struct takes the rows of the graph: the caller must not read the graph before
 * hits_rank_release(), and afterwards only its ids and its number of nodes. */
void hits_rank_init(struct hits_rank *r, struct pruned *p, unsigned iterations, unsigned threads);

/* Frees the memory. */
void hits_rank_release(struct hits_rank *r);

/* Removes a node with its arcs. The scores of the other nodes change with the next hits_rank_update(). */
void hits_rank_remove(struct hits_rank *r, uint32_t node);

/* Computes the scores anew, after hits_rank_init() and after removals. */
void hits_rank_update(struct hits_rank *r);

/* Says whether the graph still has a node. */
static inline int hits_rank_has(const struct hits_rank *r, uint32_t node)
{
	return !r->parts.dead[node];
}

/* Returns the links of node u, which has not been removed. Some of them may lead to removed nodes. */
static inline struct links hits_rank_out(const struct hits_rank *r, uint32_t u)
{
	return kept_out(&r->kept, &r->parts, u);
}

/* Returns the links to node v, which has not been removed. Some of them may come from removed nodes. */
static inline struct links hits_rank_in(const struct hits_rank *r, uint32_t v)
{
	return kept_in(&r->kept, &r->parts, v);
}

/* Returns the hub score of a node, 0 to HITS_KEY_MAX. */
uint64_t hits_rank_hub(const struct hits_rank *r, uint32_t u);

/* Returns the authority score of a node, 0 to HITS_KEY_MAX. */
uint64_t hits_rank_authority(const struct hits_rank *r, uint32_t v);

/* Returns the node with the greatest authority score, of equal scores the lowest id. The graph must still have an
 * arc. */
uint32_t hits_rank_top(const struct hits_rank *r);

#endif
