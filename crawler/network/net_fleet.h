/* The pages of a network source in a crawl of several agents: which of them are this agent's, and the URLs that the letters of
 * other agents name. This is a part of the network source. Only the coordinator thread calls these functions. */
#ifndef CRAWLER_NET_FLEET_H
#define CRAWLER_NET_FLEET_H

#include "agents/exchange.h"
#include "crawler/network/net_pages.h"

/* The functions that ask the other agents for permission to request a page at an address. The address is none (all bytes 0) if it
 * is not known, or if the request goes through a proxy. */
struct net_permits {
	void *ctx;
	/* Says whether a request may be made at the address now. */
	int (*ask)(void *ctx, const struct net_address *);
	/* Tells that a request which was allowed has ended: it took `took` ms, and host_delay is the host's Crawl-delay in ms, or
	 * -1. */
	void (*asked)(void *ctx, const struct net_address *, int64_t took, int64_t host_delay);
};

/* A request that was allowed. */
struct net_permit {
	uint32_t id;
	struct net_address address;
};

struct net_fleet {
	struct net_permits permits; /* .ask is NULL: no other agent shares an address */
	struct net_permit *given;   /* n_given: of pages in flight */
	size_t n_given, given_room;
	const struct shares *shares; /* NULL: the crawl has one agent */
	unsigned self;
	struct store *store;
	struct net_pages *pages;
	/* private */
	uint16_t *partition; /* of each host, plus 1; 0: not computed yet */
	size_t hosts;
};

/* Frees the memory. */
void net_fleet_release(struct net_fleet *);

/* Returns the partition of a page. */
unsigned net_fleet_partition(struct net_fleet *, uint32_t id);

/* Says whether a page is another agent's. */
int net_fleet_is_remote(struct net_fleet *, uint32_t id);

/* Asks whether page `id` may be requested at an address now. Returns 1, and the page is in flight until net_fleet_asked(); or 0. */
int net_fleet_may_ask(struct net_fleet *, uint32_t id, const struct net_address *);

/* Notes that a page has come back from the fetchers. */
void net_fleet_asked(struct net_fleet *, const struct fetch_page *);

/* NET_FLEET_NOW: the letter came just now, so URLs that are new are judged and get ids. NET_FLEET_BEFORE: the letter is read
 * from the log, and so are the ids and judgements. */
enum net_fleet_time { NET_FLEET_NOW, NET_FLEET_BEFORE };

/* Finds the page of a URL of a letter; the knowledge learns what the letter says of it. Returns 0; ERR_FORMAT if the URL is not
 * canonical, http or https; or an error of the store. */
int net_fleet_find(struct net_fleet *, const struct exchange_url *, enum net_fleet_time, uint32_t *id,
	struct err_note *why) MUST_USE;

#endif
