/* The frontier: which page next, and when its host may be asked.
 *
 * States of a page (enum page_state), asserted at each arrow:
 *
 *   unseen -> queued                     discovered, as a seed or by a link
 *   unseen -> refused                    found by a link, out of scope
 *   refused -> queued                    given as a seed, or found again and now in scope (a
 *                                        shorter way to it): as if discovered then
 *   queued -> in flight                  frontier_take
 *   in flight -> crawled | failed | redirected | refused (robots.txt)
 *   in flight -> queued                  frontier_retry, with the key it was taken with
 *   queued -> refused                    frontier_refuse
 *
 * Invariants:
 *  F1 a page has one seq, given at its discovery, 0, 1, 2 ...; only one that was refused and is
 *     queued after all is given another, and a page hands its own on to what it redirects to.
 *  F2 a queued page is in exactly one of: its host's heap, the heap of pages that wait for a time.
 *  F3 an entry of a heap holds a copy of (key, seq, id) and is compared by that copy alone; after a
 *     hook of the policy the changed keys are copied in one by one, each followed by its sift.
 *     (Comparing through page[].key while several have changed would break the heap.)
 *  F4 a host is in exactly one of: the ready heap (by its best entry), the waiting heap (by time),
 *     neither (nothing queued, or as many pages in flight as it may have).
 *  F5 the key of a page is finite, and frozen from take to the end.
 *  F6 given the same calls with the same arguments, the frontier gives the same pages.
 *
 * One thread owns a frontier. Time is whatever the caller says, in ms. */
#ifndef FRONTIER_FRONTIER_H
#define FRONTIER_FRONTIER_H

#include "frontier/policy.h"

#define FRONTIER_NEVER INT64_MAX

/* What the frontier asks of the world. */
struct frontier_world {
	void *ctx;
	/* The host of a page, asked when it is first queued. Hosts are dense ids from 0.
	 * NULL: all pages are on host 0. */
	uint32_t (*host)(const void *ctx, uint32_t id);
	/* Whether scope refuses a page, asked when a link finds it, until it does not.
	 * NULL: it refuses none. */
	int (*outside)(const void *ctx, uint32_t id);
	/* The distinct links of a crawled page: see view_links(). */
	size_t (*links)(const void *ctx, uint32_t u, const uint32_t **out);
};

struct frontier_settings {
	const struct policy *policy; /* must outlive the frontier */
	const struct opt_set *opts;  /* likewise; for policy->opts */
	const double *oracle;        /* likewise; for policy->oracle, by id. NULL: unknown */
	uint64_t batch;              /* pages between rerankings; >= 1 */
	uint64_t total;              /* pages the crawl is about; 0: unknown */
	uint64_t rng_seed;
	uint32_t ids;      /* ids expected; grows by itself */
	int64_t delay_ms;  /* between two requests to a host */
	uint32_t per_host; /* pages of a host in flight at once; >= 1 */
};

struct frontier_counts {
	uint64_t seen, queued, in_flight, crawled, failed, refused, redirected;
	uint64_t hosts_ready, hosts_waiting;
};

struct frontier;

/* A new frontier; ERR_USAGE for a policy whose oracle is missing, else an error comes from
 * policy->init. Free with frontier_free(). */
int frontier_new(struct frontier **, const struct frontier_settings *,
	const struct frontier_world *, struct err_note *why) MUST_USE;
void frontier_free(struct frontier *);

/* Queues seeds, in order: those unseen and those refused; others are left alone. Returns how many
 * were queued. */
size_t frontier_seed(struct frontier *, const uint32_t *ids, size_t n);

/* Takes the best page among the hosts that may be asked at `now`: 1 and *id, or 0 for none. */
int frontier_take(struct frontier *, int64_t now, uint32_t *id);

/* Guesses what will be taken soon, and after it, so that the memory where it lies can be fetched
 * meanwhile. Up to FRONTIER_SOON ids; returns how many. */
#define FRONTIER_SOON 5
size_t frontier_soon(const struct frontier *, uint32_t id[FRONTIER_SOON]);

/* How a page in flight ended. `now` is when; the host's next request is at least its delay later.
 * frontier_crawled: links[n] are distinct, in link order. It may return the error of a rerank. */
int frontier_crawled(
	struct frontier *, uint32_t id, const uint32_t *links, size_t n, int64_t now) MUST_USE;
void frontier_failed(struct frontier *, uint32_t id, int64_t now);
/* Queued again, to be taken at `not_before` or later. */
void frontier_retry(struct frontier *, uint32_t id, int64_t not_before, int64_t now);
/* `id` is another name of `target`. A target that is queued by this takes the key, the seq and the
 * private bytes of id; one that is queued already keeps its own. */
void frontier_redirected(struct frontier *, uint32_t id, uint32_t target, int64_t now);
/* Refuses a page in flight, no request having been made, or a queued one. */
void frontier_refuse(struct frontier *, uint32_t id);

/* The delay of the host of a page from now on, at least the settings' delay. */
void frontier_host_delay(struct frontier *, uint32_t id, int64_t delay_ms);

/* When a page can be taken at the earliest: a time not after now where one can be taken now,
 * FRONTIER_NEVER where it takes an event first. */
int64_t frontier_next_time(const struct frontier *);

/* Coming back from a log: between begin and end, frontier_retake() takes the page that the log
 * says was taken, and no queue is kept; end queues what is queued. */
void frontier_restore_begin(struct frontier *);
void frontier_retake(struct frontier *, uint32_t id);
void frontier_restore_end(struct frontier *);

void frontier_count(const struct frontier *, struct frontier_counts *);
uint64_t frontier_in_flight(const struct frontier *); /* pages */
enum page_state frontier_state(const struct frontier *, uint32_t id);
double frontier_key(const struct frontier *, uint32_t id); /* of a page seen */
double frontier_taken_key(const struct frontier *); /* by which the page last taken was the best */
uint32_t frontier_ids(const struct frontier *);     /* page ids run below this */
const struct page *frontier_pages(const struct frontier *); /* the frontier's until the next call */

#endif
