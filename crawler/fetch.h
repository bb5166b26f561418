/* Fetching: threads on libcurl's multi interface, many transfers each; they fetch, parse what they
 * fetch, make URLs canonical, drop a page's duplicate links, hash, and hand over one arena a page.
 * The only libcurl user and, with its queues, the only threads of a crawl. They share nothing but
 * two bounded queues; a host always goes to the same thread, which keeps its robots.txt and its
 * connections.
 *
 * robots.txt: before the first page of an origin (scheme, host, port) its robots.txt is fetched.
 * The page waits for it, and so do further ones of the origin; then they all come back as
 * EVENT_RETRY with FETCH_ROBOTS, the status and times of that request and nothing to wait for, so
 * that their host's clock ticks and the frontier takes them again. Redirects of robots.txt are
 * followed five times, to other origins, too. Any 4xx but 429, and redirects that lead nowhere,
 * allow everything; 429, 5xx and no answer forbid it for a time: the pages are to be retried, with
 * growing delays, until robots.txt was asked for as often as a page would be (`tries`). Then they
 * come back as EVENT_REFUSED with FETCH_ROBOTS and the status where a server answered, and as
 * EVENT_FAILED with the error where none did (the host is dead rather than forbidding); after ten
 * minutes the origin gets another chance. Rules live 24 h. A page that they forbid is
 * EVENT_REFUSED, without an error.
 *
 * Sitemaps, where `kinds` has LINK_SITEMAP: those that a robots.txt names are the links of the
 * first page that waited for it (a RETRY then, with links of that kind); a page that is a sitemap,
 * by its type and name, has its entries as links.
 *
 * nofollow: links under rel=nofollow, and all links of a page whose meta robots or X-Robots-Tag
 * says nofollow or none, are left out, unless no_robots is set. */
#ifndef CRAWLER_FETCH_H
#define CRAWLER_FETCH_H

#include "crawler/source.h"
#include "parser/html.h"

struct fetch_settings {
	unsigned threads;           /* >= 1; no more than `parallel` are started */
	unsigned parallel;          /* transfers in flight in all, >= 1 */
	const char *user_agent;     /* sent as it is; its product token is matched in robots.txt */
	const char *const *headers; /* "Name: value", NULL-terminated list; may be NULL */
	const char *const *connect_to; /* curl's HOST:PORT:TO:PORT, NULL-terminated; may be NULL */
	const char *proxy; /* NULL: the environment's http_proxy, https_proxy, no_proxy; "": none */
	const char *cacert; /* NULL: the system's */
	int loopback_only;  /* connect to this machine alone, whatever a name stands for */
	int no_robots;      /* robots.txt is not asked for, nofollow not heeded */
	int64_t timeout_ms; /* of a whole transfer, 0: none */
	int64_t connect_ms, stall_ms; /* stall: no byte for so long, once connected */
	uint64_t max_body;            /* bytes, unpacked too; beyond: FETCH_TOO_BIG */
	uint64_t limit_rate;          /* bytes a second of one transfer, 0: none */
	unsigned tries;               /* of a page, >= 1 */
	unsigned kinds;               /* mask of 1 << enum link_kind: links to follow */
	uint32_t max_links;           /* of a page, distinct; those beyond are dropped */
};

/* Sensible values for all but user_agent. */
extern const struct fetch_settings fetch_defaults;

/* One fetched page: a single allocation, freed by fetch_page_free(). Offsets are into `text`. */
struct fetch_page {
	uint32_t id;
	enum event_kind kind;
	enum fetch_error error;
	uint16_t status;
	int64_t started, ended; /* ms of clock_ms() */
	int64_t retry_after;    /* RETRY: ms from `ended` */
	int64_t host_delay;     /* see struct event */
	uint64_t bytes;     /* of the body as it came; of a robots.txt for the first that waited */
	uint64_t digest[2]; /* CRAWLED: XXH3-128 of the unpacked body, high half first */
	uint32_t n;         /* links: CRAWLED, RETRY (sitemaps); REDIRECTED: 1, the target */
	const uint32_t *start;    /* n + 1: link i is text[start[i], start[i+1] - 1), then a NUL */
	const uint32_t *host_end; /* n: where its host (with port) ends, from its start; */
	const uint32_t *host;     /* n: where it begins */
	const uint8_t *kinds;     /* n */
	const char *text;
};

struct fetchers;

/* Copies the settings and what they point to. ERR_OTHER where threads or libcurl cannot be had. */
int fetchers_new(struct fetchers **, const struct fetch_settings *, struct err_note *why) MUST_USE;
/* Joins the threads; transfers in flight are broken off. */
void fetchers_free(struct fetchers *);

/* Submits a page; there must be room (fewer than `parallel` in flight). `tries` made before. */
void fetchers_submit(struct fetchers *, uint32_t id, const char *url, size_t n, unsigned tries);

/* Waits for a page until `until` (ms of clock_ms(); FRONTIER_NEVER): 1, or 0 where time has come.
 * Every page submitted comes back exactly once. */
int fetchers_reap(struct fetchers *, struct fetch_page **, int64_t until);
void fetch_page_free(struct fetch_page *);

/* Breaks off what is in flight: it comes back as RETRY, FETCH_ABORTED, and so does all that is
 * submitted from now on. Safe to call twice. */
void fetchers_abort(struct fetchers *);

#endif
