/* A fetcher thread: takes jobs, runs their transfers on a curl multi handle, sees to each origin's
 * robots.txt, reads what came, and hands over pages. What it shares with others is its inbox, the
 * outbox of all, the orders, and options that nobody writes. */
#ifndef FETCH_WORKER_H
#define FETCH_WORKER_H

#include "fetch/channel.h"
#include "fetch/page_build.h"
#include "fetch/robots_cache.h"
#include "fetch/sockets.h"
#include "fetch/transfer.h"

#include <stdatomic.h>

struct job {
	struct job *next; /* among those that wait for a robots.txt */
	uint32_t id;
	unsigned tries;             /* requests made before */
	struct net_address granted; /* where it may be asked for; see fetchers_grant() */
	size_t n;
	struct validators since; /* none: the page is asked for whatever it is */
	size_t robots_n;
	const char *robots; /* no page: its origin's robots.txt, robots_n bytes, or NULL */
	int64_t robots_ms;  /* for which that holds */
	char url[];         /* n bytes and a NUL; then the ETag, or the robots.txt */
};

enum worker_orders { WORKER_GO_ON, WORKER_ABORT, WORKER_QUIT };

struct worker {
	pthread_t thread;
	struct channel inbox;      /* struct job */
	struct channel *outbox;    /* struct fetch_page */
	const _Atomic int *orders; /* enum worker_orders; only ever rises */
	const struct transfer_options *options;
	CURLM *multi; /* others may wake it up */
	struct sockets sockets;

	/* the thread's own */
	struct robots_cache *origins;
	struct page_build build;
	struct url url;           /* scratch */
	struct transfer **active; /* in flight */
	size_t n_active, active_room;
	size_t most_active; /* the connections that there may be */
	struct transfer **idle;
	size_t n_idle, idle_room;
	int has_paused;     /* transfers may have paused for want of memory */
	int64_t next_check; /* ms: for stalled transfers */
};

/* Makes all but the thread. At most `connections` (>= 1) are open at once, idle ones included, and no
 * more transfers run; other jobs wait in the inbox. `key` is for hashes. */
int worker_init(struct worker *w, const struct transfer_options *o, struct channel *outbox,
	const _Atomic int *orders, unsigned connections, uint64_t key,
	struct err_note *why) MUST_USE;
/* Once the thread has ended, or where it never ran. */
void worker_release(struct worker *w);

/* The thread: ends after WORKER_QUIT. */
void *worker_run(void *worker);

/* --- for fetch/robots_fetch.c, within the thread */

/* A transfer that is at rest, to be filled and started. */
struct transfer *worker_new_transfer(struct worker *w);
void worker_start(struct worker *w, struct transfer *t);
/* Puts a transfer that has ended, or was never started, to rest. */
void worker_done_with(struct worker *w, struct transfer *t);

/* What a page says that comes back after the transfer: status, times, bytes, Crawl-delay. */
struct fetch_page worker_head_of(const struct transfer *t);

/* Hands the pages back that wait for the robots.txt of an origin, in the order in which they came, each
 * with what `head` says; its bytes go to the first. */
void worker_release_waiting(struct worker *w, struct origin *o, struct fetch_page head);

/* Whether the guard refuses a URL before anything is asked: the reason, or OUTCOME_NONE. */
enum outcome worker_judge_url(const struct worker *w, const struct url *u);

#endif
