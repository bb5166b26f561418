/* The network as a source of pages: fetchers in front, the store's ids behind. The coordinator
 * finds or makes the id of each link, judges what is new against the scope, and resolves aliases;
 * what is a duplicate then is dropped. */
#ifndef CRAWLER_NET_SOURCE_H
#define CRAWLER_NET_SOURCE_H

#include "crawler/fetch.h"
#include "crawler/scope.h"
#include "storage/store.h"

/* All must outlive the source; the store is the writer's. Free with ops->close. Time is ms since
 * 1970 by the monotonic clock from the start. */
int net_source_new(struct source **, const struct fetch_settings *, struct scope *, struct store *,
	struct err_note *why) MUST_USE;

/* The id of a seed, added at depth 0 where it is new. It is in scope by definition. */
int net_source_seed(struct source *, const struct url *, uint32_t *id, struct err_note *why)
	MUST_USE;

#endif
