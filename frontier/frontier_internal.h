/* The struct of a frontier, and the functions that its files share. Only these files and a test include this header:
 *
 *   frontier.c     makes, restores and frees a frontier, and answers questions about it
 *   discovery.c    queues pages: seeds, and the targets of links and redirects
 *   flight.c       takes pages, ends their flights, and visits crawled pages again
 *   remote.c       describes pages to other agents, and hears of theirs
 *   snapshot.c     writes and reads the image of a frontier
 *   operator.c     defers and promotes pages, holds hosts, and looks at hosts and coming pages */
#ifndef FRONTIER_FRONTIER_INTERNAL_H
#define FRONTIER_FRONTIER_INTERNAL_H

#include "frontier/remote.h"
#include "frontier/pages.h"
#include "frontier/queue.h"
#include "frontier/ranker.h"
#include "frontier/schedule.h"

struct frontier {
	struct frontier_world world;
	struct ranker *rankers; /* the policies, in the order of their turns; those before `lead` are released */
	struct ranker *lead;    /* the policy whose turn it is */
	size_t n_turns;         /* the number of rankers from `lead` on */
	unsigned sees;          /* bits of enum policy_sight: what any of the policies sees */
	struct pages pages;
	enum ranker_pages pages_kept; /* RANKER_NO_PAGES: no struct page is kept (frontier/pile.h) */
	struct queue queue;
	uint32_t *targets; /* targets_room: the queued targets of the page that was crawled last, or new seeds */
	double *old_key;   /* targets_room: the keys of these targets before crawled() was called */
	size_t targets_room;
	struct frontier_counts count; /* pages by state; the queue counts hosts */
	uint64_t n_targets;           /* `targets` of struct frontier_work */
	uint32_t next_seq;            /* the seq of the next page that is discovered */
	struct frontier_elsewhere elsewhere;
	uint64_t reranks;     /* calls of the leader's rerank() */
	uint64_t visits;      /* of crawled pages, in flight */
	uint32_t hosts_known; /* the hosts below this number exist, and have their manners */
	int restoring;        /* 1 between frontier_restore_begin() and frontier_restore_end() */
};

/* Makes the arrays at least `ids` elements long. */
void frontier_need_ids(struct frontier *, uint32_t ids);

/* Makes all hosts up to `host` exist, each with its manners (world.manners). */
void frontier_need_host(struct frontier *, uint32_t host);

/* Begins to keep structs page, if none were kept before. */
void frontier_need_pages(struct frontier *);

/* Handles the links of page u, which was crawled, and their kinds (NULL: all 0): discovers new targets, calls crawled() and
 * rerank() of all policies, and brings the changed keys into the queue. Returns 0 or the error of a rerank. */
int frontier_found(struct frontier *, uint32_t u, const uint32_t *links, const uint8_t *kinds, size_t n) MUST_USE;

/* Ends a flight for a host: politeness counts the request, and the host gets its news. */
void frontier_land_host(struct frontier *, uint32_t host, const struct frontier_end *);

/* Handles the links of page u, which another agent has crawled, as frontier_found() does, but without reranking. */
void frontier_found_remote(struct frontier *, uint32_t u, const struct frontier_remote *);

/* Handles the links of page u, whose state is set already, as frontier_found_remote() does. */
void frontier_found_elsewhere(struct frontier *, uint32_t u, const struct frontier_remote *);

/* Counts the end of a page that was not crawled, whose state is set already, and queues the page or its target where the end says
 * so. */
void frontier_count_end(struct frontier *, uint32_t id, const struct frontier_end *);

/* Gives a page that another agent had a seq, and its state there; frontier_enqueue() is still to be called for a queued one. */
void frontier_take_over(struct frontier *, uint32_t id, enum page_state);

/* Makes a page PAGE_REMOTE if it is unseen and belongs to another agent. */
void frontier_meet(struct frontier *, uint32_t id);

/* Handles the target of a redirect. If the redirect queues it, the target takes over the key, seq, private bytes and
 * deferral of page `id`. */
void frontier_found_target(struct frontier *, uint32_t id, uint32_t target);

/* Ends the turn of the leading policy; from now on the keys of the next policy order the queue. */
void frontier_next_turn(struct frontier *);

/* Updates the number of seen pages in the leader's view. A page and the pages that redirect to it count once. */
static inline void frontier_show_seen(struct frontier *f)
{
	f->lead->view.seen = f->count.seen - f->count.redirected + f->elsewhere.seen;
}

/* Updates the number of queued pages in the leader's view, with those of the other agents. */
static inline void frontier_show_queued(struct frontier *f)
{
	f->lead->view.queued = f->count.queued + f->elsewhere.queued;
}

/* Updates the number of crawled pages and the batches in the leader's view. If a batch has ended since the last call, the number
 * is that at which it ended. */
static inline void frontier_show_crawled(struct frontier *f)
{
	struct policy_view *view = &f->lead->view;
	const uint64_t n = f->count.crawled + f->elsewhere.crawled;

	view->crawled = schedule_pass(view, n) ? view->batch_began : n;
}

/* Asks for the rank of a page, if pages have ranks, by the depth at which it was found. */
static inline void frontier_ask_rank(struct frontier *f, uint32_t id)
{
	if (f->pages.rank)
		f->pages.rank[id] = f->world.rank(f->world.ctx, id, f->pages.found[id].depth);
}

/* Keeps how a page was found, before frontier_enqueue(). */
static inline void frontier_set_found(struct frontier *f, uint32_t id, const struct policy_found *how)
{
	f->pages.found[id] = *how;
	frontier_ask_rank(f, id);
}

/* Makes a queued page PAGE_IN_FLIGHT and adjusts the counts. */
static inline void frontier_goes_out(struct frontier *f, uint32_t id)
{
	pages_set_state(&f->pages, id, PAGE_IN_FLIGHT);
	f->count.queued--;
	f->count.in_flight++;
	f->count.deferred -= (uint64_t)pages_is_deferred(&f->pages, id);
}

/* Puts a page whose state has just become PAGE_QUEUED into the queue; during a restore frontier_restore_end() does
 * so. */
static inline void frontier_enqueue(struct frontier *f, uint32_t id)
{
	if (!f->restoring)
		queue_push(&f->queue, id);
}

/* Marks a page whose state has just become PAGE_QUEUED as deferred, before frontier_enqueue(). */
static inline void frontier_set_deferred(struct frontier *f, uint32_t id)
{
	pages_set_deferred(&f->pages, id, 1);
	f->count.deferred++;
}

#endif
