/* FICA (as reconstructed): the logarithmic distance from the seeds, shortest first.
 *
 * A link out of u weighs log10 O(u); the distance of v over it is c = log10 O(u) + gamma * d(u).
 * A new page gets c; a queued one moves towards a smaller c by the learning rate
 * alpha = e^(-beta * t), t = pages crawled / batch. `update=avg` moves towards every c.
 *
 * Source: equations (2) to (5) of the IECA paper. Deviation: the original pseudo-code was not at
 * hand; gamma is printed as 0.1 to 0.35 there, 0.5 is the value from memory of the original. */
#include "policies/policies.h"

#include <math.h>

struct fica {
	double gamma, beta;
	int average;
};

static int init(const struct policy_call *c)
{
	*(struct fica *)c->state = (struct fica){opt_number(c->view->opts, "gamma"),
		opt_number(c->view->opts, "beta"), opt_number(c->view->opts, "update") == 1};
	return 0;
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->page[seeds[i]].key = 0;
}

static void crawled(
	const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	const struct fica *f = c->state;

	if (!outdegree)
		return;
	double w = log10((double)outdegree);
	double far = w + f->gamma * c->page[u].key;
	double alpha = exp(-f->beta * (double)(c->view->crawled / c->view->batch));
	for (size_t i = 0; i < n; i++) {
		double *d = &c->page[queued[i]].key;
		if (view_is_new(c->view, c->page, queued[i]))
			*d = far;
		else if (far < *d || f->average)
			*d = (1 - alpha) * *d + alpha * far; /* eq. (4) */
	}
}

static const struct opt opts[] = {
	{"gamma", OPT_REAL, 0.5, 0, 1, NULL, "weight of the parent's distance"},
	{"beta", OPT_REAL, 0.1, 0, 10, NULL, "decay of the learning rate a batch"},
	{"update", OPT_CHOICE, 0, 0, 0, "min|avg",
		"parents that move a queued page: nearer ones, or all"},
	{NULL, OPT_TEXT, 0, 0, 0, NULL, NULL},
};

const struct policy policy_fica = {
	.name = "fica",
	.summary = "FICA (as reconstructed): least logarithmic distance first",
	.source = "Zareh Bidoki et al. 2009, by equations (2) to (5) of the IECA paper",
	.order = POLICY_LOWEST_FIRST,
	.state_size = sizeof(struct fica),
	.opts = opts,
	.init = init,
	.seed = seed,
	.crawled = crawled,
};
