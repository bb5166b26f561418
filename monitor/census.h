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

/* Pages by state; those in flight count as queued. */
struct census_figures {
	uint32_t queued, crawled, failed, refused, redirected;
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

/* --- an estimate of the share of the hot pages that a crawl has, while the crawl runs. Only the laboratory knows which pages are hot
 * (lab/measure/throughput.h): of the pages that lead to a hot page most are not crawled yet, and some hot pages are not even
 * discovered. The estimate is made of two counts that every crawl has:
 *
 *	share = crawled / (crawled + 1.5 waiting)
 *
 * `waiting` are the pages that are queued or in flight, without the deferred ones, which are likely to be worth little. Each of
 * them stands for one page and a half: for itself, and for half a page that no crawled page links to. All these pages are taken to
 * be as hot as the crawled ones. The two assumptions are wrong in opposite directions: far more pages are undiscovered early in a
 * crawl, and a policy takes the hotter pages first.
 *
 * The share is meant of the hot pages that the crawl can reach within its scope, where as many pages are hot as are crawled
 * ("discoverable throughput"); PageRank mass comes close to it.
 *
 * The factor and the interval are fitted to 24 replays: six web graphs, each from five random seeds, under bfs, opic, ieca and
 * echo. doc/control.md has the errors. What else a crawl knows did not make them smaller, with each graph in turn left out of the
 * fit: the in-links of crawled pages against those of waiting ones, the links of the last pages that lead to crawled pages, and
 * the pages discovered by each page crawled of late. (Links are local: after a tenth of a graph, most of the links of crawled pages
 * lead to crawled pages already.)
 *
 * Source: our own. */

/* Shares from 0 to 1. */
struct hot_share {
	double share;     /* the estimate; NAN before the first page is crawled */
	double low, high; /* the truth was between them at eight of ten points of the replays; NAN with `share` */
};

/* Estimates the share from the counts of a crawl. If no page waits, all three are 1: the crawl has all that it can reach. In a
 * crawl by several agents the estimate is about the pages of one agent. Cost: O(1). */
struct hot_share hot_share_of(const struct frontier_counts *);

#endif
