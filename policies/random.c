/* A page at random, uniformly at each step: exponential clocks. A page found on u rings after u
 * did, key[v] = key[u] + E with E = -log(1 - U); since the clocks have no memory, each queued page
 * is as likely as any other to ring next. */
#include "policies/policies.h"
#include "base/rng.h"

#include <math.h>

static int init(const struct policy_call *c)
{
	struct rng *rng = c->state;

	rng->state = c->view->rng_seed;
	return 0;
}

static double exponential(struct rng *rng)
{
	return -log(1 - rng_unit(rng));
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->page[seeds[i]].key = exponential(c->state);
}

static void crawled(
	const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	(void)outdegree;
	for (size_t i = 0; i < n; i++)
		if (view_is_new(c->view, c->page, queued[i]))
			c->page[queued[i]].key = c->page[u].key + exponential(c->state);
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
