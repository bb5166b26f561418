/* The network as a source of pages: fetchers in front, the store's ids behind. The coordinator finds or makes the id of
 * each link, judges what is new, resolves aliases, and drops the links that are duplicates then. What it knows of pages
 * is crawler/knowledge.h's. */
#ifndef CRAWLER_NET_SOURCE_H
#define CRAWLER_NET_SOURCE_H

#include "crawler/knowledge.h"
#include "crawler/source.h"
#include "fetch/fetch.h"

/* A redirect has as target the page at the end of what is known of its chain; one that leads in a
 * circle, or is the eleventh in a row, has failed with OUTCOME_REDIRECTS.
 *
 * All must outlive the source; the store is the writer's. Free with ops->close. Time is ms since
 * 1970 by the monotonic clock from the start. */
int net_source_new(struct source **, const struct fetch_settings *, struct scope *, struct store *,
	struct err_note *why) MUST_USE;

/* A host that has answered, and the network, are given up when they were silent for so long
 * (crawler/outages.h); OUTAGE_GIVE_UP_MS unless told. To be told before the crawl comes back or begins. */
void net_source_give_up_after(struct source *, int64_t ms);

/* Pages that `previous`, an earlier crawl's store open for reading, has as crawled are asked for only
 * if they have changed since; one that has not comes as CRAWLED with the status 304, and with the
 * links, digest and validators that it had there. It must outlive the source. */
void net_source_compare(struct source *, struct store *previous);

/* The page of a URL that the user names, added at depth 0 where it is new. Nothing is asked for before it is a
 * seed:
 *
 *	err = net_source_find(source, &url, &id, why);
 *	if (!err && !net_source_is_seed(source, id))
 *		err = net_source_seed(source, id, why);
 *	frontier_seed(frontier, &id, 1); */
int net_source_find(
	struct source *, const struct url *, uint32_t *id, struct err_note *why) MUST_USE;

/* Whether a page is at depth 0 and in scope, as seeds are. */
int net_source_is_seed(const struct source *, uint32_t id);

/* Makes a page a seed, in the log, too: from now on it is in scope, and its host with it. */
int net_source_seed(struct source *, uint32_t id, struct err_note *why) MUST_USE;

/* What the source knows of its pages: for those who come back from a log, or judge pages anew. The source's. */
struct knowledge *net_source_knowledge(struct source *);

#endif
