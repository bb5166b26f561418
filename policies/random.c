/* A page at random, uniformly at each step: exponential clocks. A page found on u rings after u
 * did, key[v] = key[u] + E with E = -log(1 - U); since the clocks have no memory, each queued page
 * is as likely as any other to ring next. */
#include "policies/policies.h"
#include "base/rng.h"

#include <math.h>

static int init(void *state, const struct policy_view *view, struct err_note *why)
{
	struct rng *rng = state;

	(void)why;
	rng->state = view->rng_seed;
	return 0;
}

static double exponential(struct rng *rng)
{
	return -log(1 - rng_unit(rng));
}

static void seed(void *state, const struct policy_view *view, const uint32_t *seeds, size_t n,
	struct page *page)
{
	(void)view;
	for (size_t i = 0; i < n; i++)
		page[seeds[i]].key = exponential(state);
}

static void crawled(void *state, const struct policy_view *view, uint32_t u, size_t outdegree,
	const uint32_t *queued, size_t n, struct page *page)
{
	(void)outdegree;
	for (size_t i = 0; i < n; i++)
		if (view_is_new(view, page, queued[i]))
			page[queued[i]].key = page[u].key + exponential(state);
}

const struct policy policy_random = {
	.name = "random",
	.summary = "a queued page at random (--rng-seed)",
	.source = "yardstick",
	.order = POLICY_LOWEST_FIRST,
	.state_size = sizeof(struct rng),
	.init = init,
	.seed = seed,
	.crawled = crawled,
};
