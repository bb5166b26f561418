/* Depth first: the page discovered last. A yardstick. */
#include "policies/policies.h"

static void seed(void *state, const struct policy_view *view, const uint32_t *seeds, size_t n,
	struct page *page)
{
	(void)state;
	(void)view;
	for (size_t i = 0; i < n; i++)
		page[seeds[i]].key = page[seeds[i]].seq;
}

static void crawled(void *state, const struct policy_view *view, uint32_t u, size_t outdegree,
	const uint32_t *queued, size_t n, struct page *page)
{
	(void)u;
	(void)outdegree;
	seed(state, view, queued, n, page);
}

const struct policy policy_dfs = {
	.name = "dfs",
	.summary = "depth first: the page discovered last",
	.source = "yardstick",
	.order = POLICY_HIGHEST_FIRST,
	.seed = seed,
	.crawled = crawled,
};
