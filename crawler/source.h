/* The interface of a source of pages: the network (crawler/network/net_source.h), a graph (lab/replay/graph_source.h), or a
 * virtual web (lab/replay/virtual_source.h). The crawl loop uses only this interface. A source belongs to one crawl; only the
 * coordinator thread calls it. The loop is, without limits and observers:
 *
 *	n = ops->room(s);                                    up to n pages are taken from the frontier:
 *	ops->submit(s, ids, n);
 *	n = ops->reap(s, &events, until, why);               their events, some time later
 *	... observers and frontier ...
 *	ops->release(s); */
#ifndef CRAWLER_SOURCE_H
#define CRAWLER_SOURCE_H

#include "base/err.h"
#include "base/result.h"
#include "frontier/frontier.h"
#include "traps/places.h"

#include <stdint.h>

struct source {
	const struct source_ops *ops;
};

struct source_ops {
	const char *name;
	/* Fills in the functions by which the frontier asks for hosts, links, URLs, scores and anchor texts
	 * (frontier/frontier.h). */
	void (*world)(struct source *, struct frontier_world *);
	/* Returns how many more pages may be submitted now. */
	size_t (*room)(struct source *);
	/* Submits n pages, at most room(). Each of them gets exactly one event. */
	void (*submit)(struct source *, const uint32_t *ids, size_t n);
	/* Waits for events until the time `until` (FRONTIER_NEVER: without a limit). Returns the number of *events, in the
	 * order in which they happened; 0 at that time; or a negative error. The events belong to the source until
	 * release(). The source may keep some events for the next call. The caller has pages in flight, or a limit. */
	int (*reap)(struct source *, const struct result **events, int64_t until, struct err_note *why);
	/* Takes back the events of the last reap() and all memory that they point to. */
	void (*release)(struct source *);
	/* Returns the time of the source's clock in ms, which may be a simulated one. */
	int64_t (*now)(struct source *);
	/* Ends the pages in flight soon: they come as PAGE_QUEUED with OUTCOME_ABORTED. May be NULL. */
	void (*abort)(struct source *);
	/* Hints that these pages may be submitted soon, the first one first. May be NULL. */
	void (*prefetch)(struct source *, const uint32_t *ids, size_t n);
	/* Says whether the source gives no more pages in this sitting. NULL: it always does. */
	int (*is_over)(struct source *);
	/* Returns the number of hosts that have stopped answering, and that the source tries again from time to time. NULL:
	 * hosts always answer. */
	uint64_t (*silent_hosts)(const struct source *);
	/* Frees the source. */
	void (*close)(struct source *);
};

#endif
