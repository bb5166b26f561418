/* What a fetcher thread knows of origins (scheme, host, port): the rules of their robots.txt, that a robots.txt is being
 * fetched, or why it cannot be had; and what requests have taught by the way (compression that cannot be
 * undone, sitemaps, trouble of this machine).
 *
 *     struct origin *o = robots_cache_find(cache, &url, now);
 *     if (o->standing == ORIGIN_KNOWN && origin_allows(o, &url)) ... ask for the page
 *
 * fetch/robots_fetch.h draws the states. The least recently used origins are forgotten when the memory exceeds
 * ROBOTS_CACHE_BYTES. */
#ifndef FETCH_ROBOTS_CACHE_H
#define FETCH_ROBOTS_CACHE_H

#include "fetch/net_address.h"
#include "base/outcome.h"
#include "parser/robots.h"
#include "parser/url.h"

#define ROBOTS_CACHE_BYTES   (64u << 20) /* a thread */
#define ROBOTS_LIVE_MS       86400000    /* rules are asked for anew after a day */
#define ROBOTS_GIVEN_UP_MS   600000      /* and where a server refused them, after ten minutes */
#define ROBOTS_SILENT_MS     10000       /* and where no server answered, after ten seconds */
#define ROBOTS_MAX_DELAY_MS  60000       /* of Crawl-delay */
#define ORIGIN_TROUBLE_MS    600000 /* after which pages fail that this machine cannot ask for */
#define ORIGIN_TROUBLE_PAUSE 60000
#define ORIGIN_MAX_SITEMAPS  100 /* that its sitemap indexes may name */
/* of its documents that are read as sitemaps: as many as robots.txt and its indexes may name */
#define ORIGIN_MAX_SITEMAPS_READ (ORIGIN_MAX_SITEMAPS + ROBOTS_MAX_SITEMAPS)
#define ROBOTS_MAX_SITEMAPS      100 /* of a robots.txt that are looked at */

enum origin_standing {
	ORIGIN_UNKNOWN,  /* its robots.txt is to be fetched first, at `next` where that is set */
	ORIGIN_ASKED,    /* it is being fetched */
	ORIGIN_LATER,    /* it could not be had: again at retry_time */
	ORIGIN_GIVEN_UP, /* it could not be had so often that its pages are given up */
	ORIGIN_KNOWN
};

struct job;

struct origin {
	enum origin_standing standing;
	struct robots *rules; /* KNOWN */
	int64_t expires;      /* KNOWN, GIVEN_UP */
	int64_t retry_time;   /* LATER */
	int64_t host_delay;   /* see struct event */
	char *next;           /* where its robots.txt was redirected to: asked for next; or NULL */
	unsigned hops;        /* redirects followed on the way there */
	struct net_address home; /* where hops > 0: the address of the origin itself */
	unsigned failures;
	int64_t trouble_since; /* ms: when this machine first could not ask it; 0: it can */
	enum outcome
		error; /* of the last failure; OUTCOME_ROBOTS_UNAVAILABLE where its status says it */
	uint16_t status;
	uint64_t *sitemaps; /* n_sitemaps: hashes of the URLs that its sitemap indexes have named */
	unsigned n_sitemaps;
	unsigned sitemaps_read;
	int plain;      /* its compression cannot be undone: none is asked for */
	unsigned users; /* transfers in flight; not forgotten before they end */
	struct job *waiting, **waiting_end; /* ASKED: pages parked until it is there */
};

struct robots_cache;

struct robots_cache *robots_cache_new(const char *product);
void robots_cache_free(struct robots_cache *c);

/* The origin of a URL, its standing brought up to `now` (ms); the cache's until the next call
 * unless it has users or is ASKED. */
struct origin *robots_cache_find(struct robots_cache *c, const struct url *u, int64_t now);

/* The robots.txt came: its rules hold from now on. */
void robots_cache_rules(
	struct robots_cache *c, struct origin *o, const char *bytes, size_t n, int64_t now);
/* There is no robots.txt: everything is allowed from now on. */
void robots_cache_no_rules(struct robots_cache *c, struct origin *o, int64_t now);
/* The robots.txt could not be had: it is given up where that has happened `allowed` times, or else asked for
 * again after `delay` ms. */
void robots_cache_failed(struct origin *o, enum outcome error, uint16_t status, unsigned allowed,
	int64_t delay, int64_t now);

/* The origin could not be asked for want of something on this machine (outcome_is_local()): how many
 * ms to wait before the next attempt, as long as the trouble has lasted, but a second at least and
 * ORIGIN_TROUBLE_PAUSE at most; or -1 where it has lasted for ORIGIN_TROUBLE_MS. */
int64_t origin_trouble(struct origin *o, int64_t now);
/* Its robots.txt could not be asked for, for such a reason, and will be after `delay` ms. */
void origin_wait(struct origin *o, enum outcome error, int64_t delay, int64_t now);

/* A sitemap index of the origin names a further sitemap: whether it is to be read. An origin's indexes may
 * name ORIGIN_MAX_SITEMAPS in all. */
int origin_takes_sitemap(struct origin *o, const struct url *named);
/* Whether a sitemap index of the origin has named the URL; such a one may be no index itself. */
int origin_has_sitemap(const struct origin *o, const struct url *u);

/* Whether the rules (KNOWN) allow a URL of the origin. */
int origin_allows(const struct origin *o, const struct url *u);

#endif
