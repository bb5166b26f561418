/* OPIC, each page crawled once: a page hands its cash in equal shares to its links; the richest
 * queued page is next.
 *
 * Cash that reaches a crawled page stays there unspent, that of a page without links is gone. */
#include "policies/policies.h"

static int init(void *state, const struct policy_view *view, struct err_note *why)
{
	double *c0 = state;

	(void)why;
	*c0 = opt_number(view->opts, "c0");
	return 0;
}

static void seed(void *state, const struct policy_view *view, const uint32_t *seeds, size_t n,
	struct page *page)
{
	(void)state;
	(void)view;
	for (size_t i = 0; i < n; i++)
		page[seeds[i]].key = 1;
}

static void crawled(void *state, const struct policy_view *view, uint32_t u, size_t outdegree,
	const uint32_t *queued, size_t n, struct page *page)
{
	const double *c0 = state;

	if (!outdegree)
		return;
	double share = page[u].key / (double)outdegree;
	for (size_t i = 0; i < n; i++) {
		struct page *v = &page[queued[i]];
		if (view_is_new(view, page, queued[i]))
			v->key = *c0;
		v->key += share;
	}
}

static const struct opt opts[] = {
	{"c0", OPT_REAL, 1, 0, 1, NULL, "cash of a page when it is discovered; 0 is Nutch's"},
	{NULL, OPT_TEXT, 0, 0, 0, NULL, NULL},
};

const struct policy policy_opic = {
	.name = "opic",
	.summary = "online page importance: most cash first",
	.source = "Abiteboul, Preda and Cobena 2003; Baeza-Yates et al. 2005",
	.order = POLICY_HIGHEST_FIRST,
	.state_size = sizeof(double),
	.opts = opts,
	.init = init,
	.seed = seed,
	.crawled = crawled,
};
