/* FICA (as reconstructed): the key of a page is its logarithmic distance d from the seeds; the shortest comes first.
 *
 * When page u is crawled, its links lead at the distance c = log10 O(u) + gamma * d(u). A page that is discovered on u
 * gets d = c. A target that is queued already, if c < d, gets d = (1 - alpha) d + alpha c, where the learning rate is
 * alpha = e^(-beta * t) and t is the number of complete batches. With `update=avg` it does so for any c.
 *
 * Source: equations (2) to (5) of the IECA paper. Deviation: the pseudo-code of the FICA paper was not at hand. The IECA
 * paper prints 0.1 to 0.35 for gamma; the default 0.5 is quoted from memory of the FICA paper. */
#include "policies/policies.h"

#include <math.h>

struct fica {
	double gamma, beta;
	int average;
};

static int init(const struct policy_call *c)
{
	*(struct fica *)c->state = (struct fica){opt_number(c->view->opts, "gamma"), opt_number(c->view->opts, "beta"),
		opt_number(c->view->opts, "update") == 1};
	return 0;
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->page[seeds[i]].key = 0;
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	const struct fica *f = c->state;

	if (!outdegree)
		return;
	double w = log10((double)outdegree);
	double far = w + f->gamma * c->page[u].key;
	double alpha = exp(-f->beta * (double)c->view->batches);
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
	{"update", OPT_CHOICE, 0, 0, 0, "min|avg", "parents that move a queued page: nearer ones, or all"},
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
