/* Yardsticks with a fixed score for each page, highest first. `static` reads the scores from a file; the others
 * compute them from the whole graph, which no crawl knows. */
#include "policies/policies.h"

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->page[seeds[i]].key = c->view->oracle[seeds[i]];
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	(void)u;
	(void)outdegree;
	for (size_t i = 0; i < n; i++)
		if (view_is_new(c->view, c->page, queued[i]))
			seed(c, &queued[i], 1);
}

static const struct opt static_opts[] = {
	{"scores", OPT_TEXT, 0, 0, 0, NULL, "a file: id TAB score a line; a page not in it has 0"},
	{NULL, OPT_TEXT, 0, 0, 0, NULL, NULL},
};

const struct policy policy_static = {
	.name = "static",
	.summary = "highest score in a file first",
	.source = "yardstick; historical PageRank of Baeza-Yates et al. 2005",
	.order = POLICY_HIGHEST_FIRST,
	.oracle = POLICY_SCORES,
	.opts = static_opts,
	.seed = seed,
	.crawled = crawled,
};

const struct policy policy_omniscient = {
	.name = "omniscient",
	.summary = "highest PageRank in the whole graph first",
	.source = "yardstick; Baeza-Yates et al. 2005, Boldi, Santini and Vigna 2004",
	.order = POLICY_HIGHEST_FIRST,
	.oracle = POLICY_TRUE_RANK,
	.seed = seed,
	.crawled = crawled,
};

const struct policy policy_map = {
	.name = "map",
	.summary = "the nearest hot page, and the way there, by a map of the graph",
	.source = "lycosa's own yardstick: lab/study/oracle.h",
	.order = POLICY_HIGHEST_FIRST,
	.oracle = POLICY_TRUE_MAP,
	.seed = seed,
	.crawled = crawled,
};

const struct policy policy_indegree_oracle = {
	.name = "indegree-oracle",
	.summary = "most links to it in the whole graph first",
	.source = "yardstick",
	.order = POLICY_HIGHEST_FIRST,
	.oracle = POLICY_TRUE_INDEGREE,
	.seed = seed,
	.crawled = crawled,
};
