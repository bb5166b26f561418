/* What the store keeps of robots.txt, for the fetchers of a later sitting: a part of the network source.
 *
 *     before a page is submitted  net_robots_tell()   once an origin and sitting
 *     when a page is back         net_robots_keep()   where it brings a robots.txt that came
 */
#ifndef CRAWLER_NET_ROBOTS_H
#define CRAWLER_NET_ROBOTS_H

#include "fetch/fetch.h"
#include "storage/store.h"

struct net_robots {
	struct store *store;
	struct fetchers *fetchers; /* NULL: robots.txt is not asked for, and none is kept */
	uint8_t *told;             /* by host and scheme: what is kept was told */
	size_t n, room;
	struct url url;    /* scratch */
	struct buf origin; /* likewise */
};

/* Both must outlive it; `fetchers` may be NULL. */
void net_robots_init(struct net_robots *, struct store *, struct fetchers *);
void net_robots_release(struct net_robots *);

/* Tells the fetchers what is kept of the origin of a page. */
void net_robots_tell(struct net_robots *, const struct store_page *page);

/* Keeps the robots.txt that came with a page, if one did. An error is the store's. */
int net_robots_keep(
	struct net_robots *, const struct fetch_page *page, struct err_note *why) MUST_USE;

#endif
