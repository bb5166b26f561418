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
	char url[];              /* n bytes and a NUL; then the ETag */
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
	struct transfer **idle;
	size_t n_idle, idle_room;
	int64_t next_check; /* ms: for stalled transfers */
};

/* Makes all but the thread; `room` is the most jobs that may be at it. `key` is for hashes. */
int worker_init(struct worker *w, const struct transfer_options *o, struct channel *outbox,
	const _Atomic int *orders, size_t room, uint64_t key, struct err_note *why) MUST_USE;
/* Once the thread has ended, or where it never ran. */
void worker_release(struct worker *w);

/* The thread: ends after WORKER_QUIT. */
void *worker_run(void *worker);

#endif
