/* Partial PageRank: as Batch PageRank, but a page that was discovered since the last reranking has a temporary value, so
 * that it may be crawled before the next reranking.
 *
 * The temporary value of a page is the sum of val[u] / O(u) over the crawled pages u that link to it, where val[u] is the
 * value that u had when it was crawled. There is no damping and no base. A page that was discovered before the last
 * reranking keeps its PageRank until the next one; before the first reranking, a seed has 1 / (number of seeds). Keys are
 * values of pagerank_key() for the number of pages discovered at the last reranking. */
#include "policies/crawled_rank.h"
#include "policies/policies.h"

struct partial {
	struct crawled_rank rank; /* the first field: see crawled_rank_take_mass() */
	uint32_t fixed;           /* pages with a lower seq have a PageRank, the others a temporary value */
};

static int init(const struct policy_call *c)
{
	struct partial *p = c->state;

	crawled_rank_init(&p->rank, c->view);
	return 0;
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	struct rank_page *rank = c->view->private_pages;
	struct partial *p = c->state;

	crawled_rank_seed(&p->rank, c->view, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t v = seeds[i];
		rank[v].temp = 1 / p->rank.sum;
		c->page[v].key = crawled_rank_key(&p->rank, rank[v].temp);
		if (!c->view->crawled && c->page[v].seq >= p->fixed)
			p->fixed = c->page[v].seq + 1;
	}
}

static double value(const struct partial *p, const struct rank_page *rank, const struct page *page, uint32_t v)
{
	return page[v].seq < p->fixed ? crawled_rank_of(&p->rank, &rank[v]) : rank[v].temp;
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	struct rank_page *rank = c->view->private_pages;
	struct partial *p = c->state;

	crawled_rank_begin(&p->rank, c->view);
	double share = outdegree ? value(p, rank, c->page, u) / (double)outdegree : 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t v = queued[i];
		if (c->page[v].seq < p->fixed)
			continue;
		rank[v].temp += share;
		c->page[v].key = crawled_rank_key(&p->rank, rank[v].temp);
	}
	crawled_rank_crawled(&p->rank, c->view, u);
}

static int rerank(const struct policy_call *c)
{
	struct rank_page *rank = c->view->private_pages;
	struct partial *p = c->state;

	crawled_rank_solve(c);
	for (uint32_t v = 0; v < c->view->ids; v++) {
		if (c->view->state[v] != PAGE_QUEUED)
			continue;
		rank[v].temp = crawled_rank_of(&p->rank, &rank[v]); /* what other agents are sent */
		c->page[v].key = crawled_rank_key(&p->rank, rank[v].temp);
		if (c->page[v].seq >= p->fixed)
			p->fixed = c->page[v].seq + 1;
	}
	return 1;
}

static double told_value(const struct policy_call *c, uint32_t u)
{
	return value(c->state, c->view->private_pages, c->page, u);
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
	.page_sent = CRAWLED_RANK_SENT,
	.take_mass = crawled_rank_take_mass,
	.add_mass = crawled_rank_add_mass,
	.opts = opts,
	.init = init,
	.seed = seed,
	.crawled = crawled,
	.rerank = rerank,
	.value = told_value,
};
