/* The queue of a frontier, in two levels: each host has a pile of its queued pages (frontier/pile.h), and the hosts
 * compete by their best pages, as soon as they may be asked (frontier/hosts.h).
 *
 *	queue_push(&q, id);                           the page joins the pile of its host
 *	if (queue_take(&q, now, &id))                 id is the best page of the hosts that may be asked
 *	hosts_back(&q.hosts, host, took, 0, now);     the flight of the page has ended
 *
 * A page is *delayed* while it waits for a time of its own (a retry); delayed pages are in one heap, by time, and join
 * the pile of their host at that time. A page is *prompt* if it is neither delayed nor deferred.
 *
 * Each host has a second pile, for its deferred pages (frontier/operator.c). A host that has only deferred pages is
 * behind all hosts that have prompt pages: its pages are taken when no host with prompt pages may be asked. If they are
 * to come last of all, they are taken only when no page that is not deferred is queued anywhere, apart from the pages of
 * hosts that are given up or spent. A host becomes spent when its turn comes and it has had its share of the budget.
 *
 * The invariants are F2 to F4 and F6 of frontier.h. Only the frontier's thread calls these functions. */
#ifndef FRONTIER_QUEUE_H
#define FRONTIER_QUEUE_H

#include "frontier/frontier.h"
#include "frontier/hosts.h"
#include "frontier/pages.h"
#include "frontier/pile.h"
#include "frontier/share.h"

/* The queued pages of a host. */
struct host_pages {
	struct pile prompt;
	struct pile *deferred; /* NULL: the host has never had a deferred page */
};

struct queue {
	const struct pages *pages;
	const struct frontier_counts *count;
	struct host_pages *of; /* hosts.n, by host */
	size_t room;           /* of `of` */
	struct hosts hosts;
	struct heap delayed;  /* by time; the entry of a page that is no longer delayed is ignored */
	struct heap draws;    /* deferred pages in a random order; the entry of a page that is no longer in a
				 deferred pile is ignored */
	uint64_t draw_seed;   /* the seed of this order */
	int deferred_last;    /* see struct frontier_settings */
	struct key_order by;  /* its rank is that of the pages, see queue_order() */
	double taken_key;     /* the policy's key of the page taken last, or of its host if there is a host_key */
	uint64_t key_updates; /* see struct frontier_work */
	uint64_t given_up;    /* the prompt pages of hosts that are given up */
	uint64_t hosts_given_up;
	struct share share;
	uint64_t spent; /* the prompt pages of hosts that are spent and not given up */
	uint64_t hosts_spent;
	double (*host_key)(const struct policy_call *, uint64_t pending); /* the policy's, or NULL */
	const struct policy_call *call;                                   /* for host_key */
};

/* Makes an empty queue with host 0. It borrows the pages and counts until queue_release(); the frontier changes them. */
void queue_init(struct queue *, const struct pages *, const struct frontier_counts *, const struct politeness *,
	uint64_t draw_seed);

/* Frees the memory. */
void queue_release(struct queue *);

/* Makes the keys of this policy order the queue. If pages are queued, the caller calls queue_rebuild() next. The
 * policy_call is borrowed until the next queue_set_policy(). */
void queue_set_policy(struct queue *, const struct policy *, const struct policy_call *);

/* Makes an empty queue of one host a FIFO; the policy gives all pages this key and never changes it. */
void queue_use_fifo(struct queue *, double key);

/* Returns the FIFO if the queue is one, else NULL. */
static inline struct fifo *queue_fifo(const struct queue *q)
{
	return q->of[0].prompt.fifo;
}

/* Makes all hosts with numbers up to `host`, which must not exist yet (asserted), exist. */
void queue_need_host(struct queue *, uint32_t host);

/* Puts a page into a pile of its host, with its present key. */
void queue_push(struct queue *, uint32_t id);

/* Updates the standing of a host among the hosts, after its piles have changed. */
void queue_host_changed(struct queue *, uint32_t host);

/* As fifo_push_unseen(), for a queue that is a FIFO. */
static inline size_t queue_push_unseen(struct queue *q, const uint32_t *ids, size_t n, const struct pages *pages)
{
	struct pile *p = &q->of[0].prompt;
	const size_t had = p->n, looked = fifo_push_unseen(p->fifo, ids, n, pages);

	p->n = fifo_length(p->fifo);
	if (!had && p->n)
		queue_host_changed(q, 0);
	return looked;
}

/* Queues a page that must not be taken before `time`. */
void queue_delay(struct queue *, uint32_t id, int64_t time);

/* Updates the queue after the keys of some of n queued pages have changed, from old_key[n]. The pages with a seq from new_seq
 * on are not in the queue yet, and join it. */
void queue_update(struct queue *, const uint32_t *ids, const double *old_key, size_t n, uint32_t new_seq);

/* Updates the queue after any number of keys may have changed: O(queued pages + hosts). */
void queue_rebuild(struct queue *);

/* Removes a queued page that is not to be taken. The caller then changes the page's state, or pushes it again. */
void queue_drop(struct queue *, uint32_t id);

/* Makes a host rest until `time`; at FRONTIER_FOR_GOOD or later, the host is given up. */
void queue_pause(struct queue *, uint32_t host, int64_t time);

/* Makes a host spent if it has had its share of the budget, and ends that if it may take more; the queue is not being restored.
 * Returns 1 if the host is spent now. */
int queue_weigh_host(struct queue *, uint32_t host);

/* Removes the best page of the hosts that may be asked at `now`. Returns 1 with *id, or 0 if there is none. */
int queue_take(struct queue *, int64_t now, uint32_t *id);

/* Removes up to `most` pages of a queue that is a FIFO, as queue_take() called one time after the other. Returns their
 * number; 0 if there is a delay between requests, or if pages are delayed or in the heap beside the FIFO. */
size_t queue_take_run(struct queue *, int64_t now, uint32_t *ids, size_t most);

/* Removes a deferred page at random: see frontier_take_sample(). */
int queue_take_sample(struct queue *, int64_t now, uint32_t *id);

/* --- shared by queue.c and operator.c only */

/* Puts a page into the deferred pile of its host. The caller then updates the host's standing. */
void deferred_push(struct queue *, uint32_t host, uint32_t id);

/* Frees the deferred pile of a host. */
void deferred_release(struct host_pages *);

/* Computes the standing of a host that has only deferred pages, which is behind that of every host with prompt pages.
 * Returns 1, or 0 if the deferred pile is empty. */
int deferred_standing(struct queue *, struct host_pages *, struct entry *standing);

/* Removes the best deferred page of a host from its pile. Returns 1 with *id, or 0 if deferred pages have to wait. */
int deferred_take(struct queue *, struct host_pages *, uint32_t *id);

/* Says whether a page is queued that is neither deferred nor on a host that is given up or spent; it may be delayed. */
static inline int queue_has_prompt(const struct queue *q)
{
	return q->count->queued > q->count->deferred + q->given_up + q->spent;
}

/* Says whether the deferred pages of a host without prompt pages have to wait. */
static inline int queue_deferred_wait(const struct queue *q)
{
	return q->deferred_last && queue_has_prompt(q);
}

/* Returns the key of a host with `pending` pages by the policy's host_key(), negated if the highest comes first. */
static inline double queue_host_key(const struct queue *q, uint64_t pending)
{
	const double key = q->host_key(q->call, pending);

	assert(!isnan(key));
	return q->by.sign * key;
}

/* Returns the order of the pages, valid until the arrays of pages grow. */
static inline struct page_order queue_order(const struct queue *q)
{
	return (struct page_order){q->pages->page, &q->by};
}

/* Does what queue_wake() does, where something may wait. */
void queue_wake_all(struct queue *, int64_t now);

/* Moves the clock forward to `now`: rests that are over end, and delayed pages whose time has come join their piles. */
static inline void queue_wake(struct queue *q, int64_t now)
{
	if (q->hosts.waiting.n || q->hosts.resting.n || q->delayed.n)
		queue_wake_all(q, now);
	else if (now > q->hosts.now)
		q->hosts.now = now;
}

/* Counts a page of a host as in flight, after it was removed from its pile. */
void queue_went_out(struct queue *, uint32_t host);

#endif
