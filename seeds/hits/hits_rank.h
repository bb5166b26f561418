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
 * when an iteration changes no bit, since later iterations would not either. */
#ifndef SEEDS_HITS_HITS_RANK_H
#define SEEDS_HITS_HITS_RANK_H

#include "seeds/hits/degree_one.h"

/* The resident component: the largest component stays reduced (seeds/hits/degree_one.h) from one removal to the next.
 *
 * The rows of this component exist only once. They move from the pruned graph into the reduction, where their targets are
 * places and the leaves of a row are neighbours; resident_out() and resident_in() read the links of a node there. The rows
 * move back when the component is to be split. */

/* The caller zeroes the struct and sets `component` to BICOVER_NONE before; it is released once. */
struct resident {
	struct degree_one reduced;
	uint32_t component; /* the resident component; BICOVER_NONE: there is none, and all rows are in the pruned graph */
};

/* Makes a component resident. `pruned` is the graph of p. Vectors by the component's places become invalid. Beside the reduction,
 * the function needs memory for the rows of one direction only. */
void resident_take(struct resident *k, struct bicover *p, struct pruned *pruned, uint32_t component);

/* Moves the rows back into the pruned graph, without the nodes that have been removed. Vectors by place stay valid. */
void resident_give_back(struct resident *k, const struct bicover *p, struct pruned *pruned);

/* Frees the memory. */
void resident_release(struct resident *k);

/* Removes a node of the resident component. The caller calls this before bicover_remove(). */
void resident_remove(struct resident *k, const struct bicover *p, uint32_t node);

/* An iterator over the links of a node, in no particular order. */
struct links {
	const uint32_t *at, *end;
	const uint32_t *name; /* name[at[i]] is the node; NULL: at[i] is the node */
	const uint32_t *leaf, *leaf_end;
};

/* Returns the links of node u, which has not been removed; some may lead to removed nodes. */
struct links resident_out(const struct resident *k, const struct bicover *p, uint32_t u);

/* Returns the links to node v, which has not been removed; some may come from removed nodes. */
struct links resident_in(const struct resident *k, const struct bicover *p, uint32_t v);

/* Gives the next node. Returns 1 with *v, or 0 at the end. */
static inline int links_next(struct links *l, uint32_t *v)
{
	if (l->at < l->end) {
		*v = l->name ? l->name[*l->at] : *l->at;
		l->at++;
		return 1;
	}
	if (l->leaf == l->leaf_end)
		return 0;
	*v = *l->leaf++;
	return 1;
}

#define HITS_KEY_MAX UINT64_C(1000000000)

struct hits_rank {
	struct pruned *pruned; /* borrowed */
	unsigned iterations;   /* >= 1 */
	unsigned threads;      /* >= 1; does not change the result */
	uint64_t arcs;         /* the arcs between nodes that have not been removed */
	struct bicover bicover;
	struct resident resident;
	double *hub, *authority;       /* by place, relative to the greatest score of the component; a 0 follows */
	double hub_log, authority_log; /* the logarithms of the greatest scores of all components */
	/* The work so far: two visits for each arc and iteration; and the visits that degree-one reductions have saved. */
	_Atomic uint64_t visits, saved;
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
	return !r->bicover.dead[node];
}

/* Returns the links of node u, which has not been removed. Some of them may lead to removed nodes. */
static inline struct links hits_rank_out(const struct hits_rank *r, uint32_t u)
{
	return resident_out(&r->resident, &r->bicover, u);
}

/* Returns the links to node v, which has not been removed. Some of them may come from removed nodes. */
static inline struct links hits_rank_in(const struct hits_rank *r, uint32_t v)
{
	return resident_in(&r->resident, &r->bicover, v);
}

/* Returns the hub score of a node, 0 to HITS_KEY_MAX. */
uint64_t hits_rank_hub(const struct hits_rank *r, uint32_t u);

/* Returns the authority score of a node, 0 to HITS_KEY_MAX. */
uint64_t hits_rank_authority(const struct hits_rank *r, uint32_t v);

/* Returns the node with the greatest authority score, of equal scores the lowest id. The graph must still have an
 * arc. */
uint32_t hits_rank_top(const struct hits_rank *r);

#endif
