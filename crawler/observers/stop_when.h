/* Ends a crawl when its next pages are expected to bring little (--stop-when).
 *
 * A page is hot if it is among the k pages of highest PageRank, where k pages are crawled (lab/measure/throughput.h); the mass of
 * pages is the sum of their PageRank. A crawl cannot know the PageRank in the whole web, so the estimate takes all values from the
 * links of the pages crawled so far, to pages that are crawled, queued or in flight:
 *
 *	gain = mass of the next 1,000 pages of the queue / mass of the k best pages
 *
 * The crawl has enough when two looks in a row, at least 1,000 pages and a twentieth of the crawled pages apart, find a gain below
 * the bound: a single look depends on which 1,000 pages happen to be next. Deviation from the truth: links that are still to be
 * found lead to queued pages as well as to others, so the estimate is high early in a crawl; a queued page has had less time to get
 * links than a crawled one, so it is low late. doc/stop_when.md has the errors on two web graphs. Source: our own; the ranking is
 * that of Batch-PageRank (Cho, Garcia-Molina and Page 1998).
 *
 *	stop_when_init(&s, 0.001, store, frontier);
 *	observers[n++] = stop_when_observer(&s);
 *	crawl.enough = &s.enough;                            the crawl ends as CRAWL_ENOUGH */
#ifndef CRAWLER_STOP_WHEN_H
#define CRAWLER_STOP_WHEN_H

#include "crawler/crawl.h"
#include "storage/store.h"

#define STOP_WHEN_PAGES 1000 /* of which the gain is estimated, and at least between two looks */
#define STOP_WHEN_SHARE 20   /* crawled pages by pages between two looks */
struct stop_when {
	double bound;
	struct store *store;
	struct frontier *frontier;
	uint64_t crawled, next_look; /* pages */
	double gain;                 /* of the last look; NAN before the first */
	int is_low;                  /* 1: the last look found less than the bound */
	int enough;                  /* result */
};

/* Prepares for a crawl, which may have crawled pages already. Store and frontier must outlive the struct. */
void stop_when_init(struct stop_when *, double bound, struct store *, struct frontier *);

/* Returns the observer, which looks after enough pages. */
struct observer stop_when_observer(struct stop_when *);

/* Returns the PageRank of all pages by id, by the links of the pages that are crawled so far (graph/kernels/pagerank.h, damping
 * 0.85), whose sum is 1; the caller frees it with free(). Pages that are not crawled have no links. Memory meanwhile: about 30
 * bytes for each page, and 8 for each link. Time: some tens of passes over all links. */
double *store_pagerank(struct store *);

#endif
