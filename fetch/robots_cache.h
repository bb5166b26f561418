/* The cache of origins (scheme, host, port) of one fetcher thread. For each origin it has the rules of its robots.txt, or
 * the state of fetching them; and what earlier requests have shown: that compression must be avoided, which sitemaps the
 * origin's indexes have named, since when this machine has not been able to reach it.
 *
 *     struct origin *o = robots_cache_find(cache, &url, now);
 *     if (o->standing == ORIGIN_KNOWN && origin_allows(o, &url)) ... ask for the page
 *
 * fetch/worker.c draws the states. When the cache exceeds ROBOTS_CACHE_BYTES, the least recently used origins are
 * dropped. */
#ifndef FETCH_ROBOTS_CACHE_H
#define FETCH_ROBOTS_CACHE_H

#include "fetch/answer.h"
#include "fetch/net_address.h"
#include "base/outcome.h"
#include "parser/host_settings.h"
#include "parser/robots.h"
#include "parser/url.h"

#define ROBOTS_CACHE_BYTES (64u << 20) /* for each thread */
#define ROBOTS_LIVE_MS     86400000    /* how long rules are valid: a day */
/* how long an origin is given up after `tries` requests for robots.txt, the last of which had an error status; or no answer, or one
 * that answer_blames_host(), since its host may be well soon */
#define ROBOTS_GIVEN_UP_MS   600000
#define ROBOTS_SILENT_MS     10000
#define ROBOTS_MAX_DELAY_MS  60000  /* a longer Crawl-delay is shortened to this */
#define ORIGIN_TROUBLE_MS    600000 /* see origin_trouble() */
#define ORIGIN_TROUBLE_PAUSE 60000  /* ms */
#define ORIGIN_MAX_NAMED     100    /* sitemaps that all sitemap indexes of an origin may name, and feeds that its pages may */
#define ROBOTS_MAX_SITEMAPS  100    /* sitemaps of one robots.txt that are used */
/* documents of an origin that are read as sitemaps, and as feeds */
#define ORIGIN_MAX_READ (ORIGIN_MAX_NAMED + ROBOTS_MAX_SITEMAPS)

enum origin_standing {
	ORIGIN_UNKNOWN,  /* robots.txt has to be fetched first, from `next` if that is set */
	ORIGIN_ASKED,    /* robots.txt is being fetched */
	ORIGIN_LATER,    /* robots.txt could not be had, and will be requested again at retry_time */
	ORIGIN_GIVEN_UP, /* robots.txt was requested `tries` times in vain: the origin's pages fail or are refused */
	ORIGIN_KNOWN     /* the rules are known */
};

struct job;

/* The lists that an origin's pages have named, and those that were read. */
struct origin_lists {
	uint64_t *named; /* n hashes of their URLs */
	unsigned n, read;
};

struct origin {
	enum origin_standing standing;
	struct robots *rules;    /* KNOWN */
	int64_t expires;         /* KNOWN, GIVEN_UP: when the standing becomes UNKNOWN again */
	int64_t retry_time;      /* LATER */
	int64_t host_delay;      /* KNOWN: the Crawl-delay in ms; -1: there is none */
	char *next;              /* the URL that robots.txt was redirected to, which is fetched next; or NULL */
	unsigned hops;           /* the number of redirects followed so far */
	struct net_address home; /* if hops > 0: the address of the origin itself */
	unsigned failures;       /* failed requests of robots.txt in a row */
	int64_t trouble_since;   /* ms: when requests to the origin began to fail because of this machine; 0: they do not */
	/* LATER, GIVEN_UP: how the last request failed; OUTCOME_ROBOTS_UNAVAILABLE if a server answered */
	enum outcome error;
	uint16_t status;
	struct origin_lists sitemaps, feeds;
	int plain;                          /* 1: requests do not allow compression, since libcurl could not undo it */
	unsigned users;                     /* the number of transfers in flight; an origin with users is not dropped */
	struct job *waiting, **waiting_end; /* ASKED: the jobs that wait for robots.txt */
};

struct robots_cache;

/* Returns an empty cache. `product` is the agent's name in robots.txt; hosts with a user agent of their own have the name of that
 * one. `hosts` may be NULL, and must outlive the cache. */
struct robots_cache *robots_cache_new(const char *product, const struct host_settings *hosts);

/* Frees the cache. No job may wait for an origin. */
void robots_cache_free(struct robots_cache *c);

/* Returns the origin of a URL, with its standing at the time `now` (ms of clock_ms()): rules that have expired make it
 * UNKNOWN. The origin is valid until the next call, or as long as it has users or is ASKED. */
struct origin *robots_cache_find(struct robots_cache *c, const struct url *u, int64_t now);

/* Makes the origin KNOWN, with the rules of a robots.txt of n bytes. */
void robots_cache_rules(struct robots_cache *c, struct origin *o, const char *bytes, size_t n, int64_t now);

/* Makes the origin KNOWN, with rules that allow everything, since it has no robots.txt. */
void robots_cache_no_rules(struct robots_cache *c, struct origin *o, int64_t now);

/* Notes that a request for robots.txt has failed. The origin becomes GIVEN_UP after `allowed` failures in a row, and LATER
 * before, to be asked again after `delay` ms. `status` is 0 if no server answered. */
void robots_cache_failed(struct origin *o, enum outcome error, uint16_t status, unsigned allowed, int64_t delay, int64_t now);

/* Notes that a request to the origin was not possible because this machine lacks something (outcome_is_local()). Returns how
 * many ms to wait before the next attempt: as long as the trouble has lasted so far, but at least a second and at most
 * ORIGIN_TROUBLE_PAUSE. Returns -1 if the trouble has lasted for ORIGIN_TROUBLE_MS. */
int64_t origin_trouble(struct origin *o, int64_t now);

/* Judges a page of the origin that could not be requested because of this machine (outcome_is_local()): it is queued again
 * without a try being counted, or fails if the trouble has lasted for ORIGIN_TROUBLE_MS. */
struct verdict origin_judge_trouble(struct origin *o, enum outcome error, int64_t now);

/* Writes the URL of the origin's robots.txt, or that which it was redirected to; `page` is a page of the origin. Returns 0, or -1
 * if it is no URL. */
int origin_robots_url(const struct origin *o, const struct url *page, struct url *u);

/* Makes the origin LATER without counting a failure: robots.txt could not be requested because of this machine, and is
 * requested again after `delay` ms. */
void origin_wait(struct origin *o, enum outcome error, int64_t delay, int64_t now);

/* Notes that a sitemap index names a sitemap, or a page a feed, by its URL of n bytes. Returns 1 if that is to be read, or 0 if
 * ORIGIN_MAX_NAMED others have been named before. */
int origin_takes(struct origin_lists *, const char *url, size_t n);

/* Says whether the URL has been named. A sitemap that is named by an index is not read as an index. */
int origin_has(const struct origin_lists *, const char *url, size_t n);

/* Says whether the rules of an origin that is KNOWN allow a URL of the origin. */
int origin_allows(const struct origin *o, const struct url *u);

/* Returns what the robots.txt of an origin, if it is known, asks of those who use a page (parser/usage.h). */
uint16_t origin_usage(const struct origin *o, const struct url *u);

#endif
