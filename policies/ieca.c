/* IECA: the key of a page is its logarithmic distance d, learned from all crawled pages that link to it; the shortest
 * comes first.
 *
 * When page u is crawled, with distance D, w = log10 O(u) and alpha = e^(-beta * complete batches), its targets get
 *   a new page       d = (1-delta) D + w                                               eq. (13)
 *   a queued page v  d = (1-delta)((1-alpha) d + alpha (w + (1-delta) D)) - delta LF(d, D)  eq. (10)
 * where d on the right is the old value and LF = log10 of f, eq. (8). After each batch, delta = delta0 - `fall` * (the
 * share of the crawl that is done), eq. (12).
 *
 * The option `form` selects an earlier step of the paper's derivation, so that the effect of each step can be measured. A
 * new page gets d = c = w + r D; a queued page gets the following d, where k = (1-alpha) d + alpha c:
 *   4   r = `weight`, d = k
 *   7   r = `weight`, d = k - LF(d, D): each further link to a page rewards it
 *   9   r = 1-delta,  d = k - LF(d, D): the parent's distance counts more as the crawl goes on
 *   10  r = 1-delta,  d = (1-delta) k - delta LF(d, D): eq. (10) above
 *
 * Deviations: lines 22 to 25 of Algorithm 1 never store the distance of a new page; this file stores it. The paper does
 * not define delta before the first batch; here it is delta0. The paper does not define f at 0, nor for d < 0 < D; LF()
 * says which value it has here. If the total is unknown, the share of the crawl that is done is crawled / (crawled +
 * queued), and delta never rises. delta never falls below 0. */
#include "policies/policies.h"

#include <math.h>

enum form { FORM_10, FORM_9, FORM_7, FORM_4 }; /* in the order of the choices of the option `form` */

struct ieca {
	double delta, delta0, fall, beta, d0, weight;
	int symmetric;
	enum form form;
};

static int init(const struct policy_call *c)
{
	const struct opt_set *o = c->view->opts;

	*(struct ieca *)c->state = (struct ieca){.delta = opt_number(o, "delta0"),
		.delta0 = opt_number(o, "delta0"),
		.fall = opt_number(o, "fall"),
		.beta = opt_number(o, "beta"),
		.d0 = opt_number(o, "d0"),
		.weight = opt_number(o, "weight"),
		.symmetric = opt_number(o, "f") == 1,
		.form = (enum form)opt_number(o, "form")};
	return 0;
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	const struct ieca *s = c->state;

	for (size_t i = 0; i < n; i++)
		c->page[seeds[i]].key = s->d0;
}

/* Replaces a number too near to 0 to divide by: by 1e-9, or -1e-9 if it is negative. */
static double away_from_zero(double x)
{
	return fabs(x) >= 1e-9 ? x : x >= 0 ? 1e-9 : -1e-9;
}

/* Returns log10 f(dj, di), eq. (8), which compares the distance dj of a page with the distance di of a page that links to
 * it. The result is limited to [-9, 9], and is 0 if f <= 0, for which the paper defines nothing. */
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
	double size = (double)view->crawled, total = (double)view->total;
	double share = total > 0 ? fmin(1, size / total) : size / (size + (double)view->queued);
	double delta = fmax(0, -s->fall * share + s->delta0); /* eq. (12) */

	s->delta = total > 0 ? delta : fmin(s->delta, delta);
}

/* Returns the new distance of a queued page with distance d, when a page of distance D links to it. `known` is
 * k = (1-alpha) d + alpha c. */
static double learned(const struct ieca *s, double d, double D, double known)
{
	if (s->form == FORM_10)
		return (1 - s->delta) * known - s->delta * LF(s, d, D);
	return s->form == FORM_4 ? known : known - LF(s, d, D);
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	struct ieca *s = c->state;

	if (view_batch_ended(c->view))
		new_batch(s, c->view);
	if (!outdegree)
		return;
	double D = c->page[u].key;
	double r = s->form == FORM_10 || s->form == FORM_9 ? 1 - s->delta : s->weight;
	double far = log10((double)outdegree) + r * D; /* eq. (13), eq. (3) */
	double alpha = exp(-s->beta * (double)c->view->batches);
	for (size_t i = 0; i < n; i++) {
		double *d = &c->page[queued[i]].key;
		if (view_is_new(c->view, c->page, queued[i]))
			*d = far;
		else
			*d = learned(s, *d, D, (1 - alpha) * *d + alpha * far);
	}
}

static const struct opt opts[] = {
	{"delta0", OPT_REAL, 0.35, 0, 1, NULL, "discount and reward at the start of the crawl"},
	{"fall", OPT_REAL, 0.28, 0, 1, NULL, "of that until the end: eq. (12)"},
	{"beta", OPT_REAL, 0.1, 0, 10, NULL, "decay of the learning rate a batch"},
	{"d0", OPT_REAL, 0.3, -100, 100, NULL, "distance of a seed"},
	{"f", OPT_CHOICE, 0, 0, 0, "literal|symmetric", "two negative distances: as eq. (8) prints it, or turned round"},
	{"form", OPT_CHOICE, 0, 0, 0, "10|9|7|4", "the equation that a queued page is learned by"},
	{"weight", OPT_REAL, 0.35, 0, 1, NULL, "of the parent's distance in forms 7 and 4"},
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
