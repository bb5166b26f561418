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

#endif
