/* The crawl loop: the only one there is, for live crawls and replays alike.
 *
 *   frontier --take--> source --event--> frontier, then observers (store, laboratory, progress)
 *
 * It ends when nothing is queued, waiting or in flight, at a limit, or when it is told to stop. */
#ifndef CRAWLER_CRAWL_H
#define CRAWLER_CRAWL_H

#include "crawler/source.h"

#include <signal.h>

/* Told of everything in the order in which it happened. Either hook may be NULL. An error ends the
 * crawl. `taken` is called before the page is submitted, `event` before the frontier is told. */
struct observer {
	void *ctx;
	int (*taken)(void *ctx, uint32_t id, double key, struct err_note *why);
	int (*event)(void *ctx, const struct event *, struct err_note *why);
	/* Called when a wait ended without an event, and once at the end of the loop. */
	int (*idle)(void *ctx, struct err_note *why);
	/* Called before the store commits: returns when a power failure takes nothing of what the
	 * observer has written of the events it was told of. */
	int (*sync)(void *ctx, struct err_note *why);
};

/* CRAWL_UNREACHABLE: pages are queued, of hosts that have stopped answering and were given up. */
enum crawl_end {
	CRAWL_DONE,
	CRAWL_PAGES,
	CRAWL_TIME,
	CRAWL_BYTES,
	CRAWL_STOPPED,
	CRAWL_UNREACHABLE
};

struct crawl {
	struct frontier *frontier;
	struct source *source;
	const struct observer *observers;
	size_t n_observers;
	uint64_t max_pages; /* crawled in all, 0: no limit */
	int64_t max_time;   /* ms of source time, 0: no limit */
	uint64_t max_bytes; /* 0: no limit */
	/* 0 at first; 1: take no more, finish what is in flight; 2: abort what is in flight.
	 * May be NULL. */
	const volatile sig_atomic_t *stop;

	uint64_t bytes;     /* out */
	enum crawl_end end; /* out */
};

/* Runs to the end. 0, or the first error of frontier, source or observer. */
int crawl_run(struct crawl *, struct err_note *why) MUST_USE;

#endif
