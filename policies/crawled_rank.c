#include "policies/crawled_rank.h"
#include "graph/pagerank.h"

#include <math.h>

#define DAMPING 0.85

/* Below this share of all, what is open no longer changes anything. */
#define ROUNDING 1e-17

/* A sweep leaves out pages that hold less than this share of what a page holds on average. */
#define WORTHWHILE 0.3

void crawled_rank_init(struct crawled_rank *r, const struct policy_view *view)
{
	r->tolerance = fmax(opt_number(view->opts, "tol"), ROUNDING);
}

void crawled_rank_seed(struct crawled_rank *r, const struct policy_view *view, size_t n)
{
	if (view->crawled)
		return; /* they come with the next solve */
	r->sum += (double)n;
	r->pages += (double)n;
}

void crawled_rank_crawled(struct crawled_rank *r, const struct policy_view *view, uint32_t u)
{
	struct rank_page *page = view->private_pages;

	page[u].open += 1;
	r->held += 1;
}

/* Hands on what u holds; returns how much reached its targets. */
static double hand_on(const struct policy_view *view, struct rank_page *page, uint32_t u)
{
	const uint32_t *target;
	size_t n = view_links(view, u, &target);
	double open = page[u].open, share = n ? DAMPING * open / (double)n : 0;

	page[u].open = 0;
	for (size_t i = 0; i < n; i++)
		page[target[i]].open += share;
	return share * (double)n;
}

/* All crawled pages that hold more than `least`. Returns a bound on what they hold afterwards. */
static double sweep(struct crawled_rank *r, const struct policy_view *view, double least)
{
	struct rank_page *page = view->private_pages;
	double left = 0, moved = 0;

	for (uint32_t u = 0; u < view->ids; u++) {
		if (view->state[u] != PAGE_CRAWLED)
			continue;
		if (page[u].open > least)
			moved += hand_on(view, page, u);
		else
			left += page[u].open;
	}
	r->held += moved;
	return left + moved;
}

void crawled_rank_solve(struct crawled_rank *r, const struct policy_view *view)
{
	double crawled = (double)view->crawled, others = (double)view->seen - crawled;
	double open = INFINITY, least = 0;

	/* a Jacobi sweep would change the values by what is open, and as much by normalising */
	while (open * 2 >= r->tolerance * (r->held + others)) {
		open = sweep(r, view, least);
		least = WORTHWHILE * open / crawled;
	}
	r->sum = r->held + others;
	r->pages = (double)view->seen;
}

double crawled_rank_key(const struct crawled_rank *r, double value)
{
	return (double)pagerank_key(value, (uint32_t)r->pages);
}
