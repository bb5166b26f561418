/* A crawl beside another one, which asks the same hosts at other times: that of pages, and that of their requisites
 * (crawler/live/live_requisites.h). */
#ifndef CRAWLER_NET_BESIDE_H
#define CRAWLER_NET_BESIDE_H

#include "crawler/knowledge/knowledge.h"
#include "storage/store.h"

/* The other crawl; rests_until is NULL if there is none. */
struct net_beside {
	void *ctx;
	/* Says whether that crawl has crawled a page, which is then refused here with OUTCOME_IS_PAGE. NULL: it does not matter. */
	int (*has_crawled)(void *ctx, const char *url, size_t n);
	/* Returns the time from which that crawl may ask a host, in ms of the source's clock; 0: it does not know the host. */
	int64_t (*rests_until)(void *ctx, const char *host, size_t n);
};

/* Judges a page whose turn has come, unless *turn has an outcome already. The page is refused if the other crawl has crawled it,
 * and put back until *pause if its host rests after a request of the other crawl; else nothing is changed. */
void net_beside_judge(const struct net_beside *, struct store *, const struct store_page *, int64_t now, struct taken_verdict *turn,
	int64_t *pause);

#endif
