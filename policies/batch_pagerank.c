/* Batch PageRank: at each reranking, the key of a page becomes its PageRank in the known part of the graph.
 *
 * The known part consists of all discovered pages and of the links of crawled pages; a page that is not crawled dangles
 * (has no links). Between two rerankings a new page has the key 0. Keys are values of pagerank_key(). */
#include "policies/crawled_rank.h"
#include "policies/policies.h"

static int init(const struct policy_call *c)
{
	crawled_rank_init(c->state, c->view);
	return 0;
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
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

	crawled_rank_solve(c);
	for (uint32_t v = 0; v < c->view->ids; v++)
		if (c->view->state[v] == PAGE_QUEUED)
			c->page[v].key = crawled_rank_key(r, crawled_rank_of(r, &rank[v]));
	return 1;
}

/* Returns the value for reports: the PageRank at the last reranking; 0 for a page that was discovered later. */
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
	.take_mass = crawled_rank_take_mass,
	.add_mass = crawled_rank_add_mass,
	.opts = opts,
	.init = init,
	.crawled = crawled,
	.rerank = rerank,
	.value = told_value,
};
