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

static int init(void *state, const struct policy_view *view, struct err_note *why)
{
	(void)why;
	*(struct fica *)state = (struct fica){opt_number(view->opts, "gamma"),
		opt_number(view->opts, "beta"), opt_number(view->opts, "update") == 1};
	return 0;
}

static void seed(void *state, const struct policy_view *view, const uint32_t *seeds, size_t n,
	struct page *page)
{
	(void)state;
	(void)view;
	for (size_t i = 0; i < n; i++)
		page[seeds[i]].key = 0;
}

static void crawled(void *state, const struct policy_view *view, uint32_t u, size_t outdegree,
	const uint32_t *queued, size_t n, struct page *page)
{
	const struct fica *f = state;

	if (!outdegree)
		return;
	double w = log10((double)outdegree);
	double c = w + f->gamma * page[u].key;
	double alpha = exp(-f->beta * (double)(view->crawled / view->batch));
	for (size_t i = 0; i < n; i++) {
		double *d = &page[queued[i]].key;
		if (view_is_new(view, page, queued[i]))
			*d = c;
		else if (c < *d || f->average)
			*d = (1 - alpha) * *d + alpha * c; /* eq. (4) */
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
