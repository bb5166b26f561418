/* Batch PageRank: every batch pages, PageRank of the known part of the graph orders the queue.
 *
 * The known part: all pages seen, the links of those crawled; a page not crawled dangles.
 * Between two rerankings new pages go to the end (key 0). Keys are pagerank_key()s. */
#include "policies/crawled_rank.h"
#include "policies/policies.h"

static int init(void *state, const struct policy_view *view, struct err_note *why)
{
	(void)why;
	crawled_rank_init(state, view);
	return 0;
}

static void crawled(void *state, const struct policy_view *view, uint32_t u, size_t outdegree,
	const uint32_t *queued, size_t n, struct page *page)
{
	(void)outdegree;
	(void)queued;
	(void)n;
	(void)page;
	crawled_rank_crawled(state, view, u);
}

static int rerank(void *state, const struct policy_view *view, struct page *page)
{
	const struct rank_page *rank = view->private_pages;
	struct crawled_rank *r = state;

	crawled_rank_solve(r, view);
	for (uint32_t v = 0; v < view->ids; v++)
		if (view->state[v] == PAGE_QUEUED)
			page[v].key = crawled_rank_key(r, crawled_rank_of(r, &rank[v]));
	return 1;
}

/* That of the last reranking; 0 where there was none. */
static double told_value(
	const void *state, const struct policy_view *view, uint32_t u, const struct page *page)
{
	const struct rank_page *rank = view->private_pages;

	return page[u].key > 0 ? crawled_rank_of(state, &rank[u]) : 0;
}

static const struct opt opts[] = {
	CRAWLED_RANK_TOL,
	{NULL, OPT_TEXT, 0, 0, 0, NULL, NULL},
};

const struct policy policy_batch_pagerank = {
	.name = "batch-pagerank",
	.summary = "PageRank of the known part, reordered every batch",
	.source = "Cho, Garcia-Molina and Page 1998; IECA paper",
	.order = POLICY_HIGHEST_FIRST,
	.state_size = sizeof(struct crawled_rank),
	.page_size = sizeof(struct rank_page),
	.opts = opts,
	.init = init,
	.crawled = crawled,
	.rerank = rerank,
	.value = told_value,
};
