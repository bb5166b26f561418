/* A crawl of the live web, put together: store, scope, network source, frontier and policy, from nothing
 * or from where the store's log ends.
 *
 *   struct live_decision d;                             what holds: crawler/live_decision.h
 *   struct live *l = NULL;
 *   int err = live_new(&l, &(struct live_settings){.dir = "store", .decision = &d}, why);
 *   if (!err) err = live_open(l, why);                  the store is made, or comes back
 *   if (!err) err = live_seed(l, "http://example.org/", 19, why);
 *   if (!err) err = live_run(l, why);                   to the end, or to a limit
 *   if (!err) live_summary(l, &summary);
 *   live_close(l); */
#ifndef CRAWLER_LIVE_H
#define CRAWLER_LIVE_H

#include "base/progress.h"
#include "crawler/crawl.h"
#include "crawler/live_decision.h"
#include "scope/scope.h"
#include "storage/store.h"

struct live_settings {
	const char *dir;                      /* of the store */
	const struct live_decision *decision; /* must outlive the crawl */
	unsigned retry_failed;                /* enum retry_reason: failed pages to take up again */
	int retry_skipped;                    /* pages skipped as part of a trap are taken up again */
	const volatile sig_atomic_t *stop;    /* also looked at while the crawl comes back */
	/* called when all files that it writes are open, before its first thread; NULL: nothing is */
	int (*confine)(const void *ctx, struct err_note *why);
	const void *confine_ctx;
};

#define LIVE_OBSERVERS 4

struct live;

/* Makes what can be made without touching a file that is written: the policy with its options, the
 * scope, the settings of the network. ERR_USAGE for what cannot be: a regex, an option, a policy in a
 * file that the store names and the user does not; ERR_FILE, ERR_FORMAT for credentials. live_close()
 * it in any case; *out is NULL after an error. */
int live_new(struct live **out, const struct live_settings *, struct err_note *why) MUST_USE;

/* Who is told of events, at most LIVE_OBSERVERS, before the store is; and the progress of coming back
 * from a store (NULL: none). Before live_open(); all is borrowed until live_close(). */
void live_observe(struct live *, const struct observer *, size_t n, struct progress *);

/* Opens or makes the store and the archive, writes into the store what it is to keep, and brings
 * frontier and source to where the log ends. */
int live_open(struct live *, struct err_note *why) MUST_USE;
void live_close(struct live *); /* NULL is allowed */

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
struct scope *live_scope(struct live *);       /* the crawl's until closed, as are the others */
unsigned live_url_rules(const struct live *);  /* see parser/url_rules.h */
struct store *live_store(struct live *);       /* NULL before live_open() */
struct frontier *live_frontier(struct live *); /* likewise */

#endif
