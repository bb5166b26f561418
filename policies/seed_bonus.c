#include "policies/seed_bonus.h"

#include <math.h>

#define DAMPING 0.85
#define ENOUGH  5  /* the expected hits from which on the seeds may be judged to be roots, pages to which no link leads */
#define FEWER   10 /* the seeds are roots if there are this many times fewer hits than expected */

void seed_bonus_learn(struct seed_bonus *b, const struct policy_view *view, uint32_t u, size_t outdegree, enum page_kind kind)
{
	const uint32_t *row;
	const size_t n = view_links(view, u, &row);
	double self = 0;

	for (size_t i = 0; i < n; i++)
		if (row[i] == u)
			self = -log(1 - DAMPING / (double)outdegree);
	b->kind[kind].n++;
	b->kind[kind].self += (self - b->kind[kind].self) / (double)b->kind[kind].n;
	b->kind[kind].with_links += outdegree > 0;
}

/* Returns the share of pages of a kind that have links, smoothed as if one more page had links: (with links + 1) / (pages + 1). */
static double linked(const struct seed_bonus *b, enum page_kind kind)
{
	return ((double)b->kind[kind].with_links + 1) / ((double)b->kind[kind].n + 1);
}

double seed_bonus(const struct seed_bonus *b)
{
	const double r = log(linked(b, SEED) / linked(b, FOUND_PAGE));

	return b->kind[SEED].self - b->kind[FOUND_PAGE].self + (fabs(r) > log(3) ? 0.1 * r : 0);
}

void seed_bonus_watch(struct seed_bonus *b, const struct policy_call *c, uint32_t n_seeds, size_t outdegree, const uint32_t *queued,
	size_t n)
{
	const struct policy_view *view = c->view;
	const double left = (double)n_seeds - (double)view->crawled;

	if (n_seeds <= view->batch || left <= 0 || !view->total)
		return;
	b->expected += (double)outdegree * left / (double)view->total;
	for (size_t i = 0; i < n; i++)
		b->hits += c->page[queued[i]].seq < n_seeds;
}

int seed_bonus_are_roots(const struct seed_bonus *b)
{
	return b->expected >= ENOUGH && FEWER * b->hits <= b->expected;
}
