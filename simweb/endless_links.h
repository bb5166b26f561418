/* The links of a page of the endless web.
 *
 *	struct endless_link link;
 *	endless_links_begin(&links, &web, &host, page, version);
 *	while (endless_links_next(&links, &link))
 *		endless_link_url(&web, &host, page, &link, &out);
 *
 * First come the links to the pages below in the tree of the host, so that every page can be reached. A number that a power law
 * draws (ENDLESS_OUT_EXPONENT) says how many links the page has in all. The others lead to another host, drawn by its rank
 * (ENDLESS_RANK_EXPONENT), or to a page of the same host, drawn in the same way by its number, and some of them lead nowhere or to
 * a redirect. A link may come up twice. */
#ifndef SIMWEB_ENDLESS_LINKS_H
#define SIMWEB_ENDLESS_LINKS_H

#include "base/rng.h"
#include "simweb/endless_host.h"

struct endless_link {
	uint64_t host;
	uint32_t page;
	enum { ENDLESS_PLAIN, ENDLESS_MOVED, ENDLESS_DEAD, ENDLESS_MONTHLY } form; /* DEAD: to no page; MONTHLY: to month `page` */
};

struct endless_links {
	const struct endless *web;
	const struct endless_host *host;
	uint64_t stream; /* of the page's links */
	uint64_t version;
	double span; /* of the ranks of the host's pages */
	uint64_t child, last_child;
	uint32_t left; /* the links that are not of the tree */
	int has_calendar;
};

/* Begins with the links of an HTML page. Another version of the page has as many links, and a share ENDLESS_FRESH of those that
 * are not of the tree is drawn anew. */
void endless_links_begin(struct endless_links *, const struct endless *, const struct endless_host *, uint32_t page,
	uint64_t version);

/* Gives the next link. Returns 1, or 0 at the end. */
int endless_links_next(struct endless_links *, struct endless_link *);

/* Appends the URL of a link as an href of the page, escaped: a path within the host, else a whole URL. */
void endless_link_url(const struct endless *, const struct endless_host *, uint32_t page, const struct endless_link *,
	struct buf *out);

#endif
