/* Fetchers: threads that fetch pages over HTTP, parse them, and return them with their links.
 *
 *     fetchers_new(&f, &settings, &why);
 *     fetchers_submit(f, &(struct fetch_request){.id = 7, .url = url, .n = strlen(url)});
 *     while (fetchers_reap(f, &page, until)) { ...; fetch_page_free(page); }
 *
 * Each thread runs many transfers on libcurl's multi interface. It parses the answers, makes URLs canonical, drops
 * duplicate links of a page, computes hashes, and returns each page as one block of memory. All requests for a host
 * belong to one thread, which keeps the host's robots.txt, addresses and connections.
 *
 * robots.txt. Before the first page of an origin (scheme, host, port) the thread fetches the origin's robots.txt
 * (fetch/worker.c). The page waits for it, and so do further pages of the origin. Then all of them are put back
 * with OUTCOME_ROBOTS_WAIT and with the status and times of that request, so that the request counts for the
 * politeness of their host; the frontier takes them again. Up to five redirects of robots.txt are followed, also to
 * other origins; each is a request of its own, which is made when a waiting page is submitted again. Any 4xx other
 * than 429, and a redirect that leads nowhere, allow everything. After 429, 5xx or no answer, the pages are retried
 * with growing delays, until robots.txt has been requested as often as a page would be (`tries`). Then the pages are
 * refused with OUTCOME_ROBOTS_UNAVAILABLE if a server answered, and fail with the error if none did. After ten minutes, or ten
 * seconds if the host is at fault (answer_blames_host(), or no answer), the origin's robots.txt may be requested again. Rules
 * are valid for 24 hours. They can be carried over to a later sitting: a caller keeps the field `robots` of a page, and hands
 * it to fetchers_know_robots() later. A page that the rules disallow is refused with OUTCOME_ROBOTS.
 *
 * Sitemaps, if `kinds` has LINK_SITEMAP. The sitemaps that a robots.txt names become the links of the first page that
 * waited for it, which is then put back with OUTCOME_SITEMAPS. The links of a page that is a sitemap, by its media
 * type and name, are the sitemap's entries. All sitemap indexes of an origin together may name 100 sitemaps, and a
 * sitemap that an index has named may name no further ones; after 200 documents have been read as sitemaps, the
 * other sitemaps of the origin have no entries. So a site with endless sitemaps costs a crawl 200 requests.
 *
 * Links. They come from HTML, sitemaps, feeds, and the Refresh and Link headers of a page of any type; all are rewritten by the
 * `rules`. A page is a feed by its content. The feeds that pages name are their last links; of an origin 100 are followed so, and
 * 200 are read. `heed` says which directives of a page are followed: a link with rel=nofollow, and every link of a page
 * whose meta robots or X-Robots-Tag says nofollow or none, is dropped; a canonical link to another URL becomes the
 * last link of the page, with a kind of its own. noindex excludes neither a page nor a link, since it is addressed
 * to search engines.
 *
 * Requisites. What a browser asks for to show an HTML page or a style sheet (parser/requisites.h) becomes its links if `kinds` has
 * LINK_REQUISITE, and else its field `requisites` if the settings ask for them: at most FETCH_MAX_REQUISITES of a page.
 *
 * Media types. The transfer of a page whose media type is not among `accept_type` ("text/html", or "text/" and an asterisk for
 * all subtypes) is aborted, and the page fails with OUTCOME_TYPE. A page without a media type is accepted.
 *
 * Compression. Requests allow it, and libcurl undoes it, also several codings one above the other. If libcurl cannot undo
 * it, the page is retried with OUTCOME_CODING, and later requests of the origin do not allow compression; a body that
 * comes compressed by gzip nevertheless is decompressed here, also if it has several members.
 *
 * Trouble of this machine. An attempt that fails because this machine lacks something (outcome_is_local()) is not counted
 * as a try. The page is retried after a pause of its host that grows from a second to a minute. After ten minutes
 * without a route, or without a name server that answers, the page fails; without a network or without free
 * descriptors it is retried for ever. */
#ifndef FETCH_FETCH_H
#define FETCH_FETCH_H

#include "fetch/credentials.h"
#include "fetch/net_address.h"
#include "base/flag.h"
#include "base/result.h"
#include "parser/host_settings.h"
#include "parser/html.h"
#include "parser/url_rules.h"
#include "storage/warc.h"

#include <regex.h>

/* Directives of a page about its links that can be followed or ignored (--heed). */
enum fetch_heed {
	HEED_NOFOLLOW = 1,    /* rel=nofollow */
	HEED_META_ROBOTS = 2, /* meta robots */
	HEED_ROBOTS_TAG = 4,  /* X-Robots-Tag */
	HEED_CANONICAL = 8,   /* link rel=canonical */
};

struct guard;
struct page_jail;
struct page_service;

#define FETCH_MAX_REDIRECTS  14
#define FETCH_MAX_TRIES      100
#define FETCH_MAX_REQUISITES 1000 /* of a page, distinct ones in document order; further ones are dropped */

/* The settings of a crawl that the fetcher reads (base/settings.h), and those that a caller derives. All pointers are borrowed, and
 * must be valid until fetchers_free(). */
struct fetch_settings {
/* user_agent is sent unchanged, and its product token is the agent's name in robots.txt. At most FETCH_MAX_TRIES and
 * FETCH_MAX_REDIRECTS, and for max_headers ANSWER_MAX_HEADERS. A body that is larger than max_filesize or max_unpacked is
 * OUTCOME_TOO_BIG. */
#define FETCH(kind, field, ...) FLAG_TYPE_##kind field;
#include "base/settings.h"
	unsigned threads; /* >= 1; at most `parallel` threads are started */
	/* the topic of a focused crawl: the links of an HTML page are dropped if no line of its text matches (fetch/page_fill.h),
	 * unless the request says otherwise; NULL: every page is of it */
	const regex_t *topic;
	const char *topic_text; /* the expression, for processes that read pages */
	struct guard *guard;    /* decides where to connect; NULL: anywhere */
	/* 1: a page is only requested at the address in its fetch_request; see fetchers_submit(). Requests through
	 * a proxy need no address. */
	int by_address;
	/* the time, in ms of clock_boot_ms(), at which the agent's lease of its hosts ends (agents/member.h): from then on no
	 * request begins, and those in flight are aborted, as by fetchers_abort(), until another thread sets a later time. NULL:
	 * there is no lease */
	const _Atomic int64_t *lease_end;
	const struct credentials *credentials; /* may be NULL */
	/* user agent, robots.txt and credentials of some hosts, in place of the fields here; NULL: none. `auth` of `credentials`
	 * counts before that of a host */
	const struct host_settings *host_settings;
	const char *agent_end;         /* appended to the user agents of host_settings; may be NULL */
	unsigned heed;                 /* a mask of enum fetch_heed */
	unsigned rules;                /* a mask of parser/url_rules.h, applied to links */
	struct warc *archive;          /* keeps all requests and answers; NULL: no archive */
	struct page_service *scorer;   /* scores crawled pages (fetch/scorer.h); NULL: pages have no scores */
	struct page_service *runner;   /* runs a command for crawled pages (fetch/page_command.h); NULL: none */
	struct page_service *renderer; /* renders the pages that need a browser (fetch/page_command.h); NULL: none */
	struct page_jail *jail;        /* reads the pages, with a cell for each thread (fetch/page_jail.h); NULL: the threads do */
	int fingerprints;              /* 1: fingerprints of pages are computed (parser/fingerprint.h) */
	int requisites;                /* 1: the requisites of pages are reported */
	int simhash;                   /* 1: SimHashes of pages are computed (parser/fingerprint.h) */
	uint64_t max_memory;           /* bytes of all bodies in flight, fetch/body_memory.h; 0: no bound */
	unsigned kinds;                /* a mask of 1 << enum link_kind: the links that are reported */
	uint32_t max_links;            /* the most distinct links of a page; further links are dropped */
};

/* The defaults of the settings of base/settings.h, and sensible values for the others; user_agent is NULL. */
extern const struct fetch_settings fetch_defaults;

/* What lists of URLs the body of a page was read as. */
enum fetch_listing { LISTING_NONE, LISTING_SITEMAP, LISTING_INDEX, LISTING_FEED };

/* One fetched page: a single allocation, freed by fetch_page_free(). Offsets are positions in `text`. */
struct fetch_page {
	/* What became of the page, in ms of clock_ms(). Its texts are those of this struct; it has no ids but that of the request,
	 * and so neither links nor a target. */
	struct result result;
	int no_request; /* 1: no request was made for the page; the outcome is that of an earlier request to its origin */
	struct net_address address; /* OUTCOME_ADDRESS: the address to be granted; else none, or the host's */
	/* CRAWLED, with settings.scorer: the line for the score command (fetch/page_fill.c), which a page with the status 304
	 * does not have */
	const char *line;
	size_t line_n;
	/* CRAWLED, with settings.runner: the URL, a NUL, and the decompressed body, shown_n bytes in all; NULL: the page has no
	 * body (status 304) */
	const char *shown;
	size_t shown_n;
	struct page_about about; /* the texts of the result */
	enum fetch_listing listing;
	/* the robots.txt that was fetched for this page's origin, robots_n bytes ("" if the origin has none), which is
	 * valid for ROBOTS_LIVE_MS from the end on; NULL on all pages but the first that waited for it */
	const char *robots;
	size_t robots_n;
	/* the number of links. CRAWLED: the links of the page. OUTCOME_SITEMAPS: the sitemaps that robots.txt names.
	 * REDIRECTED: 1, the target */
	uint32_t n;
	const uint32_t *start;    /* n + 1: link i begins at start[i] and ends before start[i+1] - 1, with a NUL */
	const uint32_t *host_end; /* n: the end of the link's host with its port, relative to start[i] */
	const uint32_t *host;     /* n: the start of the link's host, relative to start[i] */
	const uint32_t *changed;  /* n: when a sitemap says that the page has changed, s since 1970; 0: unknown */
	const uint8_t *kinds;     /* n: enum link_kind with flags */
	const char *text;         /* the URLs of the links, one after the other */
	const char *anchors;      /* n anchor texts, each with its NUL; NULL: all are "" (settings.anchors) */
	size_t size;              /* bytes of the allocation */
};

struct fetchers;

/* Starts the threads. The struct of settings is copied, what it points to is not. Returns 0, or ERR_OTHER if threads or libcurl
 * cannot be had. */
int fetchers_new(struct fetchers **, const struct fetch_settings *, struct err_note *why) MUST_USE;

/* Returns how many pages may be in flight: `parallel` of the settings, or fewer if there are not enough file descriptors
 * (fetch/descriptors.h). */
unsigned fetchers_parallel(const struct fetchers *);

/* Returns the number of bytes that all bodies in flight take now. */
uint64_t fetchers_memory(const struct fetchers *);

/* Aborts the transfers in flight, joins the threads and frees everything. */
void fetchers_free(struct fetchers *);

struct fetch_request {
	uint32_t id;
	const char *url; /* canonical, n bytes */
	size_t n;
	unsigned tries;             /* the tries of the page so far */
	int is_any_topic;           /* 1: the page's links are followed whatever its text is */
	struct net_address address; /* by_address: the address that the caller grants; none: no address yet */
	struct validators since;    /* for a conditional request; zero: an unconditional one */
};

/* Submits a page, of which fewer than fetchers_parallel() may be in flight. The request is copied.
 *
 * The fetcher resolves the name of the page's host first (fetch/names.c). With `by_address`, if the request's address
 * is not one of the host's, the page is put back with OUTCOME_ADDRESS and one of the host's addresses, and no request
 * is made. So the caller learns where a request will go before it is made, and can count it for the politeness of
 * that address; it grants the address by submitting the page with it. If no connection to the granted address is
 * possible and the host has another one, the page is put back with that one in the same way. If robots.txt is
 * redirected to another host, the page is put back with an address of that host, and later with one of its own host
 * again.
 *
 * If `since` has a validator, the request is conditional; a page that has not changed comes as CRAWLED with the status
 * 304, without links and without a digest. */
void fetchers_submit(struct fetchers *, const struct fetch_request *);

/* Hands in the robots.txt of a URL's origin (text_n bytes, from an earlier sitting), which is valid for `ms` more. It is used
 * if the fetcher has nothing newer, and saves the request. The call is allowed once before each fetchers_submit(). */
void fetchers_know_robots(struct fetchers *, const char *url, size_t n, const char *text, size_t text_n, int64_t ms);

/* Waits for a page until the time `until` (ms of clock_ms(); INT64_MAX: without a limit). Returns 1 with a page, which the
 * caller owns, or 0 at that time. Every submitted page comes back exactly once. */
int fetchers_reap(struct fetchers *, struct fetch_page **, int64_t until);

/* Frees a page. */
void fetch_page_free(struct fetch_page *);

/* Makes a page usable that is a copy, byte by byte, of the page at the address `from`. It is not freed by fetch_page_free(). */
void fetch_page_moved(struct fetch_page *, uintptr_t from);

/* Aborts the transfers in flight: their pages come back as PAGE_QUEUED with OUTCOME_ABORTED, and so do all pages that are
 * submitted later. Further calls have no effect. */
void fetchers_abort(struct fetchers *);

#endif
