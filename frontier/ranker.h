/* A ranker is a policy in use: the policy's state, its keys and private bytes for every page, and its view of the crawl.
 * A frontier has a ranker for each policy that takes turns. The policy whose turn it is leads: its keys order the
 * queue. The policies whose turns come later hear of the same events and keep keys of their own (F7 in
 * frontier/frontier.h).
 *
 *	ranker_init(&s, policy, until, opts, &view, why);
 *	rankers_grow(&s, 1, 0, 1000, RANKER_PAGES);       the arrays are 1,000 pages long
 *	rankers_see(&s, 1, id, seq);                      page id is discovered
 *	ranker_crawled(&s, u, outdegree, queued, n);      the policy writes s.call.page[queued[i]].key
 *	ranker_release(&s, 1000);
 *
 * A function rankers_*() acts on n rankers in an array, ranker_*() on one. Only frontier/ includes this header. */
#ifndef FRONTIER_RANKER_H
#define FRONTIER_RANKER_H

#include "frontier/policy.h"

struct ranker {
	const struct policy *policy;
	uint64_t until;          /* the number of crawled pages at which its turn ends; 0: it does not end */
	struct opt_set opts;     /* the policy's options; the values are borrowed */
	struct policy_call call; /* the argument of the hooks; page[].slot is valid for the leader only */
	int initialised;         /* 1: policy->init has succeeded, so policy->done must be called */
	unsigned char *private;  /* policy->page_size bytes for each id */
	struct policy_view view;
	struct policy_work work;
};

/* Makes a ranker, which must not be moved in memory afterwards, and calls the policy's init. `view` has the fields that
 * are known before the first page: total, the schedule, rng_seed, oracle and links. Returns 0 or the error of init; the
 * caller calls ranker_release() in each case. */
int ranker_init(struct ranker *, const struct policy *, uint64_t until, const struct opt_set *, const struct policy_view *view,
	struct err_note *why) MUST_USE;

/* Calls the policy's done if it is due, and frees the memory. `ids` is the length of the arrays. */
void ranker_release(struct ranker *, uint32_t ids);

/* Whether rankers keep a struct page for each page (frontier/pile.h says when they need not). */
enum ranker_pages { RANKER_NO_PAGES, RANKER_PAGES };

/* Lengthens the arrays of n rankers from `had` to `want` ids. The new private bytes are 0. */
void rankers_grow(struct ranker *, size_t n, uint32_t had, uint32_t want, enum ranker_pages);

/* Copies the counts, the batches, the state array and new_seq from the leader's view into a ranker's. */
void ranker_look(struct ranker *, const struct policy_view *leaders);

/* Gives a page that was just discovered its seq and, in each ranker, the policy's first_key. */
static inline void rankers_see(struct ranker *s, size_t n, uint32_t id, uint32_t seq)
{
	for (const struct ranker *end = s + n; s < end; s++)
		s->call.page[id] = (struct page){s->policy->first_key, seq, SLOT_NONE};
}

/* Copies the key, the seq and the private bytes of page `id` to `target`, the page that it redirects to. */
void rankers_take_over(struct ranker *, size_t n, uint32_t id, uint32_t target);

/* Gives a page of another agent its key there, and the private bytes that came with it. */
void ranker_remote(struct ranker *, uint32_t id, double key, const void *private);

/* Calls the policy's seed() for n pages that were queued as seeds. */
static inline void ranker_seeded(struct ranker *s, const uint32_t *seeds, size_t n)
{
	if (s->policy->seed)
		s->policy->seed(&s->call, seeds, n);
}

/* Calls the policy's crawled() for page u; struct policy explains the arguments. */
static inline void ranker_crawled(struct ranker *s, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	if (s->policy->crawled)
		s->policy->crawled(&s->call, u, outdegree, queued, n);
}

/* Calls missed() of n policies for page u, which was taken but not crawled. */
void rankers_missed(struct ranker *, size_t n, uint32_t u);

/* Calls redirected() of n policies for page u, whose target has taken over already what it takes over. */
void rankers_tell_redirect(struct ranker *, size_t n, uint32_t u, uint32_t target);

/* Calls the policy's rerank() if it is due. Returns 1 if any key may have changed, 0 if none has, or an error. */
static inline int ranker_rerank(struct ranker *s)
{
	const struct policy *p = s->policy;

	if (!p->rerank || !(p->due ? p->due(&s->call) : view_batch_ended(&s->view)))
		return 0;
	return p->rerank(&s->call);
}

#endif
