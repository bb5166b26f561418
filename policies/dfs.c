/* Depth first: the page that was discovered last comes first. This is a yardstick. */
#include "policies/policies.h"

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->page[seeds[i]].key = c->page[seeds[i]].seq;
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	(void)u;
	(void)outdegree;
	seed(c, queued, n);
}

const struct policy policy_dfs = {
	.name = "dfs",
	.summary = "depth first: the page discovered last",
	.source = "yardstick",
	.order = POLICY_HIGHEST_FIRST,
	.seed = seed,
	.crawled = crawled,
};
