/* RankMass, windowed: a lower bound of each page's personalised PageRank, highest first.
 *
 * Trust is uniform on the seeds: rm[s] = (1 - d) / |S|, 0 elsewhere. A window is the best `batch`
 * pages queued at its start, or all where there are fewer. After it the mass of all crawled pages
 * is handed on, once, in crawl order: rm[v] += d / O(p) * rm[p], rm[p] = 0. So a page's key rises
 * only between windows, and pages found within one come after it (key 0).
 *
 * Deviation: the paper hands on at each page; this is its windowed form. */
#include "policies/policies.h"
#include "base/mem.h"

#include <stdlib.h>

#define DAMPING 0.85

struct rankmass {
	uint32_t *order; /* crawled pages */
	size_t n, room;
	uint64_t left; /* pages of this window still to be crawled */
};

static uint64_t at_most(uint64_t n, uint64_t most)
{
	return n < most ? n : most;
}

static void seed(void *state, const struct policy_view *view, const uint32_t *seeds, size_t n,
	struct page *page)
{
	double *mass = view->private_pages;
	struct rankmass *r = state;

	for (size_t i = 0; i < n; i++)
		mass[seeds[i]] = page[seeds[i]].key = (1 - DAMPING) / (double)n;
	if (!r->left)
		r->left = at_most(n, view->batch);
}

static void crawled(void *state, const struct policy_view *view, uint32_t u, size_t outdegree,
	const uint32_t *queued, size_t n, struct page *page)
{
	struct rankmass *r = state;

	(void)view;
	(void)outdegree;
	(void)queued;
	(void)n;
	(void)page;
	r->order = mem_grow(r->order, &r->room, r->n + 1, sizeof *r->order);
	r->order[r->n++] = u;
	r->left -= r->left > 0;
}

static int due(void *state, const struct policy_view *view)
{
	(void)view;
	return ((const struct rankmass *)state)->left == 0;
}

static int rerank(void *state, const struct policy_view *view, struct page *page)
{
	double *mass = view->private_pages;
	struct rankmass *r = state;
	const uint32_t *target;

	for (size_t i = 0; i < r->n; i++) {
		double m = mass[r->order[i]];
		size_t n = m > 0 ? view_links(view, r->order[i], &target) : 0;
		double share = n ? DAMPING / (double)n * m : 0;
		mass[r->order[i]] = 0;
		for (size_t k = 0; k < n; k++)
			mass[target[k]] += share;
		view->work->pages += m > 0;
		view->work->arcs += n;
	}
	view->work->pages += view->queued;
	view->work->part = r->n + view->queued;
	for (uint32_t v = 0; v < view->ids; v++)
		if (view->state[v] == PAGE_QUEUED)
			page[v].key = mass[v];
	r->left = at_most(view->queued, view->batch);
	return 1;
}

static void done(void *state)
{
	free(((struct rankmass *)state)->order);
}

const struct policy policy_rankmass = {
	.name = "rankmass",
	.summary = "most PageRank that the seeds are sure to give first",
	.source = "Cho and Schonfeld 2007, the windowed form",
	.order = POLICY_HIGHEST_FIRST,
	.state_size = sizeof(struct rankmass),
	.page_size = sizeof(double),
	.seed = seed,
	.crawled = crawled,
	.rerank = rerank,
	.due = due,
	.done = done,
};
