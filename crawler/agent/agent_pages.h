/* What an agent of a live crawl answers: to its exchange, which asks for pages (struct exchange_pages), and to its network source,
 * which asks for turns at addresses. The store has the URLs of the pages, and the network source knows them.
 *
 *	struct agent_pages pages = {.store = store, .source = source, .time = NET_FLEET_BEFORE};
 *	const struct exchange_pages asked = agent_pages_for_exchange(&pages);
 *	... exchange_take() ..., store_log(LOG_HEARD)
 *	err = agent_pages_queue_sitemaps(&pages, frontier, why);
 *	agent_pages_release(&pages);
 *
 * The coordinator thread calls these functions. */
#ifndef CRAWLER_AGENT_PAGES_H
#define CRAWLER_AGENT_PAGES_H

#include "agents/exchange.h"
#include "crawler/network/net_fleet.h"
#include "crawler/source.h"
#include "storage/store.h"
#include "agents/member.h"

struct agent_pages {
	struct store *store;
	struct source *source;
	enum net_fleet_time time; /* NET_FLEET_BEFORE during a resume */
	uint32_t *sitemap;        /* n_sitemaps: of the letters that were taken, not queued yet */
	size_t n_sitemaps, room;
};

/* Returns the functions for an exchange. The pages must outlive it. */
struct exchange_pages agent_pages_for_exchange(struct agent_pages *);

/* Queues the sitemaps that letters have named, each with an entry LOG_SITEMAP, as those that a robots.txt of the own sites names. A
 * resume reads these entries back. Returns 0 or an error of the store. */
int agent_pages_queue_sitemaps(struct agent_pages *, struct frontier *, struct err_note *why) MUST_USE;

/* Frees the memory. */
void agent_pages_release(struct agent_pages *);

/* --- the turns of an agent at addresses that hosts of several agents share, as a network source asks for them (struct
 * net_permits). A turn is asked of the member, and ends with the longest rest that the frontier of another agent could keep after
 * the request.
 *
 *	struct agent_turns turns = {.member = member, .delay = 1000, .factor = 2};
 *	const struct net_permits permits = agent_turns_permits(&turns); */

struct agent_turns {
	struct member *member; /* NULL: the crawl is only looked at, and asks no address */
	int is_shared;         /* 0: the agent is alone, and needs no turn */
	int64_t delay;         /* how long an address rests after a request: see struct frontier_settings */
	double factor;
};

/* Returns for how long an address rests, in ms, behind a request that took so many ms. `host_delay` is what its site asks for, or
 * less than 0. */
int64_t agent_turns_rest(const struct agent_turns *, int64_t took, int64_t host_delay);

/* Returns the functions for a network source. The turns must outlive the source. */
struct net_permits agent_turns_permits(struct agent_turns *);

#endif
