/* RankMass, windowed: the key of a page is a lower bound of its PageRank personalised to the seeds; the highest key comes
 * first.
 *
 * At the start a seed s has the mass rm[s] = (1 - d) / |S|, and all other pages have 0. The crawl proceeds in windows: a
 * window consists of the best `batch` queued pages, or of all queued pages if there are fewer. At the end of a window
 * each crawled page p, in the order of the crawl, distributes its mass once: rm[v] += d / O(p) * rm[p] for each link, then
 * rm[p] = 0. So keys change only between windows, and a page that is discovered within a window has the key 0 until its
 * end.
 *
 * Deviation: RankMass in the paper distributes mass after each page; this is the paper's windowed form. */
#include "policies/policies.h"
#include "base/mem.h"

#include <stdlib.h>

#define DAMPING 0.85

struct rankmass {
	uint32_t *order; /* n: the crawled pages, in the order of the crawl */
	size_t n, room;
	uint64_t end; /* the number of crawled pages at which this window ends */
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
	if (c->view->crawled >= r->end)
		r->end = c->view->crawled + at_most(n, c->view->batch);
}

static void crawled(
	const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	struct rankmass *r = c->state;

	(void)outdegree;
	(void)queued;
	(void)n;
	if (c->view->state[u] == PAGE_REMOTE) /* it distributes its mass at the agent that crawled it */
		return;
	r->order = mem_grow(r->order, &r->room, r->n + 1, sizeof *r->order);
	r->order[r->n++] = u;
}

static int due(const struct policy_call *c)
{
	return c->view->crawled >= ((const struct rankmass *)c->state)->end;
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
	r->end = c->view->crawled + at_most(c->view->queued, c->view->batch);
	return 1;
}

/* Less than a thousandth of a page's share of the crawl's pages is not worth a message yet. */
static double take_mass(const struct policy_call *c, uint32_t u)
{
	double *mass = c->view->private_pages;
	const double m = mass[u];

	if (m * (double)c->view->seen < 1e-3)
		return 0;
	mass[u] = 0;
	return m;
}

static void add_mass(const struct policy_call *c, uint32_t u, double m)
{
	double *mass = c->view->private_pages;

	mass[u] += m;
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
	.take_mass = take_mass,
	.add_mass = add_mass,
	.done = done,
};
