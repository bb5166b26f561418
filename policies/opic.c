/* OPIC for a crawl that fetches each page once: when a page is crawled, it distributes its cash in equal shares over its
 * links; the queued page with most cash comes first.
 *
 * A share for a page that is crawled or in flight is lost, and so is the cash of a page without links. */
#include "policies/policies.h"

static int init(const struct policy_call *c)
{
	double *c0 = c->state;

	*c0 = opt_number(c->view->opts, "c0");
	return 0;
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->page[seeds[i]].key = 1;
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	const double *c0 = c->state;

	if (!outdegree)
		return;
	double share = c->page[u].key / (double)outdegree;
	for (size_t i = 0; i < n; i++) {
		struct page *v = &c->page[queued[i]];
		if (view_is_new(c->view, c->page, queued[i]))
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
