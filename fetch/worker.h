/* A fetcher thread: takes jobs from its inbox, resolves the names of their hosts, fetches each origin's robots.txt, runs
 * transfers on a curl multi handle, parses the answers, and puts the pages into the outbox.
 *
 *     worker_init(&w, &share, &why);
 *     pthread_create(&w.thread, NULL, worker_run, &w);
 *     if (channel_put(&w.inbox, job)) curl_multi_wakeup(w.multi);
 *
 * A job is always in one of these places:
 *
 *     inbox --> begins --> a transfer of its page --> outbox
 *               ^  |  |
 *               |  |  +--> origin->waiting, while robots.txt is fetched --> outbox (put back)
 *               |  v
 *               |  name->waiting, while the name is resolved
 *               |  |
 *               ready
 *
 * A page that needs a browser is with the renderer after its transfer (fetch/page_command.h), and comes back to the worker before
 * the outbox.
 *
 * A worker shares these with other threads: its inbox, the outbox of all workers, the orders, the resolver, the sum of
 * the bodies' memory, and the options, which are immutable. */
#ifndef FETCH_WORKER_H
#define FETCH_WORKER_H

#include "fetch/channel.h"
#include "fetch/names.h"
#include "fetch/page_jail.h"
#include "fetch/robots_cache.h"
#include "fetch/sockets.h"
#include "fetch/transfer.h"

#include <stdatomic.h>

/* A page to fetch, or, if `robots` is set, a robots.txt that the caller of fetchers_know_robots() has kept. */
struct job {
	struct job *next; /* in a list of waiting jobs */
	uint32_t id;
	unsigned tries;             /* the tries of the page so far */
	int is_any_topic;           /* 1: the page's links are followed whatever its text is */
	struct net_address granted; /* the granted address, or none; see fetchers_submit() */
	size_t n;
	struct validators since; /* for a conditional request; or none */
	size_t robots_n;
	const char *robots; /* robots_n bytes; NULL: the job is a page */
	int64_t robots_ms;  /* how long the robots.txt is valid */
	char url[];         /* n bytes and a NUL, followed by the ETag or the robots.txt */
};

/* GO_ON: the thread works. ABORT: it aborts its transfers and returns every job. QUIT: as ABORT, and the thread ends. */
enum worker_orders { WORKER_GO_ON, WORKER_ABORT, WORKER_QUIT };

struct worker {
	pthread_t thread;
	struct channel inbox;      /* struct job */
	struct channel *outbox;    /* struct fetch_page */
	struct channel rendered;   /* struct rendering_page, from the renderer */
	const _Atomic int *orders; /* enum worker_orders, which never decreases */
	const struct transfer_options *options;
	CURLM *multi; /* another thread may call curl_multi_wakeup() for it */
	struct sockets sockets;

	/* used by the thread only */
	struct robots_cache *origins;
	struct names *names;
	struct job *ready, **ready_end; /* jobs that begin again, since their name has been resolved */
	struct page_build build;
	struct page_build requisites; /* of the page that is read, if they are not its links */
	struct page_reader reader;
	struct page_unread *unread; /* the pages whose transfers have ended in this turn */
	size_t n_unread, unread_room;
	struct url url; /* scratch memory: the URL of the job that begins */
	struct transfers transfers;
	size_t n_rendering; /* the pages that are with the renderer, or in `rendered` */
	int64_t next_check; /* ms at which overdue transfers are looked for */
	int64_t expected;   /* ms at which the thread looks again at the latest, if nothing holds it up */
};

/* What worker_init() needs; the pointers are shared with other threads. */
struct worker_share {
	const struct transfer_options *options;
	struct channel *outbox;
	const _Atomic int *orders;
	struct resolver *resolver;
	unsigned connections; /* >= 1: the most connections of this worker, idle ones included; further jobs wait
				 in the inbox */
	uint64_t key;         /* the seed of hashes */
};

/* Makes everything except the thread. Returns 0, or ERR_OTHER if libcurl fails. */
int worker_init(struct worker *w, const struct worker_share *share, struct err_note *why) MUST_USE;

/* Frees everything, after the thread has ended or if it never ran. */
void worker_release(struct worker *w);

/* Runs the thread; the function for pthread_create(). It returns when the orders are WORKER_QUIT. */
void *worker_run(void *worker);

#endif
