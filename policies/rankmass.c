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

#define DAMPING 0.85

/* The crawled pages are a list in the order of the crawl. */
struct mass {
	double mass;
	uint32_t next; /* of a crawled page: the page crawled after it, + 1; 0: none */
};

struct rankmass {
	uint32_t first, last; /* of the list, + 1; 0: it is empty */
	uint64_t crawled;     /* the pages in the list */
	uint64_t end;         /* the number of crawled pages at which this window ends */
};

static uint64_t at_most(uint64_t n, uint64_t most)
{
	return n < most ? n : most;
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	struct mass *of = c->view->private_pages;
	struct rankmass *r = c->state;

	for (size_t i = 0; i < n; i++)
		of[seeds[i]].mass = c->page[seeds[i]].key = (1 - DAMPING) / (double)n;
	if (c->view->crawled >= r->end)
		r->end = c->view->crawled + at_most(n, c->view->batch);
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	struct mass *of = c->view->private_pages;
	struct rankmass *r = c->state;

	(void)outdegree;
	(void)queued;
	(void)n;
	if (c->view->state[u] == PAGE_REMOTE) /* it distributes its mass at the agent that crawled it */
		return;
	if (r->last)
		of[r->last - 1].next = u + 1;
	else
		r->first = u + 1;
	r->last = u + 1;
	r->crawled++;
}

static int due(const struct policy_call *c)
{
	return c->view->crawled >= ((const struct rankmass *)c->state)->end;
}

static int rerank(const struct policy_call *c)
{
	struct mass *of = c->view->private_pages;
	struct rankmass *r = c->state;
	const uint32_t *target;

	for (uint32_t p = r->first; p; p = of[p - 1].next) {
		double m = of[p - 1].mass;
		size_t n = m > 0 ? view_links(c->view, p - 1, &target) : 0;
		double share = n ? DAMPING / (double)n * m : 0;
		of[p - 1].mass = 0;
		for (size_t k = 0; k < n; k++)
			of[target[k]].mass += share;
		c->view->work->pages += m > 0;
		c->view->work->arcs += n;
	}
	c->view->work->pages += c->view->queued;
	c->view->work->part = r->crawled + c->view->queued;
	for (uint32_t v = 0; v < c->view->ids; v++)
		if (c->view->state[v] == PAGE_QUEUED)
			c->page[v].key = of[v].mass;
	r->end = c->view->crawled + at_most(c->view->queued, c->view->batch);
	return 1;
}

/* Hands over the mass of a page for another agent, unless it is less than a thousandth of 1 / (pages seen), which is not worth a
 * message yet. */
static double take_mass(const struct policy_call *c, uint32_t u)
{
	struct mass *of = c->view->private_pages;
	const double m = of[u].mass;

	if (m * (double)c->view->seen < 1e-3)
		return 0;
	of[u].mass = 0;
	return m;
}

static void add_mass(const struct policy_call *c, uint32_t u, double m)
{
	struct mass *of = c->view->private_pages;

	of[u].mass += m;
}

const struct policy policy_rankmass = {
	.name = "rankmass",
	.summary = "most PageRank that the seeds are sure to give first",
	.source = "Cho and Schonfeld 2007, the windowed form",
	.order = POLICY_HIGHEST_FIRST,
	.state_size = sizeof(struct rankmass),
	.page_size = sizeof(struct mass),
	.seed = seed,
	.crawled = crawled,
	.rerank = rerank,
	.due = due,
	.take_mass = take_mass,
	.add_mass = add_mass,
};
