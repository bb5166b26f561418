/* What a policy had to look at: Section V of the IECA paper, and its Figure 8. The figures are
 * counted, not timed: they are the same from run to run. */
#ifndef LAB_MEASURE_OP_COUNTS_H
#define LAB_MEASURE_OP_COUNTS_H

#include "frontier/frontier.h"

#define OP_COUNTS_STEPS 100

struct op_counts {
	/* When i + 1 hundredths of the graph are crawled, for i < steps: */
	uint32_t queued[OP_COUNTS_STEPS]; /* pages queued */
	uint32_t part[OP_COUNTS_STEPS];   /* pages that take part: frontier_work.taking_part */
	uint32_t steps, peak;        /* peak: most pages queued at a step */
	uint64_t batches;            /* K: whole batches crawled */
	uint64_t links;              /* E: those of the pages crawled, each once */
	struct frontier_work total;
};

/* Notes the next step, before the frontier is told of a page: that counts as taken from the queue,
 * others in flight do not. */
void op_counts_step(struct op_counts *w, const struct frontier *f);

/* Pages crawled at step i of n nodes. */
uint32_t op_counts_step_at(uint32_t i, uint32_t n);

/* E log2 V: what the paper allows a policy that moves a page in a heap for each link. */
double op_counts_heap_bound(const struct op_counts *, uint32_t nodes);

/* 50 E (K + 1): what it says of K rankings with 100 sweeps each; links visited. */
double op_counts_rank_bound(const struct op_counts *);

/* Bytes kept a page of the graph: a page's own, the policy's private ones, and the places of the
 * queue at its peak, as if they were on one host. Memory that a growing array holds in reserve is
 * not counted, nor ids that have left a list (frontier/pile.h). */
double op_counts_bytes_a_page(const struct op_counts *, const struct policy *, uint32_t nodes);

#endif
