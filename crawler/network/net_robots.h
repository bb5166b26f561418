/* Keeps the robots.txt of each origin in the store, so that a later sitting need not fetch it again while it is valid.
 * This is a part of the network source, which calls for each page:
 *
 *     net_robots_tell(&r, &page);                before it submits the page to the fetchers
 *     net_robots_keep(&r, fetched, why);         when the page is back
 */
#ifndef CRAWLER_NET_ROBOTS_H
#define CRAWLER_NET_ROBOTS_H

#include "fetch/fetch.h"
#include "storage/store.h"

struct net_robots {
	struct store *store;
	struct fetchers *fetchers; /* NULL: the crawl ignores robots.txt, and both functions do nothing */
	uint8_t *told;             /* for each host and scheme: the fetchers have been told its robots.txt */
	size_t n, room;
	struct url url;    /* scratch memory */
	struct buf origin; /* scratch memory */
};

/* Prepares for a store and its fetchers, which may be NULL. Both must outlive the struct. */
void net_robots_init(struct net_robots *, struct store *, struct fetchers *);

/* Frees the memory. */
void net_robots_release(struct net_robots *);

/* Hands the robots.txt that the store has for the origin of a page to the fetchers, the first time in this sitting. */
void net_robots_tell(struct net_robots *, const struct store_page *page);

/* Writes the robots.txt that a fetched page brought (see struct fetch_page) into the store, if it brought one. Returns 0
 * or an error of the store. */
int net_robots_keep(struct net_robots *, const struct fetch_page *page, struct err_note *why) MUST_USE;

#endif
