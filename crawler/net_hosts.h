/* The hosts of a crawl as its requests find them: at which address each is, and which of them, or of the addresses, do
 * not answer (crawler/outages.h). A part of the network source.
 *
 *     before a page is submitted  net_hosts_back_off()    1: it goes back, and is not asked for
 *                                 net_hosts_grant()   the address where it may be asked for
 *     when a page is back         net_hosts_judge()   what it tells of its host; a page of a silent one is not at fault
 */
#ifndef CRAWLER_NET_HOSTS_H
#define CRAWLER_NET_HOSTS_H

#include "crawler/outages.h"
#include "fetch/fetch.h"
#include "storage/store.h"

struct net_hosts {
	struct store *store;
	struct net_addresses *addresses;
	struct outages *outages;
};

/* The store must outlive it; `give_up_ms` is outages_new()'s. */
void net_hosts_init(struct net_hosts *, struct store *, int64_t give_up_ms);
void net_hosts_release(struct net_hosts *);

/* Changes how long silence is borne with, before anything was told. */
void net_hosts_give_up_after(struct net_hosts *, int64_t ms);

/* Tells that the host of a page has answered in an earlier sitting. */
void net_hosts_remember(struct net_hosts *, uint32_t id);

/* Whether the host of a page is at an address that backs off at `now`: 1 and until when, or 0. */
int net_hosts_back_off(struct net_hosts *, const struct store_page *, int64_t now, int64_t *until);

/* The address where a host may be asked; none where it is not known. */
struct net_address net_hosts_grant(const struct net_hosts *, uint32_t host);

/* Learns from a page that came back whether its host answers. A page that came to nothing since its host, its address
 * or the network is silent is changed: it goes back to the queue (OUTCOME_UNREACHABLE) without a try, and its host
 * backs off. Times of the page and of net_hosts_back_off() differ by `offset`. */
void net_hosts_judge(struct net_hosts *, struct fetch_page *, int64_t offset);

#endif
