/* The network as a source of pages: fetchers in front, the store's ids behind. The coordinator
 * finds or makes the id of each link, judges what is new against the scope, and resolves aliases;
 * what is a duplicate then is dropped. */
#ifndef CRAWLER_NET_SOURCE_H
#define CRAWLER_NET_SOURCE_H

#include "crawler/source.h"
#include "fetch/fetch.h"
#include "scope/scope.h"
#include "storage/store.h"

/* A redirect has as target the page at the end of what is known of its chain; one that leads in a
 * circle, or is the eleventh in a row, has failed with OUTCOME_REDIRECTS.
 *
 * All must outlive the source; the store is the writer's. Free with ops->close. Time is ms since
 * 1970 by the monotonic clock from the start. */
int net_source_new(struct source **, const struct fetch_settings *, struct scope *, struct store *,
	struct err_note *why) MUST_USE;

/* Pages that `previous`, an earlier crawl's store open for reading, has as crawled are asked for only
 * if they have changed since; one that has not comes as CRAWLED with the status 304, and with the
 * links, digest and validators that it had there. It must outlive the source. */
void net_source_compare(struct source *, struct store *previous);

/* The id of a seed, added at depth 0 where it is new; the scope is told. It is in scope by
 * definition, also where a link to it was refused before. */
int net_source_seed(
	struct source *, const struct url *, uint32_t *id, struct err_note *why) MUST_USE;

/* Coming back from a log: what happened, entry by entry, each before the frontier is told of it;
 * links[n] are those of a page crawled. So the source knows again what it knew when the next one
 * happened: aliases, depths, what scope refuses, tries. The scope is to be told of the seeds
 * before. ERR_DAMAGED where the entry cannot be. */
int net_source_recall(struct source *, const struct log_entry *, const uint32_t *links, size_t n,
	struct err_note *why) MUST_USE;

/* The scope was changed since the page was judged: judges one that is queued, or was refused by
 * scope, anew. 1 and *verdict where that has changed: OUTCOME_NONE lets a page in, another keeps it out; else 0. */
int net_source_judge(struct source *, uint32_t id, enum page_state, enum outcome *verdict);

#endif
