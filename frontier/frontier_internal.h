/* What a frontier is made of. Only the files of this folder that are the frontier include this header:
 * frontier.c (its life, and what can be asked of it), discovery.c (pages are found), flight.c (pages are
 * taken and come to an end) and deferred.c. */
#ifndef FRONTIER_FRONTIER_INTERNAL_H
#define FRONTIER_FRONTIER_INTERNAL_H

#include "frontier/frontier.h"
#include "frontier/pages.h"
#include "frontier/queue.h"
#include "frontier/scorer.h"

struct frontier {
	struct frontier_world world;
	struct scorer *scorers; /* all policies, in the order of their turns */
	struct scorer *lead;    /* whose turn it is; n_turns from here on have one, now or later */
	size_t n_turns;
	struct pages pages;
	enum scorer_pages pages_kept; /* SCORER_NO_PAGES: see struct pages */
	struct queue queue;
	uint32_t *targets; /* of the page being told of, those that are queued */
	double *old_key;   /* their keys before the policy was told */
	size_t targets_room;
	struct frontier_counts count;
	uint64_t n_targets; /* given to crawled() */
	uint32_t next_seq;
	int restoring;
};

/* Makes arrays for so many ids. */
void frontier_need_ids(struct frontier *, uint32_t ids);

/* Makes the struct pages, if there are none yet. */
void frontier_need_pages(struct frontier *);

/* Sees the pages that a crawled page links to, and tells the policies, whose keys go into the queue. It
 * may return the error of a rerank. */
int frontier_found(struct frontier *, uint32_t u, const uint32_t *links, size_t n) MUST_USE;

/* Sees the target of a redirect, which takes the place of page id if it is queued by that. */
void frontier_found_target(struct frontier *, uint32_t id, uint32_t target);

/* Ends the turn of the policy that leads: the keys of the next one order the queue. */
void frontier_next_turn(struct frontier *);

/* Shows the policies how many pages are seen: a page and those that redirect to it count once. */
static inline void frontier_show_seen(struct frontier *f)
{
	f->lead->view.seen = f->count.seen - f->count.redirected;
}

/* Counts a queued page as in flight. */
static inline void frontier_goes_out(struct frontier *f, uint32_t id)
{
	f->pages.state[id] = PAGE_IN_FLIGHT;
	f->count.queued--;
	f->count.in_flight++;
	f->count.deferred -= (uint64_t)pages_is_deferred(&f->pages, id);
}

/* Puts a page that was just queued into the queue; while a log is read there is none. */
static inline void frontier_enqueue(struct frontier *f, uint32_t id)
{
	if (!f->restoring)
		queue_push(&f->queue, id);
}

/* Makes a queued page a deferred one, before it is put into the queue. */
static inline void frontier_set_deferred(struct frontier *f, uint32_t id)
{
	f->pages.is_deferred[id] = 1;
	f->count.deferred++;
}

#endif
