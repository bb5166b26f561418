/* The pages of the fake web and where each stands: nodes of a graph under the URLs, hosts or
 * numbers they have, or stored pages under their URLs. */
#ifndef SIMWEB_SITE_H
#define SIMWEB_SITE_H

#include "base/buf.h"
#include "graph/graph.h"
#include "graph/formats/names.h"
#include "simweb/address.h"
#include "simweb/stored.h"

/* Either `g`, with or without names, or `stored`; borrowed. Immutable once initialised, so threads
 * may share it. */
struct site {
	const struct graph *g;
	const struct names *names;
	const struct stored *stored;
	const char *default_host; /* of nodes without a host */
	uint32_t pages;
	struct address_table table; /* of the pages with URLs */
};

/* Fills table and pages from what the caller has set; the caller releases the table. */
void site_init(struct site *);
void site_release(struct site *);

/* The page at an address into *page: 1, or 0 where there is none. A node without a URL is at
 * http://HOST/LABEL; where its host is the default one, also at 127.0.0.1 and localhost, and where
 * the address names no host. */
int site_find(const struct site *, const struct address *, uint32_t *page);

/* The page with this number in decimal (n bytes), if the address is on its host: 1 or 0. The number
 * of a node is its label, that of a stored page its place in the index. */
int site_find_number(
	const struct site *, const struct address *, const char *digits, size_t n, uint32_t *page);

/* The URL that was given for a page, or NULL where it stands under its number. */
const char *site_given_url(const struct site *, uint32_t page);

/* The host of a page without a given URL: the site's. */
const char *site_host(const struct site *, uint32_t page);

/* What a page is called by number. */
uint64_t site_number(const struct site *, uint32_t page);

/* Appends the URL of a page, given or made from its number. */
void site_url(const struct site *, uint32_t page, struct buf *out);

#endif
