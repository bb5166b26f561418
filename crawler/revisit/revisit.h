/* A crawl that visits its pages again: joins a schedule (refresh/schedule.h) to store, frontier and crawl loop. It is the
 * `revisits` of struct crawl.
 *
 *	err = revisit_new(&r, &settings, why);               after resume_from_log()
 *	c.revisits = revisit_hooks(r);
 *	err = crawl_run(&c, why);
 *	revisit_count(r, &counts);
 *
 * Known pages and pages that are not crawled yet compete for the same visits. A page's importance is its PageRank in the links of
 * the store when the sitting began, relative to the mean of the crawled pages. The store has no copy of a page that is not crawled,
 * so the worth of its visit is the greatest worth that a visit of a page with its importance and its host's rate of change can
 * have. The policy of the crawl chooses the best page that is not crawled; it competes with the page that the schedule chooses.
 *
 * This file writes nothing: at each start the schedule is computed from the visits that the store has (storage/visits.h). */
#ifndef CRAWLER_REVISIT_H
#define CRAWLER_REVISIT_H

#include "crawler/crawl.h"
#include "crawler/settings/live_config.h"
#include "refresh/schedule.h"
#include "storage/store.h"

struct revisit;

struct revisit_settings {
	struct store *store; /* these three must outlive the struct revisit */
	struct frontier *frontier;
	struct source *source;
	const struct live_config *config; /* refresh, forever, older_than, visits, visit_order, visit_worth */
};

/* The visits of this sitting. */
struct revisit_counts {
	uint64_t pages; /* that can be visited again */
	uint64_t same, changed, gone, moved, failed;
	uint64_t fresh; /* the pages that visits have found first */
};

/* Reads the history of all crawled pages and computes their importance. Returns 0, ERR_USAGE if the store has no crawled
 * page, or an error of the store. */
int revisit_new(struct revisit **, const struct revisit_settings *, struct err_note *why) MUST_USE;

/* Frees it. NULL is allowed. */
void revisit_free(struct revisit *);

/* Returns the functions by which the crawl loop asks it. */
struct crawl_revisits *revisit_hooks(struct revisit *);

/* Fills in the counts. */
void revisit_count(const struct revisit *, struct revisit_counts *);

#endif
