/* IECA: logarithmic distance learned from all parents, shortest first.
 *
 * D is the distance of the crawled page u, w = log10 O(u), t = pages crawled / batch,
 * alpha = e^(-beta t):
 *   a new page       d = (1-delta) D + w                                               eq. (13)
 *   a queued page v  d = (1-delta)((1-alpha) d + alpha (w + (1-delta) D)) - delta LF(d, D)  eq. (10)
 * where d on the right is the old one and LF = log10 of f, eq. (8). delta falls from delta0 by
 * 0.28 times the share of the crawl that is done, at each batch.
 *
 * Deviations: lines 22 to 25 of Algorithm 1 never store the distance of a new page: stored here.
 * delta before the first batch, undefined there, is delta0. f, undefined at 0 and where
 * d < 0 < D, is made total: see LF. With an unknown total the share done is
 * crawled / (crawled + queued), and delta never rises. */
#include "policies/policies.h"

#include <math.h>

#define DELTA_FALL 0.28 /* from 0 to 100% crawled */

struct ieca {
	double delta, delta0, beta, d0;
	int symmetric;
};

static int init(void *state, const struct policy_view *view, struct err_note *why)
{
	double delta0 = opt_number(view->opts, "delta0");

	(void)why;
	*(struct ieca *)state = (struct ieca){delta0, delta0, opt_number(view->opts, "beta"),
		opt_number(view->opts, "d0"), opt_number(view->opts, "f") == 1};
	return 0;
}

static void seed(void *state, const struct policy_view *view, const uint32_t *seeds, size_t n,
	struct page *page)
{
	const struct ieca *s = state;

	(void)view;
	for (size_t i = 0; i < n; i++)
		page[seeds[i]].key = s->d0;
}

/* Zero counts as a tiny positive number. */
static double away_from_zero(double x)
{
	return fabs(x) >= 1e-9 ? x : x >= 0 ? 1e-9 : -1e-9;
}

/* log10 f(dj, di), eq. (8): how much further than its new parent (di) a page (dj) was thought to
 * be; within [-9, 9], and 0 where the paper defines nothing. */
static double LF(const struct ieca *s, double dj, double di)
{
	double f;

	dj = away_from_zero(dj);
	di = away_from_zero(di);
	if ((dj > 0) != (di > 0))
		f = (dj - di) / fabs(di);
	else if (s->symmetric && dj < 0)
		f = di / dj;
	else
		f = dj / di;
	if (f <= 0)
		return 0;
	double l = log10(f);
	return l < -9 ? -9 : l > 9 ? 9 : l;
}

static void new_batch(struct ieca *s, const struct policy_view *view)
{
	double size = (double)view->crawled;

	if (view->total) {
		s->delta = -DELTA_FALL * fmin(1, size / (double)view->total) + s->delta0;
	} else {
		double share = size / (size + (double)view->queued);
		s->delta = fmin(s->delta, -DELTA_FALL * share + s->delta0);
	}
}

static void crawled(void *state, const struct policy_view *view, uint32_t u, size_t outdegree,
	const uint32_t *queued, size_t n, struct page *page)
{
	struct ieca *s = state;

	if (view->crawled % view->batch == 0)
		new_batch(s, view);
	if (!outdegree)
		return;
	double D = page[u].key, w = log10((double)outdegree), delta = s->delta;
	double alpha = exp(-s->beta * (double)(view->crawled / view->batch));
	for (size_t i = 0; i < n; i++) {
		double *d = &page[queued[i]].key;
		if (view_is_new(view, page, queued[i]))
			*d = (1 - delta) * D + w; /* eq. (13) */
		else
			*d = (1 - delta) * ((1 - alpha) * *d + alpha * (w + (1 - delta) * D)) -
			     delta * LF(s, *d, D); /* eq. (10) */
	}
}

static const struct opt opts[] = {
	{"delta0", OPT_REAL, 0.35, 0, 1, NULL, "discount and reward at the start of the crawl"},
	{"beta", OPT_REAL, 0.1, 0, 10, NULL, "decay of the learning rate a batch"},
	{"d0", OPT_REAL, 0.3, -100, 100, NULL, "distance of a seed"},
	{"f", OPT_CHOICE, 0, 0, 0, "literal|symmetric",
		"two negative distances: as eq. (8) prints it, or turned round"},
	{NULL, OPT_TEXT, 0, 0, 0, NULL, NULL},
};

const struct policy policy_ieca = {
	.name = "ieca",
	.summary = "IECA: learned logarithmic distance, shortest first",
	.source = "Golshani and Zareh Bidoki 2012, Algorithm 1, eqs. (6) to (14)",
	.order = POLICY_LOWEST_FIRST,
	.state_size = sizeof(struct ieca),
	.opts = opts,
	.init = init,
	.seed = seed,
	.crawled = crawled,
};
