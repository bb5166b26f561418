/* A live crawl: store, scope, network source and frontier put together, from nothing or from where
 * the store left off. */
#ifndef CRAWLER_LIVE_H
#define CRAWLER_LIVE_H

#include "crawler/crawl.h"
#include "crawler/fetch.h"
#include "crawler/live_kept.h"
#include "crawler/scope.h"
#include "storage/store.h"

struct live_settings {
	const char *dir;
	struct live_kept kept;
	struct fetch_settings fetch;
	int64_t delay_ms;
	uint32_t per_host;
	uint64_t max_pages, max_bytes;
	int64_t max_time; /* ms */
	const volatile sig_atomic_t *stop;
	const struct observer *observer; /* beside the store's; may be NULL */
};

struct live;

/* Whether what is given can be a crawl's, so that nothing is made where it cannot: the policy and its
 * options, the regexes. ERR_USAGE. */
int live_check(const struct live_settings *, struct err_note *why) MUST_USE;

/* Opens or makes the store, checks what it keeps against what is asked (ERR_USAGE names both
 * values), and brings the frontier to where it was. */
int live_open(struct live **, const struct live_settings *, struct err_note *why) MUST_USE;
void live_close(struct live *);

/* Whether a text is an http or https URL. ERR_USAGE. */
int live_seed_check(const char *url, size_t n, struct err_note *why) MUST_USE;

/* Adds a seed; one that the crawl knows already is left alone. ERR_USAGE where the text is no http
 * or https URL. */
int live_seed(struct live *, const char *url, size_t n, struct err_note *why) MUST_USE;

/* Queues the seeds added, crawls to the end or a limit, and commits. */
int live_run(struct live *, struct err_note *why) MUST_USE;

struct live_summary {
	struct frontier_counts pages; /* in all, earlier sessions included */
	uint64_t crawled_now, bytes_now;
	enum crawl_end end;
	int64_t ms; /* of live_run() */
	size_t seeds, seeds_failed;
	int resumed;
};

void live_summary(struct live *, struct live_summary *);
struct store *live_store(struct live *);       /* the crawl's until closed */
struct frontier *live_frontier(struct live *); /* likewise */

#endif
