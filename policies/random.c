/* Random: each queued page is equally likely to be the next one.
 *
 * The key of a page is the time at which an exponential clock of rate 1 rings; the clock starts when the page is queued.
 * A seed has the key E, and a page v that is discovered on u has key[v] = key[u] + E, with a new E = -log(1 - U) each
 * time (U uniform in [0, 1)). Since such clocks have no memory, each running clock is equally likely to ring next. */
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

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
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
