/* The state of the hosts of a live crawl, as requests show it: the address of each host, and the outages of hosts and
 * addresses (crawler/knowledge/outages.h). This is a part of the network source, which calls for each page:
 *
 *     if (net_hosts_back_off(&h, &page, now, &until)) ...      the page is put back without a request
 *     request.address = net_hosts_grant(&h, page.host);        before it submits the page to the fetchers
 *     net_hosts_judge(&h, fetched);                            when the page is back
 *
 * One thread uses a struct net_hosts. Times are in ms. */
#ifndef CRAWLER_NET_HOSTS_H
#define CRAWLER_NET_HOSTS_H

#include "crawler/knowledge/outages.h"
#include "fetch/fetch.h"
#include "storage/store.h"

struct net_hosts {
	struct store *store;
	struct net_addresses *addresses;
	struct outages *outages;
};

/* Prepares for a store, which must outlive the struct. `give_up_ms` is the argument of outages_new(). */
void net_hosts_init(struct net_hosts *, struct store *, int64_t give_up_ms);

/* Frees the memory. */
void net_hosts_release(struct net_hosts *);

/* Changes `give_up_ms`. Everything known about outages is lost, so the caller does this before the first page. */
void net_hosts_give_up_after(struct net_hosts *, int64_t ms);

/* Notes, in a resume, that the host of page `id` has answered in an earlier sitting, so that it is a known host. */
void net_hosts_remember(struct net_hosts *, uint32_t id);

/* Says whether the address of a page's host backs off at the time `now`. Returns 1 with the end of the back-off in
 * *until, or 0. */
int net_hosts_back_off(struct net_hosts *, const struct store_page *, int64_t now, int64_t *until);

/* Returns the address at which a page of the host may be requested (fetchers_submit()), or none if no address of the host
 * is known yet. */
struct net_address net_hosts_grant(const struct net_hosts *, uint32_t host);

/* Learns from a page that came back from the fetchers whether its host answers. If the page failed because of an outage
 * of its host, its address or the network, the function changes the page: it is queued again (OUTCOME_UNREACHABLE)
 * without a try being counted, and its host backs off. The times of its result are of the clock of
 * net_hosts_back_off(). */
void net_hosts_judge(struct net_hosts *, struct fetch_page *);

#endif
