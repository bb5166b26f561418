/* The pages of an agent of a live crawl, as its exchange asks for them (struct exchange_pages): the store has their URLs, and the
 * network source knows them.
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

#endif
