/* The network as a source of pages. Fetcher threads (fetch/fetch.h) fetch and parse the pages. The coordinator thread then
 * finds or adds the id of each link in the store, asks scope whether a new page belongs to the crawl
 * (crawler/knowledge/knowledge.h), replaces aliases by their targets, and drops links that are duplicates after that.
 *
 *	net_source_new(&source, &settings, scope, store, why);
 *	... resume_from_log(), net_source_seed(), crawl_run() ...
 *	source->ops->close(source); */
#ifndef CRAWLER_NET_SOURCE_H
#define CRAWLER_NET_SOURCE_H

#include "crawler/knowledge/knowledge.h"
#include "crawler/network/net_fleet.h"
#include "crawler/source.h"
#include "fetch/fetch.h"
#include "storage/store.h"

/* Returns a network source. Settings, scope and store, which is open for writing, must outlive the source; ops->close frees it. The
 * source's clock shows ms since 1970; it is set at the start and then follows the monotonic clock. The target of a redirect is the
 * last page of the chain of redirects as far as it is known; a redirect that closes a circle fails with OUTCOME_CIRCLE, and one
 * that is too many in a row with OUTCOME_REDIRECTS. Returns 0, or ERR_OTHER if threads or libcurl cannot be had. */
int net_source_new(struct source **, const struct fetch_settings *, struct scope *, struct store *, struct err_note *why) MUST_USE;

/* Sets how long a host that has answered before, or the whole network, may be silent before it is given up
 * (crawler/knowledge/outages.h); the default is OUTAGE_GIVE_UP_MS. The caller calls this before resume_from_log(). */
void net_source_give_up_after(struct source *, int64_t ms);

/* Makes the scores in the store those of its pages, for a crawl with a score command that is only looked at, so that the command
 * does not run. The caller calls this before the frontier is made. */
void net_source_has_scores(struct source *);

/* Compares with the store of an earlier crawl, which is open for reading and must outlive the source: pages that are
 * crawled there are requested only if they have changed since. A page that has not changed comes as CRAWLED with the
 * status 304, and with the links, digest and validators from the earlier crawl. */
void net_source_compare(struct source *, struct store *previous);

/* Lets the results of sitemaps have what these claim of pages (struct claim). The visit of a sitemap is then no conditional
 * request, since its dates are needed also if it has not changed. */
void net_source_read_dates(struct source *);

/* Divides the pages among agents: those whose partition is another agent's are remote to the frontier, which is made after this
 * call. The permits are copied; the shares must outlive
 * the source. */
void net_source_divide(struct source *, const struct shares *, unsigned self, const struct net_permits *);

/* Makes known what became of a page that another agent has fetched (crawler/agent/page_record.h), as if it had been fetched here at
 * the times of its result, in ms since 1970. Completes the result. Returns 0 or an error of the store. */
int net_source_adopt(struct source *, struct fetch_page *, struct err_note *why) MUST_USE;

/* Returns the division, for the letters of other agents; valid until the source is closed. */
struct net_fleet *net_source_fleet(struct source *);

/* Finds the page of a URL that the user names, and adds it to the store at depth 0 if it is new. Returns 0 with its *id,
 * or an error of the store. The page is not requested before the caller has made it a seed and queued it:
 *
 *	err = net_source_find(source, &url, &id, why);
 *	if (!err && !net_source_is_seed(source, id))
 *		err = net_source_seed(source, id, why);
 *	frontier_seed(frontier, &id, 1); */
int net_source_find(struct source *, const struct url *, uint32_t *id, struct err_note *why) MUST_USE;

/* Says whether a page is at depth 0 and in scope, as every seed is. */
int net_source_is_seed(const struct source *, uint32_t id);

/* Makes a page a seed, and writes that into the log: from now on the page and its host are in scope. Returns 0 or an error
 * of the store. */
int net_source_seed(struct source *, uint32_t id, struct err_note *why) MUST_USE;

/* Returns the source's knowledge of its pages, for resume_from_log() and for judging pages again. It is valid until the source is
 * closed. */
struct knowledge *net_source_knowledge(struct source *);

/* A crawl beside another one, which asks the same hosts at other times: that of pages, and that of their requisites
 * (crawler/live/live_requisites.h). rests_until is NULL if there is none. */
struct net_beside {
	void *ctx;
	/* Says whether that crawl has crawled a page, which is then refused here with OUTCOME_IS_PAGE. NULL: it does not matter. */
	int (*has_crawled)(void *ctx, const char *url, size_t n);
	/* Returns the time from which that crawl may ask a host, in ms of the source's clock; 0: it does not know the host. */
	int64_t (*rests_until)(void *ctx, const char *host, size_t n);
};

/* Makes the source look to a crawl beside it when a page's turn comes. The struct is copied. */
void net_source_look_beside(struct source *, const struct net_beside *);

#endif
