/* Backlink count: the page to which most crawled pages link comes first.
 *
 * The count of a page is the number of distinct crawled pages that link to it. The counts become the keys at each
 * reranking; between two rerankings the counts grow, the keys stay, and a new page has the key 0. With fixed batches of
 * one page the counts are the keys at any time. */
#include "policies/policies.h"

/* Says whether every batch is one page. */
static int is_continuous(const struct policy_view *view)
{
	return view->batch == 1 && view->growth <= 0;
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	uint32_t *count = c->view->private_pages;

	(void)u;
	(void)outdegree;
	if (is_continuous(c->view)) { /* there is no reranking: the key is the count */
		for (size_t i = 0; i < n; i++)
			c->page[queued[i]].key += 1;
		return;
	}
	for (size_t i = 0; i < n; i++)
		count[queued[i]]++;
}

static int rerank(const struct policy_call *c)
{
	const uint32_t *count = c->view->private_pages;

	if (is_continuous(c->view))
		return 0;
	for (uint32_t v = 0; v < c->view->ids; v++)
		if (c->view->state[v] == PAGE_QUEUED)
			c->page[v].key = count[v];
	c->view->work->pages += c->view->queued;
	return 1;
}

const struct policy policy_backlink = {
	.name = "backlink",
	.summary = "most links from crawled pages first, reordered every batch",
	.source = "IECA paper, Algorithm 2; Cho, Garcia-Molina and Page 1998 (--batch 1)",
	.order = POLICY_HIGHEST_FIRST,
	.page_size = sizeof(uint32_t),
	.page_sent = sizeof(uint32_t),
	.crawled = crawled,
	.rerank = rerank,
};
