/* What a frontier is made of, for the files of this folder that are the frontier. */
#ifndef FRONTIER_INSIDE_H
#define FRONTIER_INSIDE_H

#include "frontier/follower.h"
#include "frontier/frontier.h"
#include "frontier/queue.h"

struct frontier {
	const struct policy *policy;
	struct frontier_world world;
	struct policy_call call; /* state, &view, page */
	int initialised;         /* policy->init went well: done is owed */
	struct opt_set opts;     /* of a turn of a chain: its part of the chain's */
	uint64_t until;          /* the turn ends when so many pages are crawled; 0: never */
	struct follower *next;   /* whose turns come, n_next of them */
	size_t n_next;
	struct follower *chain; /* all that ever followed: where `next` points into */

	uint32_t ids;      /* arrays hold so many pages */
	struct page *page; /* ids; NULL while is_plain */
	uint8_t *state;    /* ids, enum page_state */
	uint32_t *host_of; /* ids; NULL without hosts */
	uint8_t *is_late;  /* ids, of a page queued or in flight whether it is deferred; NULL where
				   none can be */
	unsigned char *private; /* ids * policy->page_size */

	struct queue queue;
	struct policy_view view;
	uint32_t *targets; /* of the page being told of, that are queued */
	double *old_key;   /* theirs, before the policy was told */
	size_t targets_room;
	struct frontier_counts count;
	uint64_t n_targets;      /* given to crawled() */
	struct policy_work work; /* the policy's own */
	uint32_t next_seq;
	int restoring;
	int is_plain; /* see frontier_need_pages() */
};

/* Where nobody writes a key, the queue is a ring, and all that were seen are in it, a page's seq is
 * its place there: it is_plain then, without a struct page. This makes them, once something needs
 * them: another end than `crawled`, or a look. */
void frontier_need_pages(struct frontier *);

/* A page without struct page was crawled: its links. */
void frontier_queue_plain(struct frontier *, const uint32_t *links, size_t n);

/* Arrays for so many pages. */
void frontier_need_ids(struct frontier *, uint32_t ids);

/* A queued page is in flight from now on. */
static inline void frontier_goes_out(struct frontier *f, uint32_t id)
{
	f->state[id] = PAGE_IN_FLIGHT;
	f->count.queued--;
	f->count.in_flight++;
	if (f->is_late)
		f->count.deferred -= f->is_late[id];
}

/* The turn of the first follower has come (swap.c). */
void frontier_take_over(struct frontier *);

/* Gives the frontier the followers of a chain, the first turn being its own (swap.c). */
int frontier_chain(struct frontier *, const struct policy *chain, const struct opt_set *,
	struct err_note *why) MUST_USE;
void frontier_unchain(struct frontier *);

#endif
