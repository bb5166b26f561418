/* The frontier answers two questions: which page is fetched next, and when its host may be asked. It owns
 * the states, keys and queues of all pages; a policy writes the keys (frontier/policy.h).
 *
 *	frontier_seed(f, ids, n);                         the crawl begins with these pages
 *	while (frontier_take(f, now, &id))                id is the best page of the hosts that may be asked
 *		... fetch page id; some time later:
 *	err = frontier_ended(f, id, &(struct frontier_end){.state = PAGE_CRAWLED, .at = now,
 *			.links = links, .n_links = n});
 *	wait_until(frontier_next_time(f));                when frontier_take() returned 0
 *
 * Pages and hosts are dense ids from 0. Times are in ms of the caller's clock: the frontier reads no clock.
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
 *   UNSEEN -> REMOTE              a link to it, or frontier_tell(): the page belongs to another agent
 *   any but IN_FLIGHT -> REMOTE, and back to the state at the old owner     its partition moves to another agent
 *   OUTSIDE -> QUEUED             the page becomes a seed, or a link or redirect finds it again and scope
 *                                 now lets it in; the page counts as discovered at this moment
 *   REFUSED, FAILED -> QUEUED     the page becomes a seed, and counts as discovered at this moment
 *
 * In a live crawl the first page of a new host is usually taken three times (doc/design.md draws the fetcher's
 * side):
 *
 *   frontier_take()    what the fetcher does                 frontier_ended()
 *   1st                it resolves the host's name           QUEUED, NOT_ASKED, host->address is set: the
 *                                                            page can be taken again at once
 *   2nd                it requests robots.txt                QUEUED, ASKED: the host rests for its delay
 *   3rd                it requests the page                  CRAWLED, FAILED ..., ASKED: the host rests; or
 *                      (robots.txt allows the page)          REFUSED, NOT_ASKED if robots.txt disallows it
 *
 * Invariants:
 *  F1 each discovery gives a page a seq: 0, 1, 2 ... A page has one seq at a time. A page that was outside,
 *     refused or failed and is queued after all gets a new seq. The target that a redirect queues gets the
 *     seq of the page that redirects to it.
 *  F2 a queued page is either in a pile of its host (frontier/pile.h), or in the heap of delayed pages,
 *     which wait for a time of their own (not_before of struct frontier_end).
 *  F3 an entry of a heap is a copy of (key, seq, id), and entries are compared by their copies alone. After
 *     a hook of the policy the frontier copies the changed keys into the entries one by one, and sifts each
 *     entry before it copies the next key. (A comparison through page[].key would break the heap while
 *     several keys have changed. The unordered parts of a pile have no entries, so nothing can break.)
 *  F4 a host is in at most one of these heaps: the ready hosts, the waiting hosts, the hosts behind its
 *     server. frontier/hosts.h draws the transitions.
 *  F5 the key of a page is finite. It does not change while the page is in flight, nor afterwards.
 *  F6 given the same calls with the same arguments, the frontier gives the same pages.
 *  F7 if policies take turns (struct policy_turn), every policy hears of every event from the first seed on,
 *     and has its own keys. So at the start of its turn a policy has the keys that it would have if it had
 *     been the only policy. A turn ends when `until` pages are crawled, after all policies have heard of the
 *     last of these pages; the next page is chosen by the keys of the next policy.
 *
 * One thread owns a frontier and calls all functions. */
#ifndef FRONTIER_FRONTIER_H
#define FRONTIER_FRONTIER_H

#include "frontier/policy.h"

/* A time that never comes. */
#define FRONTIER_NEVER INT64_MAX

/* A host whose `pause` is this time or later is given up: its pages stay queued, and the crawl may end without them. */
#define FRONTIER_FOR_GOOD (INT64_MAX / 2)

/* The longest rest, in ms, that slow_factor can cause. */
#define FRONTIER_MAX_SLOW_MS 60000

/* The manners of one host, in place of the fields of struct frontier_settings that have the same names. */
struct frontier_manners {
	int64_t delay_ms;   /* -1: as for all hosts */
	double slow_factor; /* -1: as for all hosts */
	uint32_t per_host;  /* 0: as for all hosts */
};

/* The functions by which the frontier asks for what it does not know itself. They are called within the frontier's
 * functions, by the same thread. */
struct frontier_world {
	void *ctx;
	/* Returns the host of a page that is about to be queued. NULL: all pages are on host 0. */
	uint32_t (*host)(void *ctx, uint32_t id);
	/* Says whether scope refuses a page that a link or redirect has found. The frontier asks again each
	 * time that such a page is found, until scope lets it in. NULL: scope refuses none. */
	int (*outside)(void *ctx, uint32_t id);
	/* Gives the distinct links of a crawled page: see view_links(). */
	size_t (*links)(void *ctx, uint32_t u, const uint32_t **out);
	/* The same links, for policies that read them by the million: those of page u are target[row[u]] to
	 * target[row[u + 1] - 1]. NULL: they lie in no such arrays. */
	const uint64_t *row;
	const uint32_t *target;
	/* Returns the URL of a discovered page: see view_url(). NULL: pages have no URLs. */
	const char *(*url)(void *ctx, uint32_t id, size_t *n);
	/* Returns the score of a crawled page: see view_score(). NULL: pages have no scores. */
	double (*score)(void *ctx, uint32_t id);
	/* Returns the anchor text of link number `link` of a crawled page u: see view_anchor(). NULL: anchor texts are unknown. */
	const char *(*anchor)(void *ctx, uint32_t u, uint32_t link, size_t *n);
	int has_kinds; /* 1: the kinds of links are known (`kinds` of struct frontier_end) */
	/* Says whether a page that a link or redirect has found, and that scope lets in, is deferred (see
	 * "deferred pages" below). NULL: the crawl has no deferred pages, and needs no memory for them. */
	int (*defers)(void *ctx, uint32_t id);
	/* Returns the rank of a page that is about to be queued (base/rank.h), by which it is taken before the policy's key, or the
	 * key is weighted. `depth` is that of struct policy_found: the links between a seed and the page when it was discovered, so
	 * that all worlds agree. Ranks order the pages of hosts that may be asked; politeness is as without them. NULL: all pages
	 * have the same rank, and need no memory for it. */
	uint8_t (*rank)(void *ctx, uint32_t id, uint32_t depth);
	const double *weights; /* RANK_WEIGHTS, above 0 and finite; NULL without `rank` */
	/* Says whether an unseen page that a link or redirect has found belongs to another agent (see "pages of other
	 * agents" below). NULL: the crawl has one agent. */
	int (*is_remote)(void *ctx, uint32_t id);
	/* Says whether a host has manners of its own, and which. The frontier asks once, before it queues the first page of the
	 * host. NULL: all hosts have those of the struct frontier_settings. */
	int (*manners)(void *ctx, uint32_t host, struct frontier_manners *out);
};

/* The limits of a crawl of which hosts have shares (frontier/share.h). */
struct frontier_budget {
	uint64_t pages; /* crawled in all; 0: no limit */
	uint64_t bytes; /* of one sitting; 0: no limit */
	double most;    /* the part that a host may take of what is not its own share, from 0; 1 or more: all */
};

struct frontier_settings {
	const struct policy *policy; /* one policy, or a chain; must outlive the frontier */
	const struct opt_set *opts;  /* the values of policy->opts; must outlive the frontier */
	/* the values of policy->oracle, by id; must outlive the frontier. NULL: unknown */
	const double *oracle;
	uint64_t batch;    /* pages crawled between two rerankings; 0: policies rerank when the crawl has grown */
	double growth;     /* if batch is 0: by this share of its pages; 0: SCHEDULE_GROWTH (frontier/schedule.h) */
	uint64_t total;    /* the number of pages that the crawl is expected to find; 0: unknown */
	uint64_t rng_seed; /* of the policy's random numbers, the jitter, and the draws of deferred pages */
	/* 1: a deferred page waits until no other page is queued anywhere, as is right where the crawl has a budget of pages;
	 * 0: it waits for the other pages of its host alone, and takes no turn from another host's */
	int deferred_last;
	struct frontier_budget budget; /* the hosts of a world with hosts have shares of it; zeroed: they have no limits */
	uint32_t ids;                  /* the expected number of page ids; the frontier makes room for more as they come */
	int64_t delay_ms;              /* politeness: ms between two requests to a host, and to an address */
	uint32_t per_host;             /* the most pages of a host, and of an address, in flight at once; >= 1 */
	/* After a request that took t ms the host and its address rest for slow_factor * t ms, if this is longer
	 * than delay_ms, but for at most FRONTIER_MAX_SLOW_MS. 0: they rest for delay_ms. If delay_ms is 0,
	 * neither value causes a rest. */
	double slow_factor;
	double jitter; /* each rest is made longer by a random share of it, from [0, jitter) */
};

struct frontier_counts {
	uint64_t seen, queued, in_flight, crawled, failed, refused, redirected;
	uint64_t deferred; /* the queued pages that are deferred */
	uint64_t given_up; /* the queued pages that are not deferred and whose host is given up */
	uint64_t spent;    /* the queued pages that are not deferred and whose host is spent (frontier/share.h), and not given up */
	uint64_t hosts_spent;
	uint64_t hosts_ready;   /* hosts that may be asked now; of the hosts of one address only the best counts */
	uint64_t hosts_waiting; /* hosts with queued pages that rest (given up hosts included), or that may be asked
				   but are not the best host of their address, or whose address rests */
	uint64_t hosts_given_up;
	uint64_t hosts_held; /* hosts that are held; they count neither as ready nor as waiting */
};

/* Counts of operations since frontier_new(). The IECA paper bounds them by E log V and by 50 E (K+1), and its Figure 8
 * shows the share of the graph that takes part. */
struct frontier_work {
	/* The lengths of queued[] in all calls of crawled(), summed up: links from a crawled page to a page that
	 * was queued before, or that the link queued. */
	uint64_t targets;
	/* The targets that were queued before and whose key crawled() changed: the change-key operations of the
	 * queue. */
	uint64_t key_updates;
	/* The moves of entries in the heaps of pages, one for each level that an entry moves, and of pages into
	 * parts of piles (frontier/pile.h). Every change of the queue and every reordering after a rerank causes
	 * moves. 0 if the queue is a FIFO. */
	uint64_t heap_moves;
	/* The sums of `pages` and `arcs` that the policy counted in rerank(): struct policy_work. */
	uint64_t ranked_pages, ranked_arcs;
	/* The pages whose importance is being computed: `part` of the policy's last rerank(), or, if the policy
	 * leaves it 0, the queued pages; 0 for a policy without crawled() and rerank(). */
	uint64_t taking_part;
};

struct frontier;

/* Makes a frontier; the caller frees it with frontier_free(). The struct frontier_world is copied. Returns 0;
 * ERR_USAGE if the policy needs an oracle and settings->oracle is NULL, or if it needs to see what the world does not
 * know (enum policy_sight); or an error of policy->init. */
int frontier_new(struct frontier **, const struct frontier_settings *, const struct frontier_world *,
	struct err_note *why) MUST_USE;

/* Frees a frontier; NULL is allowed. */
void frontier_free(struct frontier *);

/* Queues as seeds those of n pages that are unseen, outside, refused or failed, in their order. The states of
 * the other pages do not change. Returns how many pages were queued. */
size_t frontier_seed(struct frontier *, const uint32_t *ids, size_t n);

/* Takes the best page of the hosts that may be asked at the time `now`, which becomes PAGE_IN_FLIGHT. Returns 1 with
 * *id, or 0 if no host that may be asked has a queued page. The caller ends each taken page with frontier_ended(). */
int frontier_take(struct frontier *, int64_t now, uint32_t *id);

/* Takes up to `most` pages, as frontier_take() called one time after the other. Returns how many it took, with their
 * ids[] and keys[]; keys[i] is the key of page ids[i], or of its host if the policy has a host_key. It may take fewer
 * pages than frontier_take() could; 0 means that there is none. */
size_t frontier_take_run(struct frontier *, int64_t now, uint32_t *ids, double *keys, size_t most);

/* Says whether pages are taken in the order of their discovery, because the policy writes no keys and there is one host.
 * If so, the order does not depend on the number of pages in flight, provided that pages end in the order in which they
 * were taken. */
int frontier_is_fifo(const struct frontier *);

/* Guesses which pages will be taken next, so that a source can prefetch their memory. Returns the number of ids in id[];
 * a wrong guess does no harm. */
#define FRONTIER_SOON 5
size_t frontier_soon(const struct frontier *, uint32_t id[FRONTIER_SOON]);

/* Whether a request to the host was made, or attempted, while a page was in flight. */
enum frontier_request {
	FRONTIER_ASKED,    /* the host and its address rest, from the end of the flight on */
	FRONTIER_NOT_ASKED /* the rest that began when the page was taken is undone */
};

/* What the flight of a page has shown about its host. */
struct frontier_host_news {
	int64_t took;  /* ms of an answered request, for slow_factor; 0: none */
	int64_t hung;  /* ms of a request that was never answered; slow_factor applies it to this host alone, and
			  not to its address */
	int64_t delay; /* the Crawl-delay of the host in ms; at least delay_ms is kept. -1: nothing was learnt */
	int64_t pause; /* the host must not be asked before this time (Retry-After, back-off); 0: no such time */
	/* the number of the host's address, from 1. The hosts of one address share the delay and the number of
	 * pages in flight. 0: nothing was learnt */
	uint32_t address;
};

/* How the flight of a page has ended. */
struct frontier_end {
	enum page_state state; /* CRAWLED, FAILED, REDIRECTED or REFUSED; QUEUED: the page is queued again */
	enum frontier_request request;
	int64_t at;                            /* the time of the end */
	const struct frontier_host_news *host; /* borrowed for the call; NULL: nothing was learnt, and the request took no time */

	/* CRAWLED: the distinct pages that the page links to, in link order; borrowed for the call */
	const uint32_t *links;
	const uint8_t *kinds; /* of the links (policy_found.kind); NULL: all 0 */
	size_t n_links;
	uint64_t bytes; /* that the flight has brought, for a budget of bytes */
	/* REDIRECTED: the page that this one is an alias of */
	uint32_t target;
	/* QUEUED: 1: the page is deferred from now on; 0: it stays deferred if it was */
	int is_deferred;
	/* QUEUED: the page is not taken before this time */
	int64_t not_before;
	/* QUEUED: 1: an attempt to fetch the page has failed; 0: the page was put back before an attempt, or the crawl was
	 * stopped during it */
	int has_failed;
};

/* Ends the flight of a page. Each policy hears of a crawled page, and reranks if a reranking is due. A redirect queues
 * its target if the target is unseen, or outside and now in scope; this target takes over the key, the seq and the
 * private bytes of the page. A target that was queued already keeps its own. Returns 0, or the error of a rerank, which
 * ends the crawl. */
int frontier_ended(struct frontier *, uint32_t id, const struct frontier_end *) MUST_USE;

/* Refuses a page that is queued (asserted). The policy does not hear of it. */
void frontier_refuse(struct frontier *, uint32_t id);

/* --- deferred pages
 *
 * A queued page is deferred if it is likely to be worth little: it may be a near-duplicate, or a page of an
 * endless calendar. A deferred page is queued behind the other pages of its host:
 *
 *   - frontier_take() takes a deferred page only if no other page of its host may be taken, and no host that may be asked
 *     has another page: so it takes a turn in which nothing else could be asked for. With deferred_last it also waits until
 *     every queued page is deferred or belongs to a host that is given up or spent. The policy's keys order the deferred pages of a
 *     host. They also order the hosts that have only deferred pages, by their best pages, but there two keys count as equal
 *     if they agree in twelve digits.
 *   - frontier_take_sample() takes a deferred page out of turn, so that the crawl can find out whether such
 *     pages are worth more than was assumed.
 *   - The policy hears of deferred pages as of all others, so their keys stay up to date, and a page that is
 *     promoted gets the position that it would have if it had never been deferred.
 *   - A deferred page that is queued again (a retry) is still deferred. If its redirect queues the target, the
 *     target is deferred, too.
 *   - Seeds are not deferred. A restored frontier has the same deferred pages as the original one, if the
 *     caller repeats all calls and world.defers gives the same answers.
 *
 *	frontier_count(f, &counts);
 *	if (counts.deferred && ++crawled % 100 == 0)
 *		frontier_take_sample(f, now, &id);
 *
 * The functions below need a frontier_world with `defers`. */

/* Defers a queued page; nothing changes if the page is deferred already. (A page in flight can be deferred when its
 * flight ends: is_deferred of struct frontier_end.) */
void frontier_defer(struct frontier *, uint32_t id);

/* Ends the deferral of a page that is queued or in flight; other pages stay as they are. */
void frontier_promote(struct frontier *, uint32_t id);

/* Says whether a page that is queued or in flight is deferred. */
int frontier_is_deferred(const struct frontier *, uint32_t id);

/* Says whether pages are queued, and each of them is deferred or belongs to a host that is given up or spent. */
int frontier_has_only_deferred(const struct frontier *);

/* Takes a deferred page whose host may be asked at the time `now`, at random and without replacement. Returns 1 with
 * *id, or 0 if there is none. The order of the draws depends on rng_seed and the ids alone, so a resumed crawl draws
 * the same pages as one that was not interrupted. If the hosts of the first 64 pages in this order must wait, the
 * function returns 0 even though the host of a later page may be asked. */
int frontier_take_sample(struct frontier *, int64_t now, uint32_t *id);

/* --- visits of crawled pages
 *
 * A crawled page can be fetched again. It stays PAGE_CRAWLED, and its key and private bytes stay as they are; the visit counts in
 * the politeness of its host alone. Which page is visited, and when, is the caller's choice:
 *
 *	if (frontier_visit_time(f, now, id) <= now)
 *		frontier_visit(f, now, id);
 *	... fetch page id; some time later:
 *	frontier_visited(f, id, &(struct frontier_end){.request = FRONTIER_ASKED, .at = now, .host = &news});
 *	frontier_learn(f, id, fresh, n);                     the pages that nobody knew before
 */

/* Returns `now` if a visit of a crawled page may begin, or a time at which it may, or FRONTIER_NEVER if its host is given
 * up. */
int64_t frontier_visit_time(struct frontier *, int64_t now, uint32_t id);

/* Begins the visit of a crawled page whose host may be asked at the time `now` (both asserted). */
void frontier_visit(struct frontier *, int64_t now, uint32_t id);

/* Ends a visit for the host of the page, by `request`, `at` and `host` of the end. */
void frontier_visited(struct frontier *, uint32_t id, const struct frontier_end *);

/* Queues those of n pages that scope lets in, to which crawled page `id` has been found to lead, and which were unseen. The
 * policies hear seed() for each of them alone: they have heard crawled() of page `id` already, and hear it once of a page. */
void frontier_learn(struct frontier *, uint32_t id, const uint32_t *links, size_t n);

/* --- time */

/* Returns the earliest time at which frontier_take() could succeed; it is not later than the last `now` if a page can be
 * taken now. It may still return 0 at that time, since hosts of one address compete, and the caller asks again.
 * Returns FRONTIER_NEVER if a flight must end first, and FRONTIER_FOR_GOOD or later if only hosts that are given up
 * or spent remain. */
int64_t frontier_next_time(const struct frontier *);

/* --- the operator of a crawl */

/* Changes delay_ms of the settings. A rest that has begun keeps its length. */
void frontier_set_delay(struct frontier *, int64_t delay_ms);

/* Holds a host: its pages stay queued, and none of them is taken before frontier_let_go(). The rests of the host go on meanwhile.
 * As long as a held host has queued pages that are not deferred, and the settings have deferred_last, no deferred page of any host
 * is taken (except by frontier_take_sample()). Nothing happens if the host is held already, or if no page of it was ever queued. */
void frontier_hold(struct frontier *, uint32_t host);

/* Ends the hold of a host, if it is held. */
void frontier_let_go(struct frontier *, uint32_t host);

/* Says whether a page of a held host is queued. Cost: O(held hosts). */
int frontier_has_held(const struct frontier *);

/* What a host does now. */
enum frontier_host_state {
	FRONTIER_HOST_IDLE,     /* none of its pages is queued, or as many as may be are in flight */
	FRONTIER_HOST_READY,    /* it may be asked now; of the hosts of an address only the best one */
	FRONTIER_HOST_RESTS,    /* it may be asked at a later time, or after another host of its address */
	FRONTIER_HOST_HELD,     /* frontier_hold() */
	FRONTIER_HOST_GIVEN_UP, /* for this sitting */
	FRONTIER_HOST_SPENT,    /* it has had what it may take of the budget: frontier/share.h */
	FRONTIER_HOST_STATES
};

/* Returns what a host does. *at becomes the time from which it may be asked, or FRONTIER_NEVER; the rest of its address
 * counts. A host that the frontier does not know is idle. */
enum frontier_host_state frontier_host_state(const struct frontier *, uint32_t host, int64_t *at);

/* Returns the time from which a host may be asked, whether it has pages or not: the rest of its address counts. Returns 0 for a
 * host that the frontier does not know, or that is given up. */
int64_t frontier_host_rest(const struct frontier *, uint32_t host);

/* Returns the time from which every host and address may be asked, but at most `latest`. Cost: O(hosts). */
int64_t frontier_all_rest(const struct frontier *, int64_t latest);

/* Lists pages that are likely to be taken next, the first one first: the best page of each host that may be asked, by key; then
 * those of the hosts that rest, by the ends of their rests; then those of the hosts that a request in flight keeps from being
 * asked; then further pages of the same hosts. Writes up to `most` ids, and returns their number. Events change the order at any
 * time. Cost: O(n log n) for the n pages that are looked at, which are `most` and the rest of the last part of a pile
 * (frontier/pile.h) that they reach into; and for all hosts, if those that are ready or rest are fewer than `most`. */
size_t frontier_upcoming(const struct frontier *, uint32_t *ids, size_t most);

/* --- restoring from a log
 *
 *	frontier_restore_begin(f);           before the first seed
 *	for each entry of the log, in order:
 *		frontier_seed()                          the entry makes pages seeds
 *		frontier_retake()                        the entry says that a page was taken
 *		frontier_ended() or frontier_refuse()    the entry says how the page ended, or that it was refused
 *	frontier_restore_end(f);             from here on pages can be taken
 *
 * Between begin and end the states and keys are kept, but the queue is empty; restore_end() fills it at once. */

/* Begins to restore a frontier that has seen no page (asserted). */
void frontier_restore_begin(struct frontier *);

/* Takes a given queued page, as the log says, in place of frontier_take(). No host rests for it. */
void frontier_retake(struct frontier *, uint32_t id);

/* Ends the restore: puts all queued pages into the queue. */
void frontier_restore_end(struct frontier *);

/* --- questions, which change nothing */

/* Fills in the counts of pages by state, and of hosts. Outside pages count as refused. */
void frontier_count(const struct frontier *, struct frontier_counts *);

/* Fills in the counts of operations since frontier_new(). */
void frontier_work(const struct frontier *, struct frontier_work *);

/* Returns the number of batches that are complete. */
uint64_t frontier_batches(const struct frontier *);

/* Returns the number of pages in flight, those that are visited again included. */
uint64_t frontier_in_flight(const struct frontier *);

/* Returns the policy whose turn it is: a policy of the chain, or the single policy of the settings. */
const struct policy *frontier_policy(const struct frontier *);

/* Returns the options of the policy whose turn it is, valid until its turn ends. */
const struct opt_set *frontier_opts(const struct frontier *);

/* Returns the state of a page: PAGE_UNSEEN for an id that the frontier does not know, PAGE_REFUSED for an outside page. */
enum page_state frontier_state(const struct frontier *, uint32_t id);

/* Returns the key that the policy whose turn it is gives a page now. The page must have been seen (asserted). */
double frontier_key(const struct frontier *, uint32_t id);

/* Returns the value for reports of page `id`, which must be the page that frontier_take() took last: policy->value(), or
 * else the key with which the page was taken. Valid until the next frontier_ended(). */
double frontier_taken_value(const struct frontier *, uint32_t id);

/* Returns the rule by which the policy has chosen a page, or will choose it as things stand: policy->chosen_by().
 * NULL: by its key, or the frontier does not know the page. */
const char *frontier_chosen_by(const struct frontier *, uint32_t id);

#endif
