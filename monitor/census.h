/* Counts the pages of a crawl by depth and by host. Each step looks at some thousand pages only, so that a count of a hundred
 * million pages does not delay the crawl loop. A pass looks at every page once; its counts are shown when it is complete, and pages
 * that change during a pass are counted as they were when the pass came to them.
 *
 *	struct census *c = census_new(frontier, knowledge);
 *	census_step(c, clock_ms());                    again and again, as long as somebody reads the counts
 *	const struct census_figures *hosts = census_hosts(c, &n);
 *
 * Memory: 40 bytes a host, from the first step on. Only the coordinator thread calls these functions. */
#ifndef MONITOR_CENSUS_H
#define MONITOR_CENSUS_H

#include "crawler/knowledge/knowledge.h"
#include "frontier/frontier.h"

/* Pages by state: queued (those in flight, too), crawled, failed, refused, redirected. */
#define CENSUS_STATES 5
struct census_figures {
	uint32_t pages[CENSUS_STATES];
};

/* Pages that are deeper than the last depth count there. */
#define CENSUS_DEPTHS 64

struct census;

/* Makes a census; frontier and knowledge must outlive it. The caller frees it with census_free(). */
struct census *census_new(const struct frontier *, const struct knowledge *);

/* Frees a census. NULL is allowed. */
void census_free(struct census *);

/* Goes on counting: looks at some thousand pages, or at none if the last pass is recent: passes begin at least 2 s apart,
 * and take at most a hundredth of the time. `now` is in ms of clock_ms(). */
void census_step(struct census *, int64_t now);

/* Counts to the end of a pass at once. */
void census_complete(struct census *, int64_t now);

/* Returns the end of the last complete pass, in ms of clock_ms(); 0: there is none. */
int64_t census_time(const struct census *);

/* Returns the figures of hosts 0 to *n - 1 by the last complete pass, valid until the next step. */
const struct census_figures *census_hosts(const struct census *, uint32_t *n);

/* Returns the figures of the CENSUS_DEPTHS depths by the last complete pass, valid until the next step. */
const struct census_figures *census_depths(const struct census *);

/* --- an estimate of the share of the hot pages that a crawl has, while the crawl runs. Only the laboratory knows which pages are
 * hot (lab/measure/throughput.h): of the pages that lead to a hot page most are not crawled yet, and some hot pages are not even
 * discovered. The estimate is made of two counts that every crawl has:
 *
 *	share / (1 - share) = factor crawled / waiting
 *
 * `waiting` are the pages that are queued or in flight. The factor is greater for a policy that ranks pages by a model of what they
 * will bring (echo, scout), since such a policy takes the hotter pages first. Pages that are put off, deferred or skipped, are
 * likely to be worth little: in the estimate, ten of them count as one page that waits; in its lower bound, each of them does. So a
 * crawl that has put pages off is never said to have all.
 *
 * The share is meant of the hot pages that the crawl can reach within its scope, where as many pages are hot as are crawled
 * ("discoverable throughput"); PageRank mass comes close to it.
 *
 * The factors are the 10th, 50th and 90th percentile over replays of 28 graphs under five policies (build-aux/hot-share.sh). With
 * each graph in turn left out of them, the interval holds the truth at 77% of the readings of 25 real graphs. The number of pages
 * crawled, and a slope of the logarithms other than 1, did not make the interval narrower.
 *
 * Source: our own. */

/* Shares from 0 to 1. */
struct hot_share {
	double share;     /* the estimate; NAN before the first page is crawled */
	double low, high; /* the truth was between them at eight of ten readings; NAN with `share` */
};

/* Estimates the share from the counts of a crawl under the policy of this name, and the number of pages that are skipped as parts
 * of traps. If no page waits or is put off, all three are 1: the crawl has all that it can reach. In a crawl by several agents the
 * estimate is about the pages of one agent. Cost: O(1). */
struct hot_share hot_share_of(const struct frontier_counts *, uint64_t skipped, const char *policy);

#endif
