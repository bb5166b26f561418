/* Backlink count: the pages that most crawled pages link to, as counted at the last reordering.
 *
 * A page's count is the number of distinct crawled pages that link to it. The queue is ordered by
 * it every batch pages; between, new pages go to the end (key 0) and the counts grow unseen. With
 * a batch of one page the counts are the keys all the time. */
#include "policies/policies.h"

static void crawled(void *state, const struct policy_view *view, uint32_t u, size_t outdegree,
	const uint32_t *queued, size_t n, struct page *page)
{
	uint32_t *count = view->private_pages;

	(void)state;
	(void)u;
	(void)outdegree;
	if (view->batch == 1) { /* no reordering then: count in the key itself */
		for (size_t i = 0; i < n; i++)
			page[queued[i]].key += 1;
		return;
	}
	for (size_t i = 0; i < n; i++)
		count[queued[i]]++;
}

static int rerank(void *state, const struct policy_view *view, struct page *page)
{
	const uint32_t *count = view->private_pages;

	(void)state;
	if (view->batch == 1)
		return 0;
	for (uint32_t v = 0; v < view->ids; v++)
		if (view->state[v] == PAGE_QUEUED)
			page[v].key = count[v];
	view->work->pages += view->queued;
	return 1;
}

const struct policy policy_backlink = {
	.name = "backlink",
	.summary = "most links from crawled pages first, reordered every batch",
	.source = "IECA paper, Algorithm 2; Cho, Garcia-Molina and Page 1998 (--batch 1)",
	.order = POLICY_HIGHEST_FIRST,
	.page_size = sizeof(uint32_t),
	.crawled = crawled,
	.rerank = rerank,
};
