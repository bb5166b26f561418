/* The frontier: which page next, and when its host may be asked.
 *
 * States of a page (enum page_state), asserted at each arrow:
 *
 *   unseen -> queued                     discovered, as a seed or by a link
 *   unseen -> outside                    found by a link, out of scope
 *   outside -> queued                    given as a seed, or found again and now in scope (a
 *                                        shorter way to it): as if discovered then
 *   refused -> queued                    given as a seed: likewise
 *   failed -> queued                     given as a seed: it is tried again
 *   queued -> in flight                  frontier_take
 *   in flight -> crawled | failed | redirected | refused (robots.txt)    frontier_ended
 *   in flight -> queued                  frontier_ended, with the key it was taken with
 *   queued -> refused                    frontier_refuse
 *
 * Invariants:
 *  F1 a page has one seq, given at its discovery, 0, 1, 2 ...; only one that was refused and is
 *     queued after all is given another, and a page hands its own on to what it redirects to.
 *  F2 a queued page is in exactly one of: its host's pile (its heap or a part of the rest:
 *     frontier/pile.h), the heap of pages that wait for a time.
 *  F3 an entry of a heap holds a copy of (key, seq, id) and is compared by that copy alone; after a
 *     hook of the policy the changed keys are copied in one by one, each followed by its sift.
 *     (Comparing through page[].key while several have changed would break the heap. A part has
 *     no order that could break: a page gets its entry when it gets into the heap.)
 *  F4 a host is in exactly one of: the ready heap (by its best entry), the waiting heap (by time),
 *     the heap of its server (it may be asked, but the server may not, or has a better host),
 *     none (nothing queued, or as many pages in flight as it may have).
 *  F5 the key of a page is finite, and frozen from take to the end.
 *  F6 given the same calls with the same arguments, the frontier gives the same pages.
 *  F7 where policies take turns (a chain: struct policy_turn), each is told of everything from the
 *     first seed on, and has keys of its own: when its turn comes its keys are what they would be
 *     had it alone been told of the same events. The turn changes when so many pages are crawled,
 *     after the last of them was told of: what is taken then is the best by the new keys.
 *
 * One thread owns a frontier. Time is whatever the caller says, in ms. */
#ifndef FRONTIER_FRONTIER_H
#define FRONTIER_FRONTIER_H

#include "frontier/policy.h"

#define FRONTIER_NEVER INT64_MAX

#define FRONTIER_MAX_SLOW_MS 60000

/* What the frontier asks of the world. */
struct frontier_world {
	void *ctx;
	/* The host of a page, asked when it is first queued. Hosts are dense ids from 0.
	 * NULL: all pages are on host 0. */
	uint32_t (*host)(void *ctx, uint32_t id);
	/* Whether scope refuses a page, asked when a link finds it, until it does not.
	 * NULL: it refuses none. */
	int (*outside)(void *ctx, uint32_t id);
	/* The distinct links of a crawled page: see view_links(). */
	size_t (*links)(void *ctx, uint32_t u, const uint32_t **out);
	/* Whether a page that a link or redirect has found, and that scope lets in, is queued as
	 * deferred: see below. NULL: none ever is, and deferring costs nothing. */
	int (*defers)(void *ctx, uint32_t id);
};

struct frontier_settings {
	const struct policy *policy; /* maybe a chain; must outlive the frontier */
	const struct opt_set *opts;  /* likewise; for policy->opts */
	const double *oracle;        /* likewise; for policy->oracle, by id. NULL: unknown */
	uint64_t batch;              /* pages between rerankings; >= 1 */
	uint64_t total;              /* pages the crawl is about; 0: unknown */
	uint64_t rng_seed;
	uint32_t ids;      /* ids expected; grows by itself */
	int64_t delay_ms;  /* between two requests to a host, and to an address */
	uint32_t per_host; /* pages of a host, and of an address, in flight at once; >= 1 */
	/* After a request that took t ms its host and address rest slow_factor * t, where that is
	 * more than delay_ms (FRONTIER_MAX_SLOW_MS at most); 0, or no delay at all: no matter. */
	double slow_factor;
	double jitter; /* each rest is longer by a share drawn from [0, jitter) */
};

struct frontier_counts {
	uint64_t seen, queued, in_flight, crawled, failed, refused, redirected;
	uint64_t deferred; /* of those queued */
	uint64_t hosts_ready, hosts_waiting;
};

/* Operations since frontier_new(), for the bounds E log V and 50 E (K+1) of the IECA paper, and how
 * much of the graph takes part in its Figure 8. */
struct frontier_work {
	/* Calls of crawled() have been given so many pages in queued[], in all: arcs that led from a
	 * crawled page to one that was queued then, or queued by it. */
	uint64_t targets;
	/* Of these, pages queued before whose key the call changed: the queue's change-key. */
	uint64_t key_updates;
	/* Entries in the heaps of pages that were moved to their parent's place or a child's, so
	 * that another could go to its own, and pages put into a part of the rest: by pages queued,
	 * taken, dropped, changed, or all put in order after a rerank. 0 where the queue is a FIFO. */
	uint64_t heap_moves;
	/* What the policy has counted in rerank: struct policy_work. */
	uint64_t ranked_pages, ranked_arcs;
	/* Pages that take part in the importance computation now: those of the last rerank, where
	 * it says so, else those queued; 0 for a policy that computes none (without crawled() and
	 * rerank()). */
	uint64_t taking_part;
};

struct frontier;

/* A new frontier; ERR_USAGE for a policy whose oracle is missing, else an error comes from
 * policy->init. Free with frontier_free(). */
int frontier_new(struct frontier **, const struct frontier_settings *,
	const struct frontier_world *, struct err_note *why) MUST_USE;
void frontier_free(struct frontier *);

/* Queues seeds, in order: those unseen, refused or failed; the state of others does not change. Returns how many
 * were queued. */
size_t frontier_seed(struct frontier *, const uint32_t *ids, size_t n);

/* Takes the best page among the hosts that may be asked at `now`: 1 and *id, or 0 for none. */
int frontier_take(struct frontier *, int64_t now, uint32_t *id);

/* The same, up to `most` times: how many, and the keys by which they were the best. */
size_t frontier_take_run(struct frontier *, int64_t now, uint32_t *ids, double *keys, size_t most);

/* Whether pages are taken in the order of their discovery, whatever becomes of them: then it does
 * not matter how many are in flight, as long as they come back in order. */
int frontier_is_fifo(const struct frontier *);

/* Guesses what will be taken soon, and after it, so that the memory where it lies can be fetched
 * meanwhile. Up to FRONTIER_SOON ids; returns how many. */
#define FRONTIER_SOON 5
size_t frontier_soon(const struct frontier *, uint32_t id[FRONTIER_SOON]);

/* Whether a request was made, or tried, while a page was in flight. */
enum frontier_request {
	FRONTIER_ASKED,    /* its host rests until the delay is over */
	FRONTIER_NOT_ASKED /* its host may be asked as if the page had not been taken */
};

/* How the flight of a page ended, and what has been learnt of its host meanwhile. */
struct frontier_end {
	enum page_state
		state; /* CRAWLED, FAILED, REDIRECTED, REFUSED; QUEUED: it is queued again */
	enum frontier_request request;
	int64_t at; /* when it ended */

	const uint32_t *links; /* CRAWLED: n_links distinct pages that it links to, in link order */
	size_t n_links;
	uint32_t target;    /* REDIRECTED: the page that it is another name of */
	int64_t not_before; /* QUEUED: it is taken at this time or later */
	int is_deferred;    /* QUEUED: 1 if it is deferred from now on; 0: it is what it was */

	int64_t took; /* ms of the request, if it was answered */
	int64_t hung; /* ms of a request that never was: they slow down this host alone, not the
			     others at its address */
	int64_t delay; /* ms that the host asks for between requests (Crawl-delay); -1: it does not */
	int64_t pause; /* the host is not to be asked before this time; 0: it does not say */
	uint32_t
		address; /* the number of the address that the host is at from now on, from 1; 0: not
			     told. The hosts of one address share the delay and the number in flight. */
};

/* Ends the flight of a page. A target of a redirect that is queued by it takes the key, the seq and the
 * private bytes of id; one that is queued already keeps its own. Returns the error of a rerank, if any. */
int frontier_ended(struct frontier *, uint32_t id, const struct frontier_end *) MUST_USE;

/* Refuses a queued page. */
void frontier_refuse(struct frontier *, uint32_t id);

/* --- deferred pages
 *
 * A queued page may be deferred, since it is likely to be worth little (a near-duplicate, a page of a
 * calendar without end). Nothing is lost by that but its turn:
 *
 *   - frontier_take() takes a deferred page only where no other page is queued, be it ready, waiting
 *     for its host or for a time; the policy's key orders the deferred pages of a host, and the
 *     hosts by their best ones, as far as twelve digits of the keys tell them apart;
 *   - frontier_take_sample() takes one all the same, to see whether its like is worth more;
 *   - the policy is told of deferred pages as of all others, its keys stay up to date, and a page
 *     that is promoted stands where it would if it had never been deferred: key and seq are its own;
 *   - a deferred page that is taken and comes back (a retry) is deferred again; what a deferred page
 *     redirects to is deferred, too, where it is queued by that;
 *   - seeds are not deferred. After a restore the deferred pages are those that world.defers has
 *     named, frontier_defer() and frontier_promote() counted in.
 *
 *     if (frontier_counts.deferred && ++crawled % 100 == 0)
 *             frontier_take_sample(f, now, &id);
 *
 * All of them want a frontier_world with `defers`. */

/* Defers a queued page; one that is deferred already stays so. (A page in flight is deferred by its end.) */
void frontier_defer(struct frontier *, uint32_t id);
/* The reverse, also for a page in flight: it is queued as any other from now on. */
void frontier_promote(struct frontier *, uint32_t id);
/* Whether a page that is queued or in flight is deferred. */
int frontier_is_deferred(const struct frontier *, uint32_t id);
/* Takes a deferred page whose host may be asked at `now`: 1 and *id, or 0 for none. Which one is a draw
 * without replacement that depends on rng_seed and the page alone, so that a crawl that was stopped
 * goes on with the draws it would have made. (Where many are drawn whose hosts must wait, 0 even
 * though some other could be asked.) */
int frontier_take_sample(struct frontier *, int64_t now, uint32_t *id);

/* No page can be taken before this time, though it may turn out to be too early still: a time not
 * after now where one can be taken now, FRONTIER_NEVER where it takes an event first. */
int64_t frontier_next_time(const struct frontier *);

/* Coming back from a log: between begin and end, frontier_retake() takes the page that the log
 * says was taken, and no queue is kept; end queues what is queued. */
void frontier_restore_begin(struct frontier *);
void frontier_retake(struct frontier *, uint32_t id);
void frontier_restore_end(struct frontier *);

void frontier_count(const struct frontier *, struct frontier_counts *);
void frontier_work(const struct frontier *, struct frontier_work *);
uint64_t frontier_in_flight(const struct frontier *); /* pages */
/* Whose turn it is, and its options: of a chain one of its policies, else the settings' own. */
const struct policy *frontier_policy(const struct frontier *);
const struct opt_set *frontier_opts(const struct frontier *);
enum page_state frontier_state(const struct frontier *, uint32_t id); /* of one outside: refused */
double frontier_key(const struct frontier *, uint32_t id);            /* of a page seen */
/* What the policy says of a page that was just taken, until the next event: policy->value, or the key. */
double frontier_taken_value(const struct frontier *, uint32_t id);

#endif
