/* A fetcher thread: takes jobs, resolves their hosts' names, runs transfers on a curl multi handle, sees to each
 * origin's robots.txt, reads the answers, and hands over pages.
 *
 *     worker_init(&w, &share, &why);
 *     pthread_create(&w.thread, NULL, worker_run, &w);
 *     if (channel_put(&w.inbox, job)) curl_multi_wakeup(w.multi);
 *
 * A job is in one of these places, from the inbox to the outbox:
 *
 *     inbox --> name.waiting --> ready --> origin.waiting (its robots.txt is fetched) --> outbox
 *       |            (the resolver is asked)    |
 *       +--------------------------------------+--> a transfer of the page --> outbox
 *
 * A worker shares with other threads its inbox, the outbox of all workers, the orders, the resolver, the sum of
 * bodies in memory, and options that nobody writes. */
#ifndef FETCH_WORKER_H
#define FETCH_WORKER_H

#include "fetch/channel.h"
#include "fetch/locate.h"
#include "fetch/page_build.h"
#include "fetch/robots_cache.h"
#include "fetch/sockets.h"
#include "fetch/transfer.h"

#include <stdatomic.h>

struct job {
	struct job *next; /* among those that wait for a robots.txt, or a name */
	uint32_t id;
	unsigned tries;             /* requests made before */
	struct net_address granted; /* where it may be asked for; see fetchers_submit() */
	size_t n;
	struct validators since; /* none: the page is asked for whatever it is */
	size_t robots_n;
	const char *robots; /* no page: its origin's robots.txt, robots_n bytes, or NULL */
	int64_t robots_ms;  /* for which that holds */
	char url[];         /* n bytes and a NUL; then the ETag, or the robots.txt */
};

/* ABORT: transfers are broken off, and every job comes back. QUIT: and the thread ends. */
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
	struct names *names;
	struct job *ready, **ready_end; /* that may begin anew: a name has been resolved */
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

/* What a worker shares with others. */
struct worker_share {
	const struct transfer_options *options;
	struct channel *outbox;
	const _Atomic int *orders;
	struct resolver *resolver;
	unsigned connections; /* that are open at once at most, idle ones included, >= 1: no more
				 transfers run, other jobs wait in the inbox */
	uint64_t key;         /* of hashes */
};

/* Makes everything but the thread. */
int worker_init(struct worker *w, const struct worker_share *share, struct err_note *why) MUST_USE;
/* Frees everything; the thread has ended, or never ran. */
void worker_release(struct worker *w);

/* What the thread runs, until the orders are WORKER_QUIT. */
void *worker_run(void *worker);

/* --- within the thread: what its files share */

/* What a page says that comes back now and without a request, in the state that the outcome leaves it in. */
struct fetch_page worker_no_request(enum outcome outcome);
/* Hands a job back with what `head` says of it. */
void worker_give_back(struct worker *w, struct job *job, struct fetch_page head);

/* What becomes of a page that this machine could not ask for, for no fault of the page or its host
 * (outcome_is_local()): it is asked for again, and that is no try of it, until the trouble has lasted for
 * ORIGIN_TROUBLE_MS. */
struct verdict worker_judge_trouble(struct origin *o, enum outcome error, int64_t now);

/* Takes the resolver's answers; the jobs that have waited for them are ready. */
void worker_take_answers(struct worker *w);
/* Hands the jobs back, with `outcome`, that have waited for a name since before a time (ms). */
void worker_give_back_waiting(struct worker *w, int64_t before, enum outcome outcome);

/* A transfer for a URL at a spot, to be started. The URL's memory is taken over; *url is scratch afterwards. */
struct transfer *worker_new_transfer(
	struct worker *w, struct origin *o, struct url *url, const struct spot *spot);
/* Starts the transfer's request. */
void worker_start(struct worker *w, struct transfer *t);
/* Puts a transfer that has ended to rest. */
void worker_done_with(struct worker *w, struct transfer *t);

/* Finds out where a URL is to be asked for, for a job. HERE: at *spot. WAITS: the job now waits for the name.
 * ELSEWHERE: the job was handed back with the address to be granted. NOWHERE: spot->error says why; the job is
 * still the caller's. */
enum located worker_locate(
	struct worker *w, const struct url *u, struct job *job, struct spot *spot) MUST_USE;

/* Hands a job back whose host has no address that may be asked; `error` is locate()'s. */
void worker_give_back_lost(struct worker *w, struct origin *o, struct job *job, enum outcome error);

/* Lets the job wait until the origin's robots.txt is there. */
void worker_park(struct origin *o, struct job *job);

/* Makes a list of jobs ready: they begin anew, with the question where to ask. */
void worker_begin_anew(struct worker *w, struct job *jobs);

/* What a page says that comes back after the transfer: status, times, bytes, Crawl-delay. */
struct fetch_page worker_head_of(const struct transfer *t);

/* Hands the pages back that wait for the robots.txt of an origin, in the order in which they came, each
 * with what `head` says; its bytes go to the first. */
void worker_release_waiting(struct worker *w, struct origin *o, struct fetch_page head);

/* Whether the guard refuses a URL before anything is asked: the reason, or OUTCOME_NONE. */
enum outcome worker_judge_url(const struct worker *w, const struct url *u);

#endif
