/* Partial PageRank: as Batch PageRank, but a page found since the last reranking has a temporary
 * value of its own and may be crawled at once.
 *
 * That value is the sum of val[u] / O(u) over the crawled pages u that link to it, val[u] being u's
 * value when it was crawled: no damping, no base. A page that was there at the last reranking
 * (seeds: from the start, with 1 / their number) keeps its PageRank till the next. Keys are
 * pagerank_key()s over the pages seen at the last reranking. */
#include "policies/crawled_rank.h"
#include "policies/policies.h"

struct partial {
	struct crawled_rank rank;
	uint32_t fixed; /* pages with a lower seq were there at the last reranking */
};

static int init(void *state, const struct policy_view *view, struct err_note *why)
{
	struct partial *p = state;

	(void)why;
	crawled_rank_init(&p->rank, view);
	return 0;
}

static void seed(void *state, const struct policy_view *view, const uint32_t *seeds, size_t n,
	struct page *page)
{
	struct rank_page *rank = view->private_pages;
	struct partial *p = state;

	crawled_rank_seed(&p->rank, view, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t v = seeds[i];
		rank[v].temp = 1 / p->rank.sum;
		page[v].key = crawled_rank_key(&p->rank, rank[v].temp);
		if (!view->crawled && page[v].seq >= p->fixed)
			p->fixed = page[v].seq + 1;
	}
}

static double value(
	const struct partial *p, const struct rank_page *rank, const struct page *page, uint32_t v)
{
	return page[v].seq < p->fixed ? crawled_rank_of(&p->rank, &rank[v]) : rank[v].temp;
}

static void crawled(void *state, const struct policy_view *view, uint32_t u, size_t outdegree,
	const uint32_t *queued, size_t n, struct page *page)
{
	struct rank_page *rank = view->private_pages;
	struct partial *p = state;
	double share = outdegree ? value(p, rank, page, u) / (double)outdegree : 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t v = queued[i];
		if (page[v].seq < p->fixed)
			continue;
		rank[v].temp += share;
		page[v].key = crawled_rank_key(&p->rank, rank[v].temp);
	}
	crawled_rank_crawled(&p->rank, view, u);
}

static int rerank(void *state, const struct policy_view *view, struct page *page)
{
	const struct rank_page *rank = view->private_pages;
	struct partial *p = state;

	crawled_rank_solve(&p->rank, view);
	for (uint32_t v = 0; v < view->ids; v++) {
		if (view->state[v] != PAGE_QUEUED)
			continue;
		page[v].key = crawled_rank_key(&p->rank, crawled_rank_of(&p->rank, &rank[v]));
		if (page[v].seq >= p->fixed)
			p->fixed = page[v].seq + 1;
	}
	return 1;
}

static double told_value(
	const void *state, const struct policy_view *view, uint32_t u, const struct page *page)
{
	return value(state, view->private_pages, page, u);
}

static const struct opt opts[] = {
	CRAWLED_RANK_TOL,
	{NULL, OPT_TEXT, 0, 0, 0, NULL, NULL},
};

const struct policy policy_partial_pagerank = {
	.name = "partial-pagerank",
	.summary = "PageRank of the known part, new pages valued at once",
	.source = "Baeza-Yates, Castillo, Marin and Rodriguez 2005; IECA paper",
	.order = POLICY_HIGHEST_FIRST,
	.state_size = sizeof(struct partial),
	.page_size = sizeof(struct rank_page),
	.opts = opts,
	.init = init,
	.seed = seed,
	.crawled = crawled,
	.rerank = rerank,
	.value = told_value,
};
