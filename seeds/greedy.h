/* Greedy choice of seeds by value (Zheng et al., Algorithm 1). Each round chooses one seed; the pages within
 * `hops` links of it are covered, and a covered page has no value any more. The choice ends with k seeds, or when
 * no page has a value. Distances are those in the whole graph: paths may lead through covered pages, and a covered
 * page may become a seed.
 *
 * The weight of a page is the sum of the values that the pages in its ball of radius `depth` (seeds/ball.h) have
 * now. All weights are computed once. When a page is covered, its value is subtracted from the weights of all
 * pages whose ball contains it. Each page is covered once, so all rounds together cost no more than the first
 * computation. */
#ifndef SEEDS_GREEDY_H
#define SEEDS_GREEDY_H

#include "seeds/ball.h"
#include "seeds/best.h"
#include "seeds/method.h"

struct greedy {
	const struct seed_input *in;
	uint32_t hops, depth;
	struct ball cover, back; /* searches along the arcs, and against them */
	int64_t *worth;          /* the value that each page has now */
	uint64_t worthy;         /* the number of pages with a value other than 0 */
	/* Each page belongs to a group; the pages of group i are page[begin[i]]..page[begin[i + 1] - 1],
	 * ascending. */
	uint32_t groups, *group; /* the number of groups, and the group of each page */
	uint32_t *begin, *page;
	uint32_t *place;    /* the index of each page in page[] */
	int64_t *weight;    /* by place */
	int64_t *sum;       /* for each group, the sum of its pages' values now */
	uint32_t *unchosen; /* for each group, the number of its pages that are no seeds */
	struct best best_page, best_group;
};

/* Whether all pages form one group, or each strongly connected component does. */
enum greedy_groups { GREEDY_ONE_GROUP, GREEDY_COMPONENTS };

/* Returns the group from which the next seed is chosen and which must have unchosen pages, or BEST_NONE to end the
 * choice. */
typedef uint32_t greedy_pick(struct greedy *g, void *ctx);

/* Reads the options hops, depth and stop-nonpositive, and computes the weights. `in` must outlive the struct. */
void greedy_init(struct greedy *g, const struct seed_input *in, enum greedy_groups groups);

/* Frees the memory. */
void greedy_release(struct greedy *g);

/* Chooses up to k seeds into `out`: each is the page with the greatest weight in the group that pick(g, ctx)
 * returns; of equal weights the lowest id wins. */
void greedy_run(struct greedy *g, size_t k, greedy_pick *pick, void *ctx, struct seed_output *out);

/* A greedy_pick: returns the group whose pages have the greatest sum of values; of equal sums the group with the
 * lowest page wins. */
uint32_t greedy_richest(struct greedy *g, void *ctx);

/* What the methods maxweight, maxscc and rootscc have in common. */
extern const struct opt greedy_opts[];
#define GREEDY_METHOD \
	.nothing = "no page is worth anything, or no seed would gain", .opts = greedy_opts, .values = SEEDS_USE_VALUES, \
	.ways = SEEDS_BOTH_WAYS

#endif
