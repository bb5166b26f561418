/* When the batches of a crawl end: the moments at which policies rerank, and by which the learning rates of IECA and FICA decay.
 *
 * Without a fixed batch a batch ends when the crawl has grown: the first after SCHEDULE_FIRST pages, each other one after `growth`
 * times the pages that were crawled when it began, rounded down, and at least one page. So a crawl of any size is reranked from its
 * first pages on, the number of rerankings grows as the logarithm of the pages, and the ends depend on no size that a crawl would
 * have to know beforehand. With a fixed batch, as the papers have it, a batch ends every `batch` pages.
 *
 *	schedule_begin(&view, 0, 0.1);      batches end at 20, 22, 24, 26, 28, 30, 33, 36 ... 1000, 1100, 1210 ... pages
 *	schedule_begin(&view, 250, 0);      batches end at 250, 500, 750 ... pages
 *	schedule_pass(&view, 22);           22 pages are crawled: view.batches is 2, view.batch_began is 22
 *
 * The fields batch, batches, batch_began and growth of struct policy_view are the state of a schedule. */
#ifndef FRONTIER_SCHEDULE_H
#define FRONTIER_SCHEDULE_H

#include "frontier/policy.h"

#define SCHEDULE_FIRST  20  /* pages of the first batch, if the batch is not fixed */
#define SCHEDULE_GROWTH 0.1 /* where a setting of the growth is 0 */

/* Begins the first batch. `batch` is the fixed number of pages of each batch, or 0; then `growth` counts, or SCHEDULE_GROWTH if it
 * is 0, too. */
static inline void schedule_begin(struct policy_view *v, uint64_t batch, double growth)
{
	v->growth = batch ? 0 : growth > 0 ? growth : SCHEDULE_GROWTH;
	v->batch = batch ? batch : SCHEDULE_FIRST;
	v->batches = v->batch_began = 0;
}

/* Ends all batches that are complete when `crawled` pages are crawled. Returns 1 if there was one, and otherwise 0. */
static inline int schedule_pass(struct policy_view *v, uint64_t crawled)
{
	const uint64_t before = v->batches;

	while (crawled >= v->batch_began + v->batch) {
		v->batch_began += v->batch;
		v->batches++;
		if (v->growth > 0)
			v->batch = (uint64_t)fmax(1, floor((double)v->batch_began * v->growth));
	}
	return v->batches > before;
}

/* Returns the number of batches that are complete when `crawled` pages are crawled; `batch` and `growth` as above. */
static inline uint64_t schedule_batches(uint64_t batch, double growth, uint64_t crawled)
{
	struct policy_view v;

	schedule_begin(&v, batch, growth);
	schedule_pass(&v, crawled);
	return v.batches;
}

#endif
