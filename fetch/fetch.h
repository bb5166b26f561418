/* Fetchers: threads that fetch pages over HTTP, and read them.
 *
 *     fetchers_new(&f, &settings, &why);
 *     fetchers_submit(f, &(struct fetch_request){.id = 7, .url = url, .n = strlen(url)});
 *     while (fetchers_reap(f, &page, until)) { ...; fetch_page_free(page); }
 *
 * Each thread runs many transfers on libcurl's multi interface. It parses what it has fetched, makes URLs
 * canonical, drops a page's duplicate links, hashes, and hands over a page as one block of memory. All requests
 * for a host are one thread's, which keeps the host's robots.txt, addresses and connections.
 *
 * robots.txt. Before the first page of an origin (scheme, host, port) the thread fetches the origin's robots.txt
 * (fetch/robots_fetch.h). The page waits for it, and so do further pages of the origin. Then all of them are put
 * back with OUTCOME_ROBOTS_WAIT, with the status and times of that request, so that the request counts for the
 * politeness of their host, and the frontier takes them again. A redirect of robots.txt is followed up to five
 * times, also to other origins; each hop is a request of its own, made when a page that waits is submitted
 * again. Any 4xx but 429, and a redirect that leads nowhere, allow everything. After 429, 5xx or no answer the
 * pages are to be tried again with growing delays, until robots.txt was asked for as often as a page would be
 * (`tries`). Then the pages are refused with OUTCOME_ROBOTS_UNAVAILABLE where a server answered, and fail with
 * the error where none did; after ten minutes the origin gets another chance. Rules hold for 24 hours, also
 * beyond the end of a crawl, for a caller who keeps what a page brings (`robots`) and tells it again
 * (fetchers_know_robots()). A page that the rules forbid is refused with OUTCOME_ROBOTS.
 *
 * Sitemaps, where `kinds` has LINK_SITEMAP. The sitemaps that a robots.txt names are the links of the first page
 * that waited for it, which is put back with OUTCOME_SITEMAPS then. A page that is a sitemap, by its type and name,
 * has its entries as links. The sitemap indexes of an origin may name 100 sitemaps in all, and a sitemap that an
 * index has named names no further ones; after 200 documents read as sitemaps the others of the origin have no
 * entries. So sitemaps without end cost a crawl 200 pages of a site.
 *
 * Links. They come from HTML, from sitemaps, from feeds, and from the Refresh header of a page of any type; all
 * pass the `rules`. `heed` says what a page's own words on its links are worth: a link under rel=nofollow, and every link
 * of a page whose meta robots or X-Robots-Tag says nofollow or none, is left out; the URL that a page calls
 * canonical, where it is another one, is the last link of the page, of a kind of its own. noindex keeps no page
 * and no link out: it is meant for search engines.
 *
 * A page whose media type is not among `types` ("text/html", or "text/" and an asterisk for all of a kind) is broken
 * off and fails with OUTCOME_TYPE; a page that names no type is taken.
 *
 * Compression is asked for, and undone by libcurl, also several codings one above the other. Where libcurl
 * cannot undo it the page is to be tried again with OUTCOME_BROKEN, and the origin is asked for no compression any
 * more; a body that comes packed by gzip all the same is unpacked here, of however many members it is.
 *
 * An attempt that failed for want of something on this machine (outcome_is_local()) is no try of the page: it is
 * repeated after a pause of its host that grows from a second to a minute. No route and no answering name
 * server fail the page after ten minutes; no network and no free descriptors never do. */
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
	int by_address; /* ask only at the address of the request: see fetchers_submit(); behind
				      a proxy nobody knows it, and none is needed */
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

struct fetch_request {
	uint32_t id;
	const char *url; /* canonical, n bytes */
	size_t n;
	unsigned tries;             /* requests made before */
	struct net_address address; /* by_address: the only one that may be asked; none: none may */
	struct validators since;    /* zero: the page is asked for whatever it is */
};

/* Submits a page; there must be room (fewer than fetchers_parallel() in flight). What the request points to
 * is copied.
 *
 * The name of the page's host is resolved first (fetch/resolver.h). Where the settings say by_address, and the
 * request's address is none of the host's, the page is put back (OUTCOME_ADDRESS) with the address to
 * be granted, and no request is made; so whoever grants addresses knows of every request where it will go
 * before it is made. Where the host cannot be connected to at that address, and has another, the page comes
 * back with that one in the same way. A robots.txt that is redirected to another host is asked for at that
 * host's address: the page is put back with it, as if its own host had moved there for the while, and
 * then with its own.
 *
 * Where `since` has a validator the page is asked for only if it has changed: one that has not comes as
 * CRAWLED with the status 304, no links and no digest. */
void fetchers_submit(struct fetchers *, const struct fetch_request *);

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
