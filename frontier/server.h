/* A server: what stands at one address, be it one host or a hundred thousand names. Its hosts share
 * the requests that may be in flight there and the time of the next.
 *
 * In the heap of ready hosts a server has one at most, the best of those that may be asked; the
 * others, and all of them as long as the server may not be asked, stand behind it in a heap of its
 * own. So a busy server takes one host out of the ready heap, however many it has, and a page costs
 * no more with many names on a server than with one on each.
 *
 *  S1 a host HOST_BEHIND is in its server's heap; a host HOST_READY that has a server is its `best`.
 *  S2 a server has a `best` if and only if it may be asked and one of its hosts may.
 *  S3 a server is in the queue's heap of waiting servers if and only if hosts stand behind it, fewer
 *     requests than may be are in flight there, and its time has not come. */
#ifndef FRONTIER_SERVER_H
#define FRONTIER_SERVER_H

#include "frontier/heap.h"

#define SERVER_NONE    0 /* of a host whose address is not known; servers are numbered from 1 */
#define SERVER_NO_HOST UINT32_MAX

struct server {
	struct heap behind; /* hosts, by their best entries */
	int64_t next_time;  /* no request before */
	int64_t was_next;   /* what it would be if the last page had not been taken */
	uint32_t in_flight;
	uint32_t best;     /* the host that is ready for it, or SERVER_NO_HOST */
	uint32_t place;    /* in the heap of waiting servers */
	uint32_t is_timed; /* whether it is in there */
};

struct servers {
	struct server *at; /* n, by number */
	size_t n, room;
	struct heap waiting; /* by time */
	uint64_t behind;     /* hosts behind any */
};

struct queue;

void servers_release(struct servers *);

/* A host goes to the server of this number, which is made where there is none. */
void server_join(struct queue *q, uint32_t host, uint32_t server);

/* Puts a host that has a server where it belongs: `best` is its best entry where it may itself be
 * asked now, else NULL and the host is in neither heap. */
void server_settle(struct queue *q, uint32_t host, const struct entry *best);

/* Takes a host that is ready, or behind, out of that heap. */
void server_leave(struct queue *q, uint32_t host);

/* A page was taken: one more in flight, the next not before `next` (INT64_MIN: any time). */
void server_take(struct queue *q, uint32_t server, int64_t next);
/* One less; the next not before `next`, and as before the take where no request was made. */
void server_back(struct queue *q, uint32_t server, int64_t next);
void server_back_unasked(struct queue *q, uint32_t server);

/* Servers whose time has come by the queue's now. */
void servers_wake(struct queue *q);

/* After all keys have changed and the ready heap is in order again. */
void servers_rebuild(
	struct queue *q, int (*standing)(struct queue *, uint32_t host, struct entry *));

#endif
