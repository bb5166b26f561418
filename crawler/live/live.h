/* A crawl of the live web as a whole: puts store, archive, scope, network source, frontier and policy together, begins a
 * new crawl or resumes the crawl in a store, and runs it. One thread calls these functions.
 *
 *   struct live_decision d;                             the configuration, made by live_decide()
 *   struct live *l = NULL;
 *   int err = live_new(&l, &(struct live_settings){.dir = "store", .decision = &d}, why);
 *   if (!err) err = live_open(l, why);                  a new store is made, or the crawl in the store is resumed
 *   if (!err) err = live_seed(l, &url, GUARD_NAMED, why);      a URL that live_seed_parse() has read
 *   if (!err) err = live_run(l, why);                   to the end, or to a limit
 *   if (!err) live_summary(l, &summary);
 *   live_close(l); */
#ifndef CRAWLER_LIVE_H
#define CRAWLER_LIVE_H

#include "base/progress.h"
#include "crawler/agent/live_agent.h"
#include "crawler/crawl.h"
#include "crawler/revisit/revisit.h"
#include "crawler/settings/live_decision.h"
#include "fetch/guard.h"
#include "scope/scope.h"
#include "storage/store.h"

/* The membership in a crawl of several agents. */
struct live_join {
	struct member *member; /* must outlive the crawl */
	const struct roster *roster;
	unsigned self;
};

/* What a crawl of requisites shares with the crawl of the pages that need them (crawler/live/live_requisites.h). */
struct live_shared {
	struct warc *archive; /* NULL: there is none */
	struct guard *guard;
	struct page_jail *jail; /* NULL: there is none */
};

struct live_settings {
	const char *dir;                      /* the store's folder */
	const struct live_decision *decision; /* the configuration; must outlive the crawl */
	unsigned retry_failed;                /* a mask of enum retry_reason: failed pages that are queued again */
	int retry_skipped;                    /* 1: pages that were skipped as part of a trap are queued again */
	const volatile sig_atomic_t *stop;    /* see struct crawl; also stops live_open() while it resumes */
	const int *paused;                    /* see struct crawl */
	const struct live_join *join;         /* NULL: the crawl has one agent */
	/* the crawl is one of requisites: its links are the requisites of its pages, and its seeds may be connected to where
	 * another crawl's guard allows; NULL: it is not */
	const struct live_shared *shared;
	int is_view; /* 1: the crawl is opened to be looked at: nothing is written, and live_run() is not called */
	int damaged; /* 1: of a damaged store the rest is looked at */
	/* live_open() calls this when all files that the crawl writes are open and no thread runs yet, so that
	 * the caller can enter a sandbox; NULL: nothing is called */
	int (*confine)(const void *ctx, struct err_note *why);
	const void *confine_ctx;
	struct page_nursery *nursery; /* of processes that read the bodies of pages (fetch/page_jail.h); NULL: threads do */
};

#define LIVE_OBSERVERS 7

struct live;

/* Makes the parts of the crawl that need no file for writing: the policy with its options, the scope, the settings of the
 * network. Returns 0; ERR_USAGE for a wrong regex or option, and for a policy in a file that the store names and
 * the user has not named; ERR_FILE or ERR_FORMAT for the files of credentials. *out is NULL after an error. */
int live_new(struct live **out, const struct live_settings *, struct err_note *why) MUST_USE;

/* Adds n <= LIVE_OBSERVERS observers, which are called before the store records an event, and a progress (or NULL) that
 * live_open() shows while it resumes. The caller calls this before live_open(). Observers and progress must outlive
 * the crawl. */
void live_observe(struct live *, const struct observer *, size_t n, struct progress *);

/* Opens or creates the store and the archive, writes the settings into the store, and resumes the crawl: frontier and
 * source are brought to the state at the end of the store's log. Then the changes that the settings ask for are
 * made: another policy, another scope, pages to retry. Returns 0, or an error of any of these parts; ERR_INTERRUPTED
 * if *stop was set meanwhile. */
int live_open(struct live *, struct err_note *why) MUST_USE;

/* Ends all threads, closes all files, and frees the crawl. NULL is allowed. */
void live_close(struct live *);

/* Parses a text of n bytes into *u. Returns 0, or ERR_USAGE if it is no http or https URL. */
int live_seed_parse(struct url *u, const char *text, size_t n, struct err_note *why) MUST_USE;

/* Adds a seed, after live_open(). The origin says whether its host may have a private address (fetch/guard.h). The call has no
 * effect if the page is a seed of the crawl already. Returns 0; ERR_FILE if this machine has no certificates for an https seed; or
 * an error of the store. */
int live_seed(struct live *, const struct url *, enum guard_origin origin, struct err_note *why) MUST_USE;

/* Adds a seed that a page needs, n bytes of a canonical URL. Unlike a seed of the user's it allows no address, and it is
 * dropped if it is out of scope. Returns 0 or an error of the store. */
int live_require(struct live *, const char *url, size_t n, struct err_note *why) MUST_USE;

/* Queues the seeds that were added while the crawl runs, between two steps of its loop (the `step` hook of an observer). */
void live_queue_seeds(struct live *);

/* Commits what has changed, while the crawl runs, between two steps of its loop. Returns 0, or an error of the store or of
 * an observer. */
int live_commit(struct live *, struct err_note *why) MUST_USE;

/* Queues the seeds that were added, crawls until an end of enum crawl_end, commits, and closes the archive, unless it is
 * shared. A crawl runs once; one of requisites runs again and again. Returns 0 or the first error; ERR_USAGE if a seed of
 * the store had a private address in an earlier sitting, and nothing allows that in this one. */
int live_run(struct live *, struct err_note *why) MUST_USE;

/* The requisites of a crawl's pages, of all sittings. */
struct live_requisite_counts {
	uint64_t fetched, failed, refused, queued;
	enum crawl_end end; /* of the last turn */
};

struct live_summary {
	struct frontier_counts pages;    /* of the whole crawl, earlier sittings included */
	uint64_t crawled_now, bytes_now; /* of this sitting */
	uint64_t shells_now;             /* pages of this sitting that need a browser, and were not rendered */
	uint64_t rendered_now;           /* pages of this sitting that were rendered (--render-cmd) */
	enum crawl_end end;
	int64_t ms;                   /* the time that live_run() took */
	size_t seeds, seeds_failed;   /* seeds of all sittings; those that failed or were refused */
	int resumed;                  /* 1 if the store had a crawl */
	struct revisit_counts visits; /* of this sitting, with --refresh */
	double gain;                  /* of the last look of --stop-when (crawler/observers/stop_when.h); NAN: there was none */
	int has_requisites;           /* 1: with --requisites */
	struct live_requisite_counts requisites;
};

/* Fills in the summary, after live_run(). */
void live_summary(struct live *, struct live_summary *);

/* Returns the crawl's scope, valid until live_close(). */
struct scope *live_scope(struct live *);

/* Returns the mask of URL rules that --normalise has set (parser/url_rules.h). */
unsigned live_url_rules(const struct live *);

/* Returns the crawl's store, valid until live_close(); NULL before live_open(). */
struct store *live_store(struct live *);

/* Returns the crawl's frontier, valid until live_close(); NULL before live_open(). */
struct frontier *live_frontier(struct live *);

/* Returns the crawl's source of pages, valid until live_close(); NULL before live_open(). */
struct source *live_source(const struct live *);

#endif
