/* Greedy choice by value (Zheng et al., Algorithm 1): a seed is chosen, the pages within some hops
 * of it are covered and from then on worth nothing, and so on until k seeds are there or nothing is
 * left that has a value. Distances are those of the whole graph: hops lead through covered pages,
 * and covered pages may still be chosen.
 *
 * A page's weight is what the pages within `depth` hops of it are worth now, itself included. It is
 * computed once; when a page loses its value, those within `depth` hops against the arcs lose it
 * from their weights. A page loses it once, so k rounds cost no more than the first computation. */
#ifndef SEEDS_GREEDY_H
#define SEEDS_GREEDY_H

#include "seeds/ball.h"
#include "seeds/best.h"
#include "seeds/method.h"

struct greedy {
	const struct seed_input *in;
	uint32_t hops, depth;
	struct ball cover, back; /* searches along the arcs, and against them */
	int64_t *left;           /* what a page is worth now */
	uint64_t worthy;         /* pages for which that is not 0 */
	/* Pages are chosen within a group: group i is page[begin[i]]..page[begin[i + 1] - 1],
	 * ascending. */
	uint32_t groups, *group; /* of each page */
	uint32_t *begin, *page;
	uint32_t *place;    /* of each page in page[] */
	int64_t *weight;    /* by place */
	int64_t *sum;       /* of a group: what its pages are worth now */
	uint32_t *unchosen; /* pages of a group */
	struct best best_page, best_group;
};

enum greedy_groups { GREEDY_ONE_GROUP, GREEDY_COMPONENTS };

/* Which group the next seed is from, one with unchosen pages; BEST_NONE ends the choice. */
typedef uint32_t greedy_pick(struct greedy *g, void *ctx);

/* Reads the options hops, depth and stop-nonpositive. */
void greedy_init(struct greedy *g, const struct seed_input *in, enum greedy_groups groups);
void greedy_release(struct greedy *g);

/* Up to k seeds, each the page of the greatest weight in its group, of equals the lowest. */
void greedy_run(struct greedy *g, size_t k, greedy_pick *pick, void *ctx, struct seed_output *out);

/* The group worth most, of equals that of the lowest page: a greedy_pick. */
uint32_t greedy_richest(struct greedy *g, void *ctx);

/* Options of maxweight, maxscc and rootscc. */
extern const struct opt greedy_opts[];

#endif
