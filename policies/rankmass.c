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

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	double *mass = c->view->private_pages;
	struct rankmass *r = c->state;

	for (size_t i = 0; i < n; i++)
		mass[seeds[i]] = c->page[seeds[i]].key = (1 - DAMPING) / (double)n;
	if (!r->left)
		r->left = at_most(n, c->view->batch);
}

static void crawled(
	const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	struct rankmass *r = c->state;

	(void)outdegree;
	(void)queued;
	(void)n;
	r->order = mem_grow(r->order, &r->room, r->n + 1, sizeof *r->order);
	r->order[r->n++] = u;
	r->left -= r->left > 0;
}

static int due(const struct policy_call *c)
{
	return ((const struct rankmass *)c->state)->left == 0;
}

static int rerank(const struct policy_call *c)
{
	double *mass = c->view->private_pages;
	struct rankmass *r = c->state;
	const uint32_t *target;

	for (size_t i = 0; i < r->n; i++) {
		double m = mass[r->order[i]];
		size_t n = m > 0 ? view_links(c->view, r->order[i], &target) : 0;
		double share = n ? DAMPING / (double)n * m : 0;
		mass[r->order[i]] = 0;
		for (size_t k = 0; k < n; k++)
			mass[target[k]] += share;
		c->view->work->pages += m > 0;
		c->view->work->arcs += n;
	}
	c->view->work->pages += c->view->queued;
	c->view->work->part = r->n + c->view->queued;
	for (uint32_t v = 0; v < c->view->ids; v++)
		if (c->view->state[v] == PAGE_QUEUED)
			c->page[v].key = mass[v];
	r->left = at_most(c->view->queued, c->view->batch);
	return 1;
}

static void done(const struct policy_call *c)
{
	free(((struct rankmass *)c->state)->order);
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
