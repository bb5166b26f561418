#include "policies/crawled_rank.h"
#include "graph/kernels/pagerank.h"

#include <math.h>

#define DAMPING 0.85

/* The least tolerance: open values below this share of the sum are lost in rounding. */
#define ROUNDING 1e-17

/* A sweep leaves out pages whose open value is less than this share of the mean open value. */
#define WORTHWHILE 0.5

/* A sweep visits each block of BLOCK pages PASSES times before the next block: most links lead to pages nearby, whose
 * values are still in the cache. */
#define BLOCK  256
#define PASSES 4

void crawled_rank_init(struct crawled_rank *r, const struct policy_view *view)
{
	r->tolerance = fmax(opt_number(view->opts, "tol"), ROUNDING);
}

void crawled_rank_seed(struct crawled_rank *r, const struct policy_view *view, size_t n)
{
	if (view->crawled)
		return; /* the next solve counts these seeds among the discovered pages */
	r->sum += (double)n;
	r->pages += (double)n;
}

void crawled_rank_crawled(struct crawled_rank *r, const struct policy_view *view, uint32_t u)
{
	struct rank_page *page = view->private_pages;

	if (view->state[u] == PAGE_REMOTE)
		return;
	page[u].open += 1;
	r->held += 1;
}

void crawled_rank_begin(struct crawled_rank *r, const struct policy_view *view)
{
	if (r->sum > 0)
		return;
	r->sum = fmax(1, (double)view->seen);
	r->pages = r->sum;
}

double crawled_rank_take_mass(const struct policy_call *c, uint32_t u)
{
	struct rank_page *page = c->view->private_pages;
	struct crawled_rank *r = c->state;
	const double mass = page[u].open;

	if (mass < CRAWLED_RANK_WORTH)
		return 0;
	page[u].open = 0;
	r->held -= mass;
	return mass;
}

void crawled_rank_add_mass(const struct policy_call *c, uint32_t u, double mass)
{
	struct rank_page *page = c->view->private_pages;
	struct crawled_rank *r = c->state;

	page[u].open += mass;
	r->held += mass;
}

/* Distributes the open value of the crawled page u. Returns the sum of what its targets got. */
static double hand_on(const struct policy_view *view, struct rank_page *page, uint32_t u)
{
	const uint32_t *target;
	size_t n = view_links(view, u, &target);
	double open = page[u].open, share = n ? DAMPING * open / (double)n : 0;

	view->work->pages++;
	view->work->arcs += n;
	page[u].open = 0;
	for (size_t i = 0; i < n; i++)
		page[target[i]].open += share;
	return share * (double)n;
}

/* Distributes the open value of each crawled page in [first, end) that has more than `least` open. Returns the sum of what
 * all targets got. */
static double pass(const struct policy_view *view, uint64_t first, uint64_t end, double least)
{
	struct rank_page *page = view->private_pages;
	double moved = 0;

	for (uint64_t u = first; u < end; u++)
		if (view->state[u] == PAGE_CRAWLED && page[u].open > least)
			moved += hand_on(view, page, (uint32_t)u);
	return moved;
}

static void sweep(struct crawled_rank *r, const struct policy_view *view, double least)
{
	for (uint64_t first = 0; first < view->ids; first += BLOCK) {
		uint64_t end = first + BLOCK < view->ids ? first + BLOCK : view->ids;
		double moved = 1;
		for (int i = 0; i < PASSES && moved > 0; i++)
			r->held += moved = pass(view, first, end, least);
	}
}

/* Returns the sum of the open values of all crawled pages. */
static double open_in_all(const struct policy_view *view)
{
	const struct rank_page *page = view->private_pages;
	double open = 0;

	for (uint32_t u = 0; u < view->ids; u++)
		open += view->state[u] == PAGE_CRAWLED ? page[u].open : 0;
	return open;
}

void crawled_rank_solve(struct crawled_rank *r, const struct policy_view *view)
{
	double crawled = (double)view->crawled, others = (double)view->seen - crawled;
	double open = open_in_all(view);

	/* a Jacobi sweep would change the values by `open` in total, and normalising by as much again */
	while (open * 2 >= r->tolerance * (r->held + others)) {
		sweep(r, view, WORTHWHILE * open / crawled);
		open = open_in_all(view);
	}
	r->sum = r->held + others;
	r->pages = (double)view->seen;
	view->work->pages += view->queued; /* the policy now computes the keys of the queued pages */
	view->work->part = view->seen;
}

double crawled_rank_key(const struct crawled_rank *r, double value)
{
	return (double)pagerank_key(value, (uint32_t)r->pages);
}
