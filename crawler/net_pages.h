/* From the URLs that a page leads to, to pages: its links, the sitemaps that a robots.txt names, the target of a
 * redirect. A URL that is new gets an id and is judged; what was found becomes known (crawler/knowledge.h), and the
 * event gets the ids.
 *
 *	net_pages_init(&p, &knowledge, store, redirects);
 *	err = net_pages_end(&p, page, &event, why);       event.links[event.n] are the pages that it links to
 *
 * One thread: the coordinator's. */
#ifndef CRAWLER_NET_PAGES_H
#define CRAWLER_NET_PAGES_H

#include "crawler/distinct.h"
#include "crawler/knowledge.h"
#include "crawler/source.h"
#include "fetch/fetch.h"

struct net_pages {
	struct knowledge *knowledge;
	struct store *store;
	unsigned redirects;       /* the most in a row */
	struct distinct distinct; /* the links of a page */
	uint32_t *links;
	uint8_t *kinds;
	size_t links_room, kinds_room;
};

/* Knowledge and store are borrowed until release. */
void net_pages_init(struct net_pages *, struct knowledge *, struct store *, unsigned redirects);
void net_pages_release(struct net_pages *);

/* Gives the page of a URL in *id. One that is new is judged as `found` says, added to the store, and known. */
int net_pages_meet(struct net_pages *, const struct url *, const struct found *, uint32_t *id,
	struct err_note *why) MUST_USE;

/* Makes known what became of a page, and fills in what the event has of it: links and kinds, valid until the
 * next call; the target of a redirect, which fails if it leads in a circle or is one too many; what the page has freed of
 * the traps. */
int net_pages_end(struct net_pages *, const struct fetch_page *, struct event *,
	struct err_note *why) MUST_USE;

#endif
