/* Fetching: threads on libcurl's multi interface, many transfers each; they fetch, parse what they
 * fetch, make URLs canonical, drop a page's duplicate links, hash, and hand over one arena a page.
 * The only libcurl user and, with its queues, the only threads of a crawl. They share nothing but
 * two bounded queues; a host always goes to the same thread, which keeps its robots.txt and its
 * connections.
 *
 * robots.txt: before the first page of an origin (scheme, host, port) its robots.txt is fetched.
 * The page waits for it, and so do further ones of the origin; then they all are put back
 * with OUTCOME_ROBOTS_WAIT, the status and times of that request and nothing to wait for, so
 * that their host's clock ticks and the frontier takes them again. Redirects of robots.txt are
 * followed five times, to other origins, too: each hop like a first request, when the pages that wait
 * for it are submitted again (see fetchers_grant()). Any 4xx but 429, and redirects that lead nowhere,
 * allow everything; 429, 5xx and no answer forbid it for a time: the pages are to be retried, with
 * growing delays, until robots.txt was asked for as often as a page would be (`tries`). Then they
 * are refused with OUTCOME_ROBOTS_UNAVAILABLE and the status where a server answered, and as
 * have failed with the error where none did (the host is dead rather than forbidding); after ten
 * minutes the origin gets another chance. Rules live 24 h, also
 * over the end of a crawl, for whoever keeps what a page brings (`robots`) and tells it again
 * (fetchers_know_robots()). A page that they forbid is
 * refused with OUTCOME_ROBOTS.
 *
 * Sitemaps, where `kinds` has LINK_SITEMAP: those that a robots.txt names are the links of the
 * first page that waited for it, which is put back with OUTCOME_SITEMAPS then; a page that is a sitemap,
 * by its type and name, has its entries as links. The sitemap indexes of an origin may name 100 sitemaps
 * in all, and a sitemap that an index has named names no further ones; after 200 documents read as
 * sitemaps an origin's others have no entries. So indexes that never end cost a crawl 200 pages.
 *
 * What a page says of its links is heeded as `heed` says: links under rel=nofollow, and all links
 * of a page whose meta robots or X-Robots-Tag says nofollow or none, are left out; the URL that a
 * page calls canonical, where it is another one, is a link of a kind of its own, the last of the
 * page. noindex is for those who index: it keeps no page and no link out.
 *
 * A page whose media type is not among `types` ("text/html", or all of a kind with an asterisk behind
 * the slash) is broken off and has failed with OUTCOME_TYPE; one that says none is taken.
 *
 * Links come from HTML, from sitemaps (see above), from what its type says is a feed, and from the
 * Refresh header of a page of any type. All pass the `rules`.
 *
 * Compression is asked for, and undone by libcurl: also several codings one above the other. Where
 * it cannot, the page is to be tried again with OUTCOME_BROKEN, and of its origin no more is asked for; what
 * comes packed by gzip all the same is unpacked here, of however many members it is. */
#ifndef FETCH_FETCH_H
#define FETCH_FETCH_H

#include "fetch/credentials.h"
#include "fetch/net_address.h"
#include "base/outcome.h"
#include "parser/html.h"
#include "parser/url_rules.h"

enum fetch_heed {
	HEED_NOFOLLOW = 1,    /* rel=nofollow */
	HEED_META_ROBOTS = 2, /* meta robots */
	HEED_ROBOTS_TAG = 4,  /* X-Robots-Tag */
	HEED_CANONICAL = 8,   /* link rel=canonical */
};

struct guard;
struct warc;

#define FETCH_MAX_REDIRECTS 14
#define FETCH_MAX_TRIES     100

struct fetch_settings {
	unsigned threads;           /* >= 1; no more than `parallel` are started */
	unsigned parallel;          /* transfers in flight in all, >= 1; see fetchers_parallel() */
	const char *user_agent;     /* sent as it is; its product token is matched in robots.txt */
	const char *const *headers; /* "Name: value", NULL-terminated list; may be NULL */
	const char *const *connect_to; /* curl's HOST:PORT:TO:PORT, NULL-terminated; may be NULL */
	const char *proxy; /* NULL: the environment's http_proxy, https_proxy, no_proxy; "": none */
	const char *types; /* media types of pages, commas between; see OUTCOME_TYPE. NULL: all */
	const char *cacert;        /* NULL: the system's */
	const struct guard *guard; /* where to connect; borrowed; NULL: anywhere */
	int by_address; /* ask only at the address granted: see fetchers_grant(); behind a
				      proxy nobody knows it, and none is needed */
	const struct credentials
		*credentials; /* borrowed: must outlive the fetchers; may be NULL */
	int no_robots;        /* robots.txt is not asked for */
	unsigned heed;        /* mask of enum fetch_heed */
	unsigned rules;       /* of parser/url_rules.h */
	struct warc *archive; /* where all that comes is kept; borrowed; NULL: nowhere */
	int fingerprints;     /* whether near-duplicates are sought by parser/fingerprint.h */
	int simhash;          /* whether near-copies are sought: see struct fetch_page */
	int64_t timeout_ms;   /* of a whole transfer, 0: none */
	int64_t connect_ms;
	int64_t first_byte_ms; /* from the request to the answer's first byte */
	int64_t stall_ms;      /* no byte for so long, after the first */
	uint64_t max_body;     /* bytes as they come; beyond: OUTCOME_TOO_BIG */
	uint64_t max_unpacked; /* likewise, of the unpacked body */
	uint64_t max_memory;   /* bytes of all bodies in flight; beyond: transfers wait. 0: none */
	size_t max_headers;    /* likewise, of all header lines, at most ANSWER_MAX_HEADERS */
	unsigned redirects;  /* in a row, at most FETCH_MAX_REDIRECTS; beyond: OUTCOME_REDIRECTS */
	uint64_t limit_rate; /* bytes a second of one transfer, 0: none */
	unsigned tries;      /* of a page, >= 1, at most FETCH_MAX_TRIES */
	unsigned kinds;      /* mask of 1 << enum link_kind: links to follow */
	uint32_t max_links;  /* of a page, distinct; those beyond are dropped */
};

/* Sensible values for all but user_agent. */
extern const struct fetch_settings fetch_defaults;

/* One fetched page: a single allocation, freed by fetch_page_free(). Offsets are into `text`. */
struct fetch_page {
	uint32_t id;
	enum outcome outcome;
	enum page_state state; /* that the outcome leaves it in */
	uint16_t status;
	int64_t started, ended;     /* ms of clock_ms() */
	int64_t retry_after;        /* QUEUED: ms from `ended` */
	int64_t host_delay;         /* see struct event */
	int64_t host_pause;         /* ms from `ended` in which the host is not to be asked */
	struct net_address address; /* where the host is; none: as granted */
	uint64_t bytes;     /* of the body as it came; of a robots.txt for the first that waited */
	uint64_t digest[2]; /* CRAWLED: XXH3-128 of the unpacked body, low half first */
	uint64_t gist;      /* CRAWLED, where the settings want it: of an HTML page that says
			       enough, parser/fingerprint.h; 0: none */
	uint64_t simhash;   /* CRAWLED, where the settings want it: of an HTML page whose URL has a
			       shape that others share; 0: none */
	struct validators validators; /* CRAWLED; the page's */
	const char *
		robots; /* a robots.txt that came, or "" where there is none: what the page's origin
			       allows from `ended` on, for ROBOTS_LIVE_MS; on the first page that waited
			       for it, else NULL */
	size_t robots_n;
	uint32_t n; /* links: CRAWLED; OUTCOME_SITEMAPS: these; REDIRECTED: 1, the target */
	const uint32_t *start;    /* n + 1: link i is text[start[i], start[i+1] - 1), then a NUL */
	const uint32_t *host_end; /* n: where its host (with port) ends, from its start; */
	const uint32_t *host;     /* n: where it begins */
	const uint8_t *kinds;     /* n */
	const char *text;
};

struct fetchers;

/* Copies the settings and what they point to. ERR_OTHER where threads or libcurl cannot be had. */
int fetchers_new(struct fetchers **, const struct fetch_settings *, struct err_note *why) MUST_USE;
/* How many pages may be in flight: `parallel` of the settings, or as many as there are file descriptors
 * for (fetch/descriptors.h), where that is less. */
unsigned fetchers_parallel(const struct fetchers *);
/* Bytes that all bodies in flight take now. */
uint64_t fetchers_memory(const struct fetchers *);
/* Joins the threads; transfers in flight are broken off. */
void fetchers_free(struct fetchers *);

/* Where the settings say by_address: the page submitted next may be asked for at this address, and
 * so may the robots.txt it needs first. Where no address is granted, or its name stands for others
 * only, no request is made: the page is put back with OUTCOME_ADDRESS and the address to be
 * granted. One that cannot be connected to at the address granted comes back with another of its
 * name, if there is one. So whoever grants knows of every request where it will go before it is
 * made. Where a robots.txt is redirected to another host, the page comes back once more with the
 * address of that, as if its own host had moved there for the while, and then with its own. */
void fetchers_grant(struct fetchers *, const struct net_address *);

/* Submits a page; there must be room (fewer than fetchers_parallel() in flight). `tries` made before. */
void fetchers_submit(struct fetchers *, uint32_t id, const char *url, size_t n, unsigned tries);

/* As fetchers_submit(), asking only for what has changed since the validators were told: a page
 * that has not comes back as CRAWLED with the status 304, no links and no digest. */
void fetchers_submit_again(struct fetchers *, uint32_t id, const char *url, size_t n,
	unsigned tries, const struct validators *since);

/* Tells what the robots.txt of a URL's origin said when it was asked for earlier, which holds for so many ms
 * more: it is not asked for where nothing newer is known. At most once a page that is submitted. */
void fetchers_know_robots(
	struct fetchers *, const char *url, size_t n, const char *text, size_t text_n, int64_t ms);

/* Waits for a page until `until` (ms of clock_ms(); INT64_MAX): 1, or 0 where time has come.
 * Every page submitted comes back exactly once. */
int fetchers_reap(struct fetchers *, struct fetch_page **, int64_t until);
void fetch_page_free(struct fetch_page *);

/* Breaks off what is in flight: it is queued again with OUTCOME_ABORTED, and so is all that is
 * submitted from now on. Safe to call twice. */
void fetchers_abort(struct fetchers *);

#endif
