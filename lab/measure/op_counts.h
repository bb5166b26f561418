/* Operations that a policy's crawl needed: Section V of the IECA paper, and its Figure 8. They are counted, not
 * timed, and therefore the same in every run. */
#ifndef LAB_MEASURE_OP_COUNTS_H
#define LAB_MEASURE_OP_COUNTS_H

#include "frontier/frontier.h"

#define OP_COUNTS_STEPS 100

struct op_counts {
	/* When i + 1 hundredths of the graph are crawled, for i < steps: */
	uint32_t queued[OP_COUNTS_STEPS]; /* pages queued */
	uint32_t part[OP_COUNTS_STEPS];   /* pages that take part: frontier_work.taking_part */
	uint32_t steps, peak;             /* peak: most pages queued at a step */
	uint64_t batches;                 /* K: whole batches crawled */
	uint64_t links;                   /* E: those of the pages crawled, each once */
	struct frontier_work total;
};

/* Records the next step. Call it before the frontier is told that a page was crawled: that page then counts as
 * taken from the queue, other pages in flight do not. */
void op_counts_step(struct op_counts *w, const struct frontier *f);

/* Records the next step of a crawl by several agents: the sums over their n frontiers. */
void op_counts_step_of_all(struct op_counts *w, const struct frontier *const *f, size_t n);

/* Sets w->total to the sums over n frontiers. */
void op_counts_total(struct op_counts *w, const struct frontier *const *f, size_t n);

/* Returns how many of n pages are crawled at step i. */
uint32_t op_counts_step_at(uint32_t i, uint32_t n);

/* Returns E log2 V, the paper's bound for a policy that moves a page in a heap for each link. */
double op_counts_heap_bound(const struct op_counts *, uint32_t nodes);

/* Returns 50 E (K + 1), the paper's count of links visited by K rankings of 100 sweeps each. */
double op_counts_rank_bound(const struct op_counts *);

/* Returns the bytes that a crawl keeps for each page of the graph: the frontier's, the policy's private ones, and the
 * places of the queue at its peak, as if all pages were on one host. Memory that a growing array holds in reserve
 * is not counted, nor are ids that have left a list (frontier/pile.h). */
double op_counts_bytes_a_page(const struct op_counts *, const struct policy *, uint32_t nodes);

#endif
