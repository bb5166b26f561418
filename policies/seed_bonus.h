/* What the seeds of a crawl are worth beside its other pages, as far as it has crawled both (policies/echo.c).
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
};

/* Learns from page u, which was crawled; `outdegree` is O(u). */
void seed_bonus_learn(struct seed_bonus *, const struct policy_view *, uint32_t u, size_t outdegree, enum page_kind);

/* Returns the mean of `self` of the seeds less that of the other pages; plus 0.1 ln r if r > 3 or r < 1/3, where r is the share of
 * seeds that have links over that share of the other pages. */
double seed_bonus(const struct seed_bonus *);

#endif
