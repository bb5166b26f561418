/* The end of a page's flight, as the frontier learns it. A live crawl lands the event of its source, and a resume the event
 * that recorder_event_of() has read from the log, so that both leave the same frontier.
 *
 *	while ((n = ops->reap(s, &events, until, why)) > 0)
 *		for (int i = 0; !err && i < n; i++)
 *			err = tell_frontier(f, &events[i]); */
#ifndef CRAWLER_TELL_FRONTIER_H
#define CRAWLER_TELL_FRONTIER_H

#include "crawler/source.h"

/* Ends the flight of the event's page in the frontier: tells it the page's state, what was learnt of the host, and
 * whether the host was asked. Then it queues the sitemaps of the event as seeds. If a trap detector trusts a place again
 * because of this page (traps/places.h), the pages that it had deferred there lose their place behind all others in the
 * queue (frontier_promote()), and the pages that it had skipped there are queued. The page must be in flight. Returns 0,
 * or the error of a policy's rerank, which ends the crawl. */
int tell_frontier(struct frontier *, const struct result *) MUST_USE;

#endif
