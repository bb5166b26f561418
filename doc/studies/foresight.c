/* Foresight: what a crawl would find that knew links which no crawl can know. A yardstick for the laboratory alone, since it reads
 * the links of pages that are not crawled past the view (doc/policies/echo.md, "What limits it").
 *
 * It orders the queue by PageRank, at the rerankings of batches, by the true links of the crawled pages, of the queued pages
 * (DEPTH 1), and of all pages that queued pages link to (DEPTH 2):
 *
 *	cc -std=gnu11 -O2 -shared -fPIC -I../.. -DDEPTH=1 -DNAME='"foresight-1"' -o foresight-1.so foresight.c
 *
 * Values are unnormalised: x(v) = sum over the links u -> v of 0.85 (1 + x(u)) / O(u). */
#include "frontier/policy.h"

#include <math.h>
#include <stdlib.h>

#define DAMPING 0.85
#define SWEEPS  20

struct foreseen {
	double x, next;
	int is_given; /* its shares are in x of its targets */
};

static size_t links(const struct policy_view *view, uint32_t u, const uint32_t **row)
{
	return view->links(view->links_of, u, row); /* of any page: this is the foresight */
}

/* Marks page u and, `deep` links further, the pages that it leads to. */
static void mark(const struct policy_view *view, uint32_t u, int deep)
{
	struct foreseen *page = view->private_pages;
	const uint32_t *row;
	size_t n = links(view, u, &row);

	page[u].is_given = 1;
	for (size_t i = 0; deep && i < n; i++)
		page[row[i]].is_given = 1;
}

static void give(const struct policy_view *view, uint32_t u)
{
	struct foreseen *page = view->private_pages;
	const uint32_t *row;
	const size_t n = links(view, u, &row);

	for (size_t i = 0; i < n; i++)
		page[row[i]].next += DAMPING * (1 + page[u].x) / (double)n;
}

static int rerank(const struct policy_call *c)
{
	const struct policy_view *view = c->view;
	struct foreseen *page = view->private_pages;

	for (uint32_t u = 0; u < view->ids; u++)
		page[u].is_given = 0;
	for (uint32_t u = 0; u < view->ids; u++)
		if (view->state[u] == PAGE_CRAWLED || view->state[u] == PAGE_QUEUED)
			mark(view, u, DEPTH > 1 && view->state[u] == PAGE_QUEUED);
	for (int i = 0; i < SWEEPS; i++) {
		for (uint32_t u = 0; u < view->ids; u++)
			if (page[u].is_given)
				give(view, u);
		for (uint32_t u = 0; u < view->ids; u++) {
			page[u].x = page[u].next;
			page[u].next = 0;
		}
	}
	for (uint32_t u = 0; u < view->ids; u++)
		if (view->state[u] == PAGE_QUEUED)
			c->page[u].key = log(1 + page[u].x);
	return 1;
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->page[seeds[i]].key = 1e12; /* before all others, as echo has it */
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	struct foreseen *page = c->view->private_pages;

	for (size_t i = 0; i < n; i++) {
		struct foreseen *v = &page[queued[i]];
		if (!page[u].is_given)
			v->x += DAMPING * (1 + page[u].x) / (double)outdegree;
		if (c->page[queued[i]].key < 1e12)
			c->page[queued[i]].key = log(1 + v->x);
	}
	page[u].is_given = 1;
}

static const struct policy foresight = {
	.name = NAME,
	.summary = "PageRank with the true links of queued pages",
	.source = "doc/policies/echo.md",
	.order = POLICY_HIGHEST_FIRST,
	.page_size = sizeof(struct foreseen),
	.seed = seed,
	.crawled = crawled,
	.rerank = rerank,
};

const struct policy_module lycosa_policy = {POLICY_ABI, sizeof(struct policy), &foresight};
