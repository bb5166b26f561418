/* How well predictions order pages: a running count over pairs of pages that were crawled lately. A prediction may have the smaller
 * error and the worse order, if it is near for many pages and wrong for the few that matter.
 *
 * A new page is compared with each of the JUDGED_RECENT pages before it. A pair counts for a prediction that has the page of the
 * higher score before the other, and against one that has it behind, by the difference of the scores. Older counts weigh less by
 * 0.99 a page.
 *
 *	judged_order_add(&j, score, (double[]){one, another});
 *	if (j.order[0] > j.order[1]) ...                      the first prediction has the better order */
#ifndef POLICIES_JUDGED_ORDER_H
#define POLICIES_JUDGED_ORDER_H

#include <stdint.h>

#define JUDGED_RECENT      64
#define JUDGED_PREDICTIONS 2

/* All zeros: no page. */
struct judged_order {
	double order[JUDGED_PREDICTIONS]; /* the counts */
	uint64_t pages;
	struct {
		double score, prediction[JUDGED_PREDICTIONS];
	} recent[JUDGED_RECENT]; /* page i at i % JUDGED_RECENT */
};

/* Adds a page with its score and what was predicted of it. Predictions that differ by at most 1e-6 have no order. */
void judged_order_add(struct judged_order *, double score, const double prediction[JUDGED_PREDICTIONS]);

#endif
