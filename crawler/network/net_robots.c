#include "crawler/network/net_robots.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fetch/robots_cache.h"

#include <stdlib.h>
#include <string.h>

void net_robots_init(struct net_robots *r, struct store *store, struct fetchers *fetchers)
{
	*r = (struct net_robots){.store = store, .fetchers = fetchers};
}

void net_robots_release(struct net_robots *r)
{
	url_release(&r->url);
	buf_release(&r->origin);
	free(r->told);
}

/* Writes the origin of a page, as in "https://example.org", into r->origin. Returns 0, or -1 if the URL has none. */
static int find_origin(struct net_robots *r, const struct store_page *page)
{
	struct url *u = &r->url;

	if (url_parse(u, page->url, page->url_length, NULL) != URL_OK)
		return -1;
	buf_clear(&r->origin);
	buf_text(&r->origin, u->https ? "https://" : "http://");
	buf_add(&r->origin, u->text.at + u->host, u->path - u->host);
	return 0;
}

/* Returns 1 for the first page of a host and scheme in this sitting, and 0 for later ones. */
static int is_first(struct net_robots *r, const struct store_page *page)
{
	const size_t place = 2 * (size_t)page->host + (page->url[4] == 's');

	if (place >= r->n) {
		r->told = mem_grow(r->told, &r->room, place + 1, 1);
		memset(r->told + r->n, 0, place + 1 - r->n);
		r->n = place + 1;
	}
	const int first = !r->told[place];
	r->told[place] = 1;
	return first;
}

void net_robots_tell(struct net_robots *r, const struct store_page *page)
{
	const int64_t now = clock_wall_ms();
	struct store_robots kept;

	if (!r->fetchers || !is_first(r, page) || find_origin(r, page) ||
		!store_robots(r->store, r->origin.at, r->origin.used, now, &kept))
		return;
	/* no longer than for a day, also where a clock was set back */
	const int64_t ms = kept.expires - now < ROBOTS_LIVE_MS ? kept.expires - now : ROBOTS_LIVE_MS;
	fetchers_know_robots(r->fetchers, page->url, page->url_length, kept.text, kept.n, ms);
}

int net_robots_keep(struct net_robots *r, const struct fetch_page *page, struct err_note *why)
{
	struct store_page known;

	if (!page->robots || !r->fetchers || !store_page(r->store, page->result.id, &known) || find_origin(r, &known))
		return 0;
	return store_put_robots(r->store, r->origin.at, r->origin.used, page->robots, page->robots_n,
		clock_wall_ms() + ROBOTS_LIVE_MS, why);
}
