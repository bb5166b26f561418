/* A policy at work: its state, its keys and private bytes of every page, and its view of the crawl. A
 * frontier has one scorer for each policy that takes turns; the first one leads. All are told of everything
 * from the first seed on, and each keeps keys of its own; only the leader's keys order the queue. So when
 * the turn of another comes, its keys are what they would be had it alone been told of the same events.
 *
 *	scorer_init(&s, policy, until, opts, &view, why);
 *	scorers_grow(&s, 1, 0, 1000, SCORER_PAGES);       arrays for a thousand pages
 *	scorers_see(&s, 1, id, seq);                      a page is discovered
 *	scorer_crawled(&s, u, outdegree, queued, n);      the policy writes s.call.page[queued[i]].key
 *
 * Only frontier/ includes this header. */
#ifndef FRONTIER_SCORER_H
#define FRONTIER_SCORER_H

#include "frontier/policy.h"

struct scorer {
	const struct policy *policy;
	uint64_t until;          /* its turn ends when so many pages are crawled; 0: never */
	struct opt_set opts;     /* the policy's part of all options; borrowed */
	struct policy_call call; /* state, &view, page; only the leader's pages have places */
	int initialised;         /* policy->init went well: done is owed */
	unsigned char *private;  /* ids * policy->page_size */
	struct policy_view view;
	struct policy_work work;
};

/* Makes a scorer, which must not move afterwards. `view` tells what there is to know before a page is seen.
 * Errors are those of the policy's init; the caller releases the scorer in any case. */
int scorer_init(struct scorer *, const struct policy *, uint64_t until, const struct opt_set *,
	const struct policy_view *view, struct err_note *why) MUST_USE;

/* Frees what a scorer holds, with arrays for so many ids. */
void scorer_release(struct scorer *, uint32_t ids);

/* Whether scorers keep a struct page for each page: not while struct pages has none. */
enum scorer_pages { SCORER_NO_PAGES, SCORER_PAGES };

/* Makes the arrays of n scorers larger, `want` ids long; the first `had` ids keep their values. */
void scorers_grow(struct scorer *, size_t n, uint32_t had, uint32_t want, enum scorer_pages);

/* Brings the view of a scorer up to date with the leader's. */
void scorer_look(struct scorer *, const struct policy_view *leaders);

/* Gives a page that was just discovered its first key and its seq. */
static inline void scorers_see(struct scorer *s, size_t n, uint32_t id, uint32_t seq)
{
	for (const struct scorer *end = s + n; s < end; s++)
		s->call.page[id] = (struct page){s->policy->first_key, seq, PLACE_NONE};
}

/* Hands the key, the seq and the private bytes of a page on to the page that it redirects to. */
void scorers_redirected(struct scorer *, size_t n, uint32_t id, uint32_t target);

/* Tells the policy that n pages were queued as seeds. */
static inline void scorer_seeded(struct scorer *s, const uint32_t *seeds, size_t n)
{
	if (s->policy->seed)
		s->policy->seed(&s->call, seeds, n);
}

/* Tells the policy that page u was crawled: see crawled() of struct policy. */
static inline void scorer_crawled(
	struct scorer *s, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	if (s->policy->crawled)
		s->policy->crawled(&s->call, u, outdegree, queued, n);
}

/* Tells n policies that page u was taken, but not crawled: see missed() of struct policy. */
void scorers_missed(struct scorer *, size_t n, uint32_t u);

/* Lets the policy rerank if it is time to: 1 if any key may have changed, 0 if none has, or an error. */
static inline int scorer_rerank(struct scorer *s)
{
	const struct policy *p = s->policy;

	if (!p->rerank || !(p->due ? p->due(&s->call) : s->view.crawled % s->view.batch == 0))
		return 0;
	return p->rerank(&s->call);
}

#endif
