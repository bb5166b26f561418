/* The crawl loop. Live crawls and replays run the same loop:
 *
 *   frontier --take--> source --event--> observers (archive, log, laboratory, store), then the frontier
 *
 *	struct crawl c = {.frontier = f, .source = s, .observers = &o, .n_observers = 1, .max_pages = 1000};
 *	code = crawl_run(&c, why);                           c.end says why it ended
 *
 * The loop ends when no page is queued or in flight, when a limit is reached, or when it is told to stop. */
#ifndef CRAWLER_CRAWL_H
#define CRAWLER_CRAWL_H

#include "crawler/source.h"

#include <signal.h>

/* An observer is called for every page that is taken and for every event, in order. Any hook may be NULL. A hook
 * returns 0, or an error, which ends the crawl. */
struct observer {
	void *ctx;
	/* A page was taken from the frontier with this key; it has not been submitted yet. */
	int (*taken)(void *ctx, uint32_t id, double key, struct err_note *why);
	/* An event happened; the frontier has not been told of it yet. Visits of crawled pages are told to `visit` alone. */
	int (*event)(void *ctx, const struct result *, struct err_note *why);
	/* An attempt to visit a crawled page again has ended (event.visit); the frontier has not been told of it yet. */
	int (*visit)(void *ctx, const struct result *, struct err_note *why);
	/* A step of the loop begins: all observers and the frontier have heard of every event, and all observers have heard of
	 * every page that was taken. This is the one hook that may change frontier, source and store; it is called at least every
	 * 200 ms while the crawl has a `stop` or a `paused`. */
	int (*step)(void *ctx, struct err_note *why);
	/* The loop has waited without an event, or has ended. */
	int (*idle)(void *ctx, struct err_note *why);
	/* The store is about to commit: the observer writes all its records of earlier events to the disk, so that
	 * a power failure does not lose records of committed pages. */
	int (*sync)(void *ctx, struct err_note *why);
};

/* Why a crawl ended. */
enum crawl_end {
	CRAWL_DONE,        /* no page is queued or in flight */
	CRAWL_PAGES,       /* max_pages was reached */
	CRAWL_TIME,        /* max_time was reached */
	CRAWL_BYTES,       /* max_bytes was reached */
	CRAWL_STOPPED,     /* *stop was set */
	CRAWL_ENOUGH,      /* *enough was set */
	CRAWL_UNREACHABLE, /* all queued pages belong to hosts that stopped answering and were given up */
	CRAWL_SHARES,      /* all queued pages belong to hosts that have had what they may take of the budget */
	CRAWL_PUT_OFF      /* as CRAWL_DONE, but pages were skipped as part of a trap, and wait */
};

/* What the crawl loop takes next. */
enum crawl_turn {
	CRAWL_WAIT,   /* nothing before a time */
	CRAWL_NEW,    /* the frontier's best page */
	CRAWL_REVISIT /* a page that is crawled: it is visited again */
};

/* The functions by which a crawl that visits its pages again asks which page is next (crawler/revisit/revisit.h). */
struct crawl_revisits {
	void *ctx;
	/* Says what is next at the time `now`. REVISIT: *id is the page, and its visit has begun at the frontier. WAIT: the loop
	 * asks again at the time *until, or after an event. NEW is not returned if `may_take_new` is 0. */
	enum crawl_turn (*turn)(void *ctx, int64_t now, int may_take_new, uint32_t *id, int64_t *until);
	/* A new page was taken, after turn() has returned NEW. */
	void (*taken)(void *ctx, int64_t now);
	/* An event happened; observers were told, and the frontier was not yet. */
	void (*event)(void *ctx, const struct result *);
	/* Says whether no more pages are visited again. */
	int (*is_over)(void *ctx);
};

/* What the crawl loop of an agent has to know of the other agents (crawler/agent/live_agent.h). A `step` hook sets the fields. */
struct crawl_fleet {
	int is_held;      /* 1: no page is taken: the agent is not sure of its lease, or the whole crawl is paused */
	int goes_on;      /* 1: pages may still come from other agents, so the crawl does not end for want of pages */
	int is_stopped;   /* 1: the operator has stopped the whole crawl */
	uint64_t crawled; /* pages that the other agents have crawled, which count for max_pages */
};

struct crawl {
	struct frontier *frontier;
	struct source *source;
	const struct observer *observers;
	size_t n_observers;
	/* visits of crawled pages, which `max_pages` does not count; NULL: there are none */
	const struct crawl_revisits *revisits;
	uint64_t max_pages;           /* crawled in all, earlier sittings included; 0: no limit */
	int64_t max_time;             /* of this run, in ms of the source's clock; 0: no limit */
	uint64_t max_bytes;           /* of the bodies of this run, and of *bytes_beside; 0: no limit */
	const uint64_t *bytes_beside; /* of the bodies that a crawl beside this one has fetched meanwhile; NULL: there is none */
	/* Set by a signal handler. 0: the crawl goes on. 1: no further page is taken, and the pages in flight are
	 * finished. 2: the pages in flight are aborted, too. May be NULL. */
	const volatile sig_atomic_t *stop;
	/* Set by a `step` hook. 1: no page is taken; the crawl does not end for want of pages meanwhile. May be NULL. */
	const int *paused;
	/* Set by a `step` hook. 1: the crawl ends when the pages in flight are finished. May be NULL. */
	const int *enough;
	const struct crawl_fleet *fleet; /* NULL: the crawl has one agent */

	uint64_t bytes;     /* result: the bytes of all bodies */
	uint64_t rendered;  /* result: the pages that were rendered (is_rendered of struct result) */
	uint64_t shells;    /* result: the pages that need a browser (is_shell of struct result) */
	enum crawl_end end; /* result */

	int64_t started;            /* private: the time of crawl_begin() */
	int has_aborted, has_steps; /* private; has_steps: an observer has a `step` */
	int has_told_stop;          /* private */
	int64_t until;              /* private: the next turn of `revisits` */
	int is_at_most;             /* private, with `revisits`: max_pages are crawled or in flight */
};

/* Runs the crawl to its end. Returns 0, or the first error of the frontier, the source or an observer. */
int crawl_run(struct crawl *, struct err_note *why) MUST_USE;

/* Says whether a frontier has no page in flight, and none queued but those of hosts that are given up for this sitting or spent. */
int crawl_is_idle(const struct frontier *, struct source *);

/* The same crawl, a step at a time, for a caller that runs several crawls side by side:
 *
 *	crawl_begin(&c);
 *	while ((n = crawl_step(&c, why)) > 0)
 *		... what the caller has to do between two steps ... */
void crawl_begin(struct crawl *);

/* Takes the pages for which there is room, and handles the next events of the source. Returns 1; 0 if the crawl has ended, for
 * the reason in c->end; or an error as crawl_run(). A crawl that is CRAWL_DONE goes on when its frontier has pages again. */
int crawl_step(struct crawl *, struct err_note *why) MUST_USE;

/* Ends the flight of a page in the frontier: tells it the page's state, what was learnt of the host, and whether the host was
 * asked. A live crawl lands the result that its source gives, and a resume the one that recorder_event_of() has read from the log,
 * so that both leave the same frontier. Then it queues the sitemaps of the result as seeds. If a trap detector trusts a place again
 * because of this page (traps/places.h), the pages that it had deferred there lose their place behind all others in the queue
 * (frontier_promote()), and the pages that it had skipped there are queued. The page must be in flight. Returns 0, or the error of
 * a policy's rerank, which ends the crawl. */
int tell_frontier(struct frontier *, const struct result *) MUST_USE;

#endif
