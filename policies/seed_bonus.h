/* A bonus in the keys of seeds (policies/echo.c), learnt from the crawled seeds and the other crawled pages; and a test whether the
 * seeds are roots, pages to which no other page links.
 *
 *	seed_bonus_learn(&b, c->view, u, outdegree, SEED);     page u was crawled
 *	key += seed_bonus(&b);                                 of a seed to which no crawled page links */
#ifndef POLICIES_SEED_BONUS_H
#define POLICIES_SEED_BONUS_H

#include "frontier/policy.h"

enum page_kind { SEED, FOUND_PAGE, PAGE_KINDS };

/* All zeros: nothing was crawled. */
struct seed_bonus {
	struct {
		double self; /* the mean of -ln(1 - 0.85 / O), the gain from a link to oneself; 0 for a page without one */
		uint64_t n, with_links;
	} kind[PAGE_KINDS];
	double hits;     /* the links that led to queued seeds */
	double expected; /* the links that would have done so, if each link led to any page of the crawl equally often */
};

/* Learns from page u, which was crawled; `outdegree` is O(u). */
void seed_bonus_learn(struct seed_bonus *, const struct policy_view *, uint32_t u, size_t outdegree, enum page_kind);

/* Returns the mean of `self` of the seeds less that of the other pages; plus 0.1 ln r if r > 3 or r < 1/3, where r is the share of
 * seeds that have links over that share of the other pages. */
double seed_bonus(const struct seed_bonus *);

/* Watches, in crawled(), how many links lead to queued seeds, which have a seq below n_seeds. Nothing is counted if there is no
 * more than a batch of them, or if the crawl does not know how many pages it will find. */
void seed_bonus_watch(struct seed_bonus *, const struct policy_call *, uint32_t n_seeds, size_t outdegree, const uint32_t *queued,
	size_t n);

/* Says whether the seeds are roots: ten times as many links as have led to queued seeds, and at least five, would have done so if
 * the seeds were pages like others. (If the seeds are pages like others, this happens by chance to less than one seed set in a
 * hundred.) */
int seed_bonus_are_roots(const struct seed_bonus *);

#endif
