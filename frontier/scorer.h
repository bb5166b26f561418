/* A scorer is a policy in use: the policy's state, its keys and private bytes for every page, and its view of the crawl.
 * A frontier has a scorer for each policy that takes turns. The policy whose turn it is leads: its keys order the
 * queue. The policies whose turns come later hear of the same events and keep keys of their own (F7 in
 * frontier/frontier.h).
 *
 *	scorer_init(&s, policy, until, opts, &view, why);
 *	scorers_grow(&s, 1, 0, 1000, SCORER_PAGES);       the arrays are 1,000 pages long
 *	scorers_see(&s, 1, id, seq);                      page id is discovered
 *	scorer_crawled(&s, u, outdegree, queued, n);      the policy writes s.call.page[queued[i]].key
 *	scorer_release(&s, 1000);
 *
 * A function scorers_*() acts on n scorers in an array, scorer_*() on one. Only frontier/ includes this header. */
#ifndef FRONTIER_SCORER_H
#define FRONTIER_SCORER_H

#include "frontier/policy.h"

struct scorer {
	const struct policy *policy;
	uint64_t until;          /* the number of crawled pages at which its turn ends; 0: it does not end */
	struct opt_set opts;     /* the policy's options; the values are borrowed */
	struct policy_call call; /* the argument of the hooks; page[].place is valid for the leader only */
	int initialised;         /* 1: policy->init has succeeded, so policy->done must be called */
	unsigned char *private;  /* policy->page_size bytes for each id */
	struct policy_view view;
	struct policy_work work;
};

/* Makes a scorer, which must not be moved in memory afterwards, and calls the policy's init. `view` has the fields that
 * are known before the first page: total, batch, rng_seed, oracle and links. Returns 0 or the error of init; the
 * caller calls scorer_release() in each case. */
int scorer_init(struct scorer *, const struct policy *, uint64_t until, const struct opt_set *,
	const struct policy_view *view, struct err_note *why) MUST_USE;

/* Calls the policy's done if it is due, and frees the memory. `ids` is the length of the arrays. */
void scorer_release(struct scorer *, uint32_t ids);

/* Whether scorers keep a struct page for each page (frontier/fifo.h says when they need not). */
enum scorer_pages { SCORER_NO_PAGES, SCORER_PAGES };

/* Lengthens the arrays of n scorers from `had` to `want` ids. The new private bytes are 0. */
void scorers_grow(struct scorer *, size_t n, uint32_t had, uint32_t want, enum scorer_pages);

/* Copies the counts, the state array and new_seq from the leader's view into a scorer's. */
void scorer_look(struct scorer *, const struct policy_view *leaders);

/* Gives a page that was just discovered its seq and, in each scorer, the policy's first_key. */
static inline void scorers_see(struct scorer *s, size_t n, uint32_t id, uint32_t seq)
{
	for (const struct scorer *end = s + n; s < end; s++)
		s->call.page[id] = (struct page){s->policy->first_key, seq, PLACE_NONE};
}

/* Copies the key, the seq and the private bytes of page `id` to `target`, the page that it redirects to. */
void scorers_take_over(struct scorer *, size_t n, uint32_t id, uint32_t target);

/* Gives a page of another agent its key there, and the private bytes that came with it. */
void scorer_remote(struct scorer *, uint32_t id, double key, const void *private);

/* Calls the policy's seed() for n pages that were queued as seeds. */
static inline void scorer_seeded(struct scorer *s, const uint32_t *seeds, size_t n)
{
	if (s->policy->seed)
		s->policy->seed(&s->call, seeds, n);
}

/* Calls the policy's crawled() for page u; struct policy explains the arguments. */
static inline void scorer_crawled(
	struct scorer *s, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	if (s->policy->crawled)
		s->policy->crawled(&s->call, u, outdegree, queued, n);
}

/* Calls missed() of n policies for page u, which was taken but not crawled. */
void scorers_missed(struct scorer *, size_t n, uint32_t u);

/* Calls redirected() of n policies for page u, whose target has taken over already what it takes over. */
void scorers_tell_redirect(struct scorer *, size_t n, uint32_t u, uint32_t target);

/* Calls the policy's rerank() if it is due. Returns 1 if any key may have changed, 0 if none has, or an error. */
static inline int scorer_rerank(struct scorer *s)
{
	const struct policy *p = s->policy;

	if (!p->rerank || !(p->due ? p->due(&s->call) : s->view.crawled % s->view.batch == 0))
		return 0;
	return p->rerank(&s->call);
}

#endif
