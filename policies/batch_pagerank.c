/* Batch PageRank: every batch pages, PageRank of the known part of the graph orders the queue.
 *
 * The known part: all pages seen, the links of those crawled; a page not crawled dangles.
 * Between two rerankings new pages go to the end (key 0). Keys are pagerank_key()s. */
#include "policies/crawled_rank.h"
#include "policies/policies.h"

static int init(const struct policy_call *c)
{
	crawled_rank_init(c->state, c->view);
	return 0;
}

static void crawled(
	const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	(void)outdegree;
	(void)queued;
	(void)n;
	crawled_rank_crawled(c->state, c->view, u);
}

static int rerank(const struct policy_call *c)
{
	const struct rank_page *rank = c->view->private_pages;
	struct crawled_rank *r = c->state;

	crawled_rank_solve(r, c->view);
	for (uint32_t v = 0; v < c->view->ids; v++)
		if (c->view->state[v] == PAGE_QUEUED)
			c->page[v].key = crawled_rank_key(r, crawled_rank_of(r, &rank[v]));
	return 1;
}

/* That of the last reranking; 0 where there was none. */
static double told_value(const struct policy_call *c, uint32_t u)
{
	const struct rank_page *rank = c->view->private_pages;

	return c->page[u].key > 0 ? crawled_rank_of(c->state, &rank[u]) : 0;
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
