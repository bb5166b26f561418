/* The queue under the policy: a pile of pages in each host (frontier/pile.h), a heap of ready hosts by
 * their best entry, a heap of waiting hosts by time, and the pages that wait for a time of their own.
 * Hosts whose address is known share its clock (frontier/server.h).
 *
 * Deferred pages (frontier/deferred.c) have a pile of their own in each host. A host stands for the best
 * of it where it has no others queued, behind all hosts that have; and it is not taken from as
 * long as a page that is not deferred is queued anywhere.
 *
 * A page's place is kept in page[].place: the one in its host's pile, or QUEUE_DELAYED. Where
 * keys never change and there is one host, a ring of ids serves in place of its pile.
 * The invariants are F2 to F4 and F6 of frontier.h. */
#ifndef FRONTIER_QUEUE_H
#define FRONTIER_QUEUE_H

#include "base/rng.h"
#include "frontier/frontier.h"
#include "frontier/pile.h"
#include "frontier/server.h"

#define QUEUE_DELAYED UINT32_MAX

enum host_where { HOST_IDLE, HOST_READY, HOST_WAITING, HOST_BEHIND };

struct host {
	struct pile pages;
	struct pile *late; /* its deferred pages; NULL: there never was one */
	int64_t next_time; /* no request before */
	int64_t was_next;  /* what it would be if the last page had not been taken */
	int64_t delay;     /* ms after a request */
	uint32_t in_flight;
	uint32_t place;  /* in the ready or the waiting heap, or that of its server */
	uint32_t server; /* SERVER_NONE: its address is not known */
	enum host_where where;
};

struct queue {
	/* the frontier's arrays, told anew whenever they move */
	struct page *page;
	const uint8_t *state;
	const uint32_t *host_of; /* NULL: all on host 0 */
	const uint8_t *is_late;  /* which pages are deferred; NULL: none can be */
	const struct frontier_counts *count;

	struct host *hosts;
	size_t n_hosts, room;
	struct heap ready, waiting;
	struct servers servers;
	struct heap delayed; /* by time; entries whose page has left are skipped */
	struct heap draws;   /* deferred pages in a random order; likewise */
	uint64_t draw_seed;
	int64_t now;   /* the latest time told */
	int64_t delay; /* of a host that asked for none */
	uint32_t per_host;
	double slow_factor;    /* see struct frontier_settings */
	double jitter;         /* likewise */
	struct rng jitter_rng; /* a stream of its own */
	int64_t took, hung;    /* ms: the request that is told of next */
	double sign;           /* -1 where the highest key is first */
	double taken_key;      /* of the page last taken, or of its host */
	uint64_t key_updates;  /* see struct frontier_work */
	double (*host_key)(
		const struct policy_call *, uint64_t pending); /* the policy's, or NULL */
	const struct policy_call *call;

	int is_ring;
	double ring_key;   /* of all pages of the ring */
	uint32_t ring_seq; /* of its last page */
	uint32_t *ring;    /* ring[head..tail), taken lazily: a page no longer queued is skipped */
	size_t head, tail, ring_room;
};

void queue_init(struct queue *, enum policy_order, int64_t delay, uint32_t per_host);
/* Pages will all have this key: a ring will do. Before the first page. As long as q->page is NULL
 * the pages queued must be those of seq 0, 1, 2 ... in this order, and stay till they are taken. */
void queue_use_ring(struct queue *, double key);
/* Room in the ring for so many pages, and one more. */
void queue_need_ring(struct queue *, size_t pages);
void queue_release(struct queue *);

/* Queues a page with its key of now. */
void queue_push(struct queue *, uint32_t id);
/* While q->page is NULL: queues those of ids[n] that are unseen, in their order, and sets their
 * state, as far as they are `below`. Returns how many were. There must be room. */
size_t queue_push_unseen(
	struct queue *, const uint32_t *ids, size_t n, uint8_t *state, uint32_t below);
/* Queues it from `time` on. */
void queue_delay(struct queue *, uint32_t id, int64_t time);
/* The key of a queued page has changed. */
void queue_rekey(struct queue *, uint32_t id);
/* All keys may have. */
void queue_rebuild(struct queue *);
/* Takes a queued page out of the order (its state is about to change). */
void queue_drop(struct queue *, uint32_t id);

/* The best page among the hosts ready at `now`: 1 and *id, its host having one more in flight. */
int queue_take(struct queue *, int64_t now, uint32_t *id);
/* Up to `most` from a ring beside which nothing waits, and whose host has no delay, in one go: as
 * queue_take() would one by one. 0 where that cannot be. */
size_t queue_take_ring(struct queue *, int64_t now, uint32_t *ids, size_t most);
/* A deferred page by its draw, see frontier_take_sample(). */
int queue_take_sample(struct queue *, int64_t now, uint32_t *id);
/* A page of this host is in flight no more; `asked`: a request was made, which ended at `now`. */
enum queue_asked { QUEUE_ASKED, QUEUE_NOT_ASKED };
void queue_back(struct queue *, uint32_t id, enum queue_asked, int64_t now);
/* Counts a page as in flight without taking it from anywhere. */
void queue_out(struct queue *, uint32_t id);

void queue_host_delay(struct queue *, uint32_t host, int64_t delay);
/* The host is not to be asked before `time`. */
void queue_host_pause(struct queue *, uint32_t host, int64_t time);
/* The host is at the address of this number, from 1. */
void queue_host_server(struct queue *, uint32_t host, uint32_t server);
/* The request that queue_back() is told of next took so long, or hung so long without an answer. */
void queue_took(struct queue *, int64_t took, int64_t hung);
int64_t queue_next_time(const struct queue *);

/* Moves in the piles: heap_moves of struct frontier_work. */
uint64_t queue_moves(const struct queue *);

/* See frontier_soon(). */
size_t queue_soon(const struct queue *, uint32_t id[FRONTIER_SOON]);

/* --- between queue.c and deferred.c */

/* Puts a deferred page into its host's pile; frees what a host has of them. */
void late_push(struct queue *, struct host *, uint32_t id);
void late_release(struct host *);
/* What a host that has deferred pages alone stands for: its best one, after all that are not. */
int late_standing(struct queue *, struct host *, struct entry *standing);
/* Takes the best deferred page of a host out of its pile, unless others are queued anywhere. */
int late_first(struct queue *, struct host *, uint32_t *id);
/* Whether pages are queued that are not deferred. */
static inline int queue_has_prompt(const struct queue *q)
{
	return q->count->queued > q->count->deferred;
}
/* Hosts and pages whose time has come. */
void queue_wake(struct queue *, int64_t now);
/* A page that was taken out of its pile is in flight. */
void queue_went_out(struct queue *, uint32_t host);

/* Makes sure that a host exists. */
void queue_need_host(struct queue *, uint32_t host);

#endif
