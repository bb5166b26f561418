/* The frontier answers two questions: which page is fetched next, and when its host may be asked. It owns
 * the states, keys and queues of all pages; a policy writes the keys (frontier/policy.h).
 *
 *	frontier_seed(f, ids, n);                         pages to begin with
 *	while (frontier_take(f, now, &id))                the best page of the hosts that may be asked
 *		... fetch it; some time later:
 *	err = frontier_ended(f, id, &(struct frontier_end){.state = PAGE_CRAWLED, .at = now,
 *			.links = links, .n_links = n});
 *	wait_until(frontier_next_time(f));                if no page could be taken
 *
 * The states of a page (enum page_state). Each arrow is asserted where it is made:
 *
 *                 a seed, or a link to it           frontier_take
 *      UNSEEN ------------------------------> QUEUED -----------> IN_FLIGHT
 *        |                                     |   ^                  |
 *        | a link to it,      frontier_refuse  |   |  frontier_ended: | frontier_ended
 *        | out of scope                        |   +--- again --------+-----> CRAWLED
 *        v                                     v                      |-----> FAILED
 *      OUTSIDE                              REFUSED <-----------------|
 *                                                                     +-----> REDIRECTED
 *
 *   OUTSIDE -> QUEUED             as a seed, or if a link or redirect finds it and scope lets it in by
 *                                 now: as if it had just been discovered
 *   REFUSED, FAILED -> QUEUED     as a seed: likewise
 *
 * The first page of a host whose address is not known goes to and fro, since the address is learnt by
 * fetching: it is taken, ends as QUEUED with the address told and no request made, and can be taken again at
 * once. The first page of an origin goes to and fro once more while robots.txt is fetched; that is a
 * request, so the host rests after it. doc/design.md has both in one drawing.
 *
 * Invariants:
 *  F1 a page has one seq, given at its discovery: 0, 1, 2 ... A page that was refused, outside or failed and
 *     is queued after all is given another, and a page hands its own on to the page that it redirects to.
 *  F2 a queued page is in exactly one of: its host's pile (frontier/pile.h), the heap of the pages that
 *     wait for a time of their own.
 *  F3 an entry of a heap holds a copy of (key, seq, id) and is compared by that copy alone; after a
 *     hook of the policy the changed keys are copied in one by one, each followed by its sift.
 *     (Comparing through page[].key while several keys have changed would break the heap. A part has
 *     no order that could break: a page gets its entry when it gets into the heap.)
 *  F4 a host is in exactly one of: the heap of ready hosts, the heap of waiting hosts, the heap of its
 *     server, none. frontier/hosts.h says when.
 *  F5 the key of a page is finite, and frozen from take to the end.
 *  F6 given the same calls with the same arguments, the frontier gives the same pages.
 *  F7 where policies take turns (struct policy_turn), each is told of everything from the first seed on,
 *     and has keys of its own: when its turn comes its keys are what they would be had it alone been
 *     told of the same events. A turn ends when so many pages are crawled, after the policies were told
 *     of the last of them: the page taken next is the best by the new keys.
 *
 * One thread owns a frontier. Time is whatever the caller says, in ms. */
#ifndef FRONTIER_FRONTIER_H
#define FRONTIER_FRONTIER_H

#include "frontier/policy.h"

/* A time that never comes. */
#define FRONTIER_NEVER INT64_MAX

/* A host that is not to be asked before this time is given up: its pages stay queued, and nothing waits for them. */
#define FRONTIER_FOR_GOOD (INT64_MAX / 2)

/* The longest rest of a host for its slowness alone. */
#define FRONTIER_MAX_SLOW_MS 60000

/* What the frontier asks of the world around it. */
struct frontier_world {
	void *ctx;
	/* Returns the host of a page that is queued for the first time. Hosts are dense ids from 0.
	 * NULL: all pages are on host 0. */
	uint32_t (*host)(void *ctx, uint32_t id);
	/* Says whether scope refuses a page that a link or redirect has found. The frontier asks again each
	 * time that such a page is found, until scope lets it in. NULL: scope refuses none. */
	int (*outside)(void *ctx, uint32_t id);
	/* Gives the distinct links of a crawled page: see view_links(). */
	size_t (*links)(void *ctx, uint32_t u, const uint32_t **out);
	/* Says whether a page that a link or redirect has found, and that scope lets in, is deferred (see
	 * below). NULL: no page ever is, and deferring costs nothing. */
	int (*defers)(void *ctx, uint32_t id);
};

struct frontier_settings {
	const struct policy *policy; /* one policy, or a chain; must outlive the frontier */
	const struct opt_set *opts;  /* the values of policy->opts; likewise */
	const double *oracle; /* what policy->oracle asks for, by id; likewise. NULL: unknown */
	uint64_t batch;       /* pages between two rerankings; >= 1 */
	uint64_t total;       /* pages that the crawl is about; 0: unknown */
	uint64_t rng_seed;
	uint32_t ids;      /* ids that are expected; the frontier grows by itself */
	int64_t delay_ms;  /* politeness: ms between two requests to a host, and to an address */
	uint32_t per_host; /* pages of a host, and of an address, in flight at once; >= 1 */
	/* After a request of t ms the host and its address rest slow_factor * t ms if that is longer than
	 * delay_ms, at most FRONTIER_MAX_SLOW_MS. 0: only the delay counts. Without a delay there is no
	 * rest at all. */
	double slow_factor;
	double jitter; /* each rest is longer by a share drawn from [0, jitter) */
};

struct frontier_counts {
	uint64_t seen, queued, in_flight, crawled, failed, refused, redirected;
	uint64_t deferred;      /* of the queued pages */
	uint64_t given_up;      /* of the queued pages that are not deferred: on hosts that are given up */
	uint64_t hosts_ready;   /* the best host of each address that may be asked now */
	uint64_t hosts_waiting; /* hosts that rest, or wait for others of their address */
	uint64_t hosts_given_up;
};

/* Counts of operations since frontier_new(), for the bounds E log V and 50 E (K+1) of the IECA paper, and
 * for the share of the graph that takes part in its Figure 8. */
struct frontier_work {
	/* The pages that crawled() was given in queued[], in all calls: links from a crawled page to a page
	 * that was queued then, or was queued by the link. */
	uint64_t targets;
	/* Those of them that were queued before and whose key the call has changed: the queue's change-key. */
	uint64_t key_updates;
	/* Entries of the heaps of pages that moved a level up or down so that another could get to its
	 * place, and pages put into parts of piles: since a page was queued, taken, dropped or changed, or
	 * all pages were put in order after a rerank. 0 if the queue is a FIFO. */
	uint64_t heap_moves;
	/* What the policy has counted in rerank(): struct policy_work. */
	uint64_t ranked_pages, ranked_arcs;
	/* The pages that take part in the computation of importance now: as many as the policy said in its
	 * last rerank(), or else the queued ones; 0 for a policy without crawled() and rerank(). */
	uint64_t taking_part;
};

struct frontier;

/* Makes a frontier. Returns ERR_USAGE if the policy needs an oracle that is missing, or an error of
 * policy->init. Free with frontier_free(). */
int frontier_new(struct frontier **, const struct frontier_settings *,
	const struct frontier_world *, struct err_note *why) MUST_USE;

/* Frees a frontier; NULL is allowed. */
void frontier_free(struct frontier *);

/* Queues the unseen, outside, refused and failed ones of n pages as seeds, in their order. The state of other
 * pages does not change. Returns how many were queued. */
size_t frontier_seed(struct frontier *, const uint32_t *ids, size_t n);

/* Takes the best page of the hosts that may be asked at `now`: 1 and *id, or 0 if there is none. */
int frontier_take(struct frontier *, int64_t now, uint32_t *id);

/* Takes up to `most` pages as frontier_take() would one by one. Returns how many, and the key with which each
 * was the best. */
size_t frontier_take_run(struct frontier *, int64_t now, uint32_t *ids, double *keys, size_t most);

/* Says whether pages are taken in the order of their discovery, however they end. If so, the number of pages in
 * flight changes no order as long as they end in the order in which they were taken. */
int frontier_is_fifo(const struct frontier *);

/* Guesses which pages will be taken next, so that a source can fetch the memory where they lie. Returns how many
 * ids it has guessed. */
#define FRONTIER_SOON 5
size_t frontier_soon(const struct frontier *, uint32_t id[FRONTIER_SOON]);

/* Whether a request was made, or tried, while a page was in flight. */
enum frontier_request {
	FRONTIER_ASKED,    /* the host rests until the delay is over */
	FRONTIER_NOT_ASKED /* the host may be asked as if the page had not been taken */
};

/* What was learnt of a page's host while the page was in flight. */
struct frontier_host_news {
	int64_t took; /* ms of a request that was answered */
	int64_t hung; /* ms of a request that was not: they slow down this host alone, and not the others
			  of its address */
	int64_t delay; /* ms between two requests that the host asks for (Crawl-delay); -1: it asks for none */
	int64_t pause; /* the host asks for no request before this time (Retry-After); 0: it does not */
	/* the number, from 1, of the address that the host is at from now on; the hosts of an address share the
	 * delay and the number of pages in flight. 0: nothing was learnt of it */
	uint32_t address;
};

/* How the flight of a page has ended. */
struct frontier_end {
	enum page_state
		state; /* CRAWLED, FAILED, REDIRECTED or REFUSED; QUEUED: it is queued again */
	enum frontier_request request;
	int64_t at; /* the time of the end */
	const struct frontier_host_news
		*host; /* NULL: nothing was learnt, and the request took no time */

	/* if it is CRAWLED: the distinct pages that it links to, in link order */
	const uint32_t *links;
	size_t n_links;
	/* if it is REDIRECTED: the page that it is another name of */
	uint32_t target;
	/* if it is QUEUED: it is deferred from now on, or (0) is what it was; it is taken at this time or later */
	int is_deferred;
	int64_t not_before;
};

/* Ends the flight of a page. The policies are told of a page that was crawled, and rerank if it is time to;
 * returns the error of a rerank, which ends the crawl. A target that a redirect has queued takes the key, the seq
 * and the private bytes of the page; a target that was queued already keeps its own. */
int frontier_ended(struct frontier *, uint32_t id, const struct frontier_end *) MUST_USE;

/* Refuses a page that is queued. */
void frontier_refuse(struct frontier *, uint32_t id);

/* --- deferred pages
 *
 * A queued page is deferred if it is likely to be worth little: it may be a near-duplicate, or a page of a
 * calendar without end. It loses nothing but its turn:
 *
 *   - frontier_take() takes a deferred page only if no other page is queued, be it ready, waiting for its
 *     host or waiting for a time. The policy's keys order the deferred pages of a host, and the hosts by
 *     their best ones, as far as twelve digits of the keys tell them apart.
 *   - frontier_take_sample() takes a deferred page all the same, to see whether its like is worth more.
 *   - The policy is told of deferred pages as of all others, so their keys stay up to date, and a page
 *     that is promoted stands where it would stand if it had never been deferred.
 *   - A deferred page that is queued again (a retry) is deferred again. The target of its redirect is
 *     deferred, too, if the redirect has queued it.
 *   - Seeds are not deferred. After a restore the deferred pages are those that world.defers has named, and
 *     those that were deferred and not promoted since.
 *
 *	frontier_count(f, &counts);
 *	if (counts.deferred && ++crawled % 100 == 0)
 *		frontier_take_sample(f, now, &id);
 *
 * The functions below need a frontier_world with `defers`. */

/* Defers a queued page; a page that is deferred stays so. (A page in flight is deferred by its end.) */
void frontier_defer(struct frontier *, uint32_t id);

/* Makes a page like any other if it is deferred: see frontier_is_deferred(). Other pages stay as they are. */
void frontier_promote(struct frontier *, uint32_t id);

/* Says whether a page that is queued or in flight is deferred. */
int frontier_is_deferred(const struct frontier *, uint32_t id);

/* Takes a deferred page whose host may be asked at `now`: 1 and *id, or 0 if there is none. The page is drawn
 * without replacement, by rng_seed and its id alone, so a crawl that was stopped goes on with the draws that it
 * would have made. If many pages are drawn whose hosts must wait, the result is 0 even though the host of
 * another may be asked. */
int frontier_take_sample(struct frontier *, int64_t now, uint32_t *id);

/* --- time */

/* Returns a time before which no page can be taken: not after now if one can be taken now, FRONTIER_NEVER if a
 * page must end first. At that time it may turn out to be too early still. */
int64_t frontier_next_time(const struct frontier *);

/* --- back from a log
 *
 *	frontier_restore_begin(f);           before the first seed
 *	frontier_seed() for a page that the log says was a seed, frontier_retake() for one that was taken,
 *	frontier_ended() or frontier_refuse() for one that came to an end, in the order of the log
 *	frontier_restore_end(f);             from here on pages can be taken
 *
 * No queue is kept meanwhile: what is queued at the end is queued once. */

/* Begins to restore a frontier that has seen no page. */
void frontier_restore_begin(struct frontier *);

/* Takes the page that the log says was taken. */
void frontier_retake(struct frontier *, uint32_t id);

/* Puts the queued pages into the queue. */
void frontier_restore_end(struct frontier *);

/* --- what can be asked */

/* Counts pages by their states. Outside pages count as refused. */
void frontier_count(const struct frontier *, struct frontier_counts *);

/* Counts the operations so far. */
void frontier_work(const struct frontier *, struct frontier_work *);

/* Returns the number of pages in flight. */
uint64_t frontier_in_flight(const struct frontier *);

/* Returns the policy whose turn it is: one of the chain's, or the settings' own. */
const struct policy *frontier_policy(const struct frontier *);

/* Returns the options of that policy, until its turn ends. */
const struct opt_set *frontier_opts(const struct frontier *);

/* Returns the state of a page; PAGE_REFUSED for an outside one. */
enum page_state frontier_state(const struct frontier *, uint32_t id);

/* Returns the key that a page has now, by the policy whose turn it is; the page must have been seen. */
double frontier_key(const struct frontier *, uint32_t id);

/* Returns what the policy says of the page that was taken last (policy->value, or its key), until the next end. */
double frontier_taken_value(const struct frontier *, uint32_t id);

#endif
