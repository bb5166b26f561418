/* The result of a visit of a crawled page: the page is unchanged, changed, gone or redirected, the visit has failed, or it is to be
 * repeated; and the pages that the visit has discovered. The network source judges a visit, and the recorder
 * (crawler/observers/record.h) writes it into the store:
 *
 *	request.since = net_visits_since(store, id);
 *	... fetch ...
 *	err = net_visits_end(&pages, page, why);     page->result.visit and .links: the pages that are new
 *	err = net_visits_record(store, &page->result, why);
 *
 * A page has changed if its digest differs from that of the last visit, and the answer is not 304. */
#ifndef CRAWLER_NETWORK_NET_VISITS_H
#define CRAWLER_NETWORK_NET_VISITS_H

#include "crawler/network/net_pages.h"
#include "storage/visits.h"

/* Returns the validators for a conditional request of a crawled page; none if it was not there the last time. */
struct validators net_visits_since(struct store *, uint32_t id);

/* Judges a visit, and makes known the pages that it has found, as net_pages_end() does for a page that is not crawled. The links
 * belong to `pages` until the next call. Returns 0 or an error of the store. */
int net_visits_end(struct net_pages *, struct fetch_page *, struct err_note *why) MUST_USE;

/* Makes what a fetched sitemap says of the pages of its own host the claims of its result, which belong to `pages` until the next
 * call; a page behind a redirect is the page that it leads to. */
void net_visits_claims(struct net_pages *, struct fetch_page *);

/* Writes a visit into the store: what the page is now, the change if it has changed, and an entry of the log if it leads to new
 * pages. Returns 0 or an error of the store. */
int net_visits_record(struct store *, const struct result *, struct err_note *why) MUST_USE;

#endif
