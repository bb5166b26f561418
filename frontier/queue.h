/* The queue under the policy. Each host has a pile of its queued pages (frontier/pile.h) and stands for
 * the best of them among the hosts (frontier/hosts.h), which know when they may be asked. Pages that wait
 * for a time of their own, be their host ready or not, are in a heap by that time.
 *
 *	queue_push(&q, id);                           a page is queued
 *	if (queue_take(&q, now, &id))                 it is the best of the hosts that may be asked
 *	hosts_back(&q.hosts, host, took, 0, now);     and is in flight no more
 *
 * Deferred pages (frontier/deferred.c) have a pile of their own in each host. A host stands for the best
 * of it if no other page of the host is queued, behind all hosts that have others; and nothing is taken
 * from it as long as a page that is not deferred is queued anywhere.
 *
 * The invariants are F2 to F4 and F6 of frontier.h. */
#ifndef FRONTIER_QUEUE_H
#define FRONTIER_QUEUE_H

#include "frontier/frontier.h"
#include "frontier/hosts.h"
#include "frontier/pages.h"
#include "frontier/pile.h"

/* The queued pages of a host. */
struct host_pages {
	struct pile prompt;
	struct pile *deferred; /* NULL: there never was one */
};

struct queue {
	const struct pages *pages;
	const struct frontier_counts *count;
	struct host_pages *of; /* by host: hosts.n */
	size_t room;
	struct hosts hosts;
	struct heap delayed; /* by time; an entry whose page is not delayed any more is skipped */
	struct heap draws;   /* deferred pages in a random order; likewise */
	uint64_t draw_seed;
	double sign;          /* -1 if the highest key is first, else 1 */
	double taken_key;     /* the key of the page last taken, or of its host */
	uint64_t key_updates; /* see struct frontier_work */
	uint64_t given_up;    /* pages of hosts given up, without those that are deferred or delayed */
	uint64_t hosts_given_up;
	double (*host_key)(
		const struct policy_call *, uint64_t pending); /* the policy's, or NULL */
	const struct policy_call *call;
};

/* The arrays and counts are borrowed until release; the frontier changes them. */
void queue_init(struct queue *, const struct pages *, const struct frontier_counts *,
	const struct politeness *, uint64_t draw_seed);
void queue_release(struct queue *);

/* Sets whose keys order the queue, from now on; queue_rebuild() is due if pages are queued. The call is
 * borrowed. */
void queue_set_policy(struct queue *, const struct policy *, const struct policy_call *);

/* Makes the queue a FIFO, in which all pages have this key of the policy and stay until they are taken.
 * There is one host, and no page yet. */
void queue_use_fifo(struct queue *, double key);

/* Returns the FIFO that the queue is, or NULL if it is none. */
static inline struct fifo *queue_fifo(const struct queue *q)
{
	return q->of[0].prompt.fifo;
}

/* Makes the hosts up to this number exist, which does not. */
void queue_need_host(struct queue *, uint32_t host);

/* Queues a page with its key of now. */
void queue_push(struct queue *, uint32_t id);

/* Makes a host stand for its best page, after its pages have changed. */
void queue_host_changed(struct queue *, uint32_t host);

/* Queues the unseen ones of a page's links, as fifo_push_unseen() does; returns how many ids it looked at. */
static inline size_t queue_push_unseen(
	struct queue *q, const uint32_t *ids, size_t n, uint8_t *state, uint32_t below)
{
	struct pile *p = &q->of[0].prompt;
	const size_t had = p->n, looked = fifo_push_unseen(p->fifo, ids, n, state, below);

	p->n = fifo_length(p->fifo);
	if (!had && p->n)
		queue_host_changed(q, 0);
	return looked;
}

/* Queues a page from `time` on. */
void queue_delay(struct queue *, uint32_t id, int64_t time);

/* Tells that the key of a queued page has changed. */
void queue_rekey(struct queue *, uint32_t id);

/* Tells that all keys may have changed. */
void queue_rebuild(struct queue *);

/* Takes a queued page, whose state is about to change, out of the order. */
void queue_drop(struct queue *, uint32_t id);

/* Tells that a host is not to be asked before a time; FRONTIER_FOR_GOOD: it is given up. */
void queue_pause(struct queue *, uint32_t host, int64_t time);

/* Takes the best page of the hosts that may be asked at `now`: 1 and *id, or 0 for none. */
int queue_take(struct queue *, int64_t now, uint32_t *id);

/* Takes up to `most` pages of a queue that is a FIFO as queue_take() would one by one. Returns 0 if its
 * host rests between requests, or pages stand beside the FIFO. */
size_t queue_take_run(struct queue *, int64_t now, uint32_t *ids, size_t most);

/* Takes a deferred page by its draw: see frontier_take_sample(). */
int queue_take_sample(struct queue *, int64_t now, uint32_t *id);

/* Counts a page as in flight without taking it from anywhere. */
void queue_retake(struct queue *, uint32_t id);

/* See frontier_next_time(). */
int64_t queue_next_time(const struct queue *);

/* Counts the moves in all piles: heap_moves of struct frontier_work. */
uint64_t queue_moves(const struct queue *);

/* See frontier_soon(). */
size_t queue_soon(const struct queue *, uint32_t id[FRONTIER_SOON]);

/* --- between queue.c and deferred.c */

/* Puts a deferred page into its host's pile of them; the host's standing may change by that. */
void deferred_push(struct queue *, uint32_t host, uint32_t id);

/* Frees the deferred pages of a host. */
void deferred_release(struct host_pages *);

/* Gives the standing of a host that has deferred pages alone, which is behind all other hosts: 1, or 0 if
 * it has none. */
int deferred_standing(struct queue *, struct host_pages *, struct entry *standing);

/* Takes the best deferred page of a host out of its pile: 1, or 0 if pages are queued that are not deferred. */
int deferred_take(struct queue *, struct host_pages *, uint32_t *id);

/* Says whether pages are queued that are not deferred, and whose host is not given up. */
static inline int queue_has_prompt(const struct queue *q)
{
	return q->count->queued > q->count->deferred + q->given_up;
}

static inline struct page_order queue_order(const struct queue *q)
{
	return (struct page_order){q->pages->page, q->sign};
}

/* Moves the clock: what has waited until `now` waits no more. */
void queue_wake(struct queue *, int64_t now);

/* Counts a page that was taken out of its host's pile as in flight. */
void queue_went_out(struct queue *, uint32_t host);

#endif
