/* Hub and authority scores of a pruned graph from which nodes are removed now and then.
 *
 * The scores are those of a cold run of hits_run() (graph/hits.h) on what is left, as integer keys:
 * in 1e-9 of the greatest, so that rounding parts no two that are mathematically equal. */
#ifndef SEEDS_HITS_RANK_H
#define SEEDS_HITS_RANK_H

#include "graph/hits.h"
#include "seeds/prune.h"

#define HITS_KEY_MAX UINT64_C(1000000000)

struct hits_rank {
	const struct pruned *pruned; /* borrowed */
	unsigned iterations;
	uint64_t arcs; /* between nodes that are left */
	uint8_t *dead; /* a byte a node */
	struct hits hits;
	double *hub, *authority, hub_max, authority_max;
};

void hits_rank_init(
	struct hits_rank *r, const struct pruned *p, unsigned iterations, unsigned threads);
void hits_rank_release(struct hits_rank *r);

/* Removes a node with its arcs. The scores are as they were until hits_rank_update(). */
void hits_rank_remove(struct hits_rank *r, uint32_t node);
void hits_rank_update(struct hits_rank *r);

uint64_t hits_rank_hub(const struct hits_rank *r, uint32_t u);
uint64_t hits_rank_authority(const struct hits_rank *r, uint32_t v);

/* The node of the greatest authority, of equals the lowest. There must be an arc. */
uint32_t hits_rank_top(const struct hits_rank *r);

#endif
