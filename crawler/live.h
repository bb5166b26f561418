/* A live crawl: store, scope, network source and frontier put together, from nothing or from where
 * the store left off. */
#ifndef CRAWLER_LIVE_H
#define CRAWLER_LIVE_H

#include "base/progress.h"
#include "crawler/crawl.h"
#include "fetch/fetch.h"
#include "fetch/guard.h"
#include "crawler/live_kept.h"
#include "scope/scope.h"
#include "storage/store.h"

struct live_settings {
	const char *dir;
	const char *previous; /* the store of an earlier crawl to compare with; NULL: none */
	const char *warc;     /* where the archive is kept: a prefix; NULL: nowhere */
	uint64_t warc_limit;  /* bytes of a file of it */
	struct live_kept kept;
	struct fetch_settings fetch; /* but for guard, archive, fingerprints, simhash and rules */
	struct guard_settings guard;
	int64_t delay_ms;
	double slow_factor, jitter; /* see struct frontier_settings */
	uint32_t per_host;
	uint64_t max_pages, max_bytes;
	int swap;    /* the policy may be another than the store's, which it replaces */
	int rescope; /* the scope may be another than the store's, which it replaces */
	uint64_t host_pages, domain_pages; /* most of a host and of a registrable domain; 0: any */
	int64_t max_time;                  /* ms */
	const volatile sig_atomic_t *stop; /* also looked at while the crawl comes back */
	const struct observer *observers;  /* told before the store is */
	size_t n_observers;                /* at most LIVE_OBSERVERS */
	struct progress *progress;         /* of coming back from a store; may be NULL */
};

#define LIVE_OBSERVERS 4

struct live;

/* Whether what is given can be a crawl's, so that nothing is made where it cannot: the policy and its
 * options, the regexes. ERR_USAGE. */
int live_check(const struct live_settings *, struct err_note *why) MUST_USE;

/* The scope that such settings make, without its seeds. ERR_USAGE. */
int live_scope(struct scope **, const struct live_kept *, const struct live_settings *,
	struct err_note *why) MUST_USE;

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
