/* Aim: pages of high scores first, by a target of the user (view_score()), which the policy learns to predict while it crawls.
 *
 * What is known of a queued page v tells something of its score: the pages that link to v, the page that v was discovered on, the
 * pages discovered there with it, and the values x and e of echo (policies/expected_rank.h). Which of them tell how much differs
 * by site and by target: pages of one topic link to one another, and pages of high quality have links from everywhere. So the key
 * of v is a linear prediction
 *   K(v) = w . f(v),   f(v) = (1, the mean score of the crawled pages that link to v, the score of its finder, the mean score of the
 *                              crawled pages discovered on the finder, ln(1 + x(v)), ln(1 + e(v)))
 * whose weights w are those of a ridge regression on all pages crawled so far, each with the f that it had when it was taken. They
 * are computed at each reranking. Means are drawn towards the mean of all scores, by the weight of one page. The regression takes a
 * score in units of the mean score, cut at 10, so that a few pages of huge scores do not decide alone.
 *
 * Before the first reranking K is the mean score of the pages that link to v. Seeds come before all other pages until then. */
#include "policies/expected_rank.h"
#include "policies/policies.h"

#include <math.h>
#include <string.h>

#define FEATURES     6
#define FIRST_OF_ALL 1e12
#define MOST         10.0 /* in units of the mean score */
#define RIDGE        1.0  /* in pages */

struct aim_page {
	struct expected_page rank;
	float parents;  /* the sum of the scores of the crawled pages that link to this one */
	float children; /* crawled page: the sum of the scores of the children that rank.children counts */
};

struct aim {
	struct expected_rank rank;
	double sum;  /* of the scores */
	uint64_t n;  /* pages with a score */
	double a[FEATURES][FEATURES], b[FEATURES]; /* the normal equations */
	double w[FEATURES];
	uint64_t ranked;
	int is_ranked;
};

static double mean(const struct aim *s)
{
	return s->n ? s->sum / (double)s->n : 0;
}

static double score_of(const struct policy_call *c, uint32_t u)
{
	const double score = view_score(c->view, u);

	return isnan(score) ? mean(c->state) : score;
}

static double of_parents(const struct aim *s, const struct aim_page *v)
{
	return ((double)v->parents + mean(s)) / (v->rank.in + 1.0);
}

static void look(const struct policy_call *c, uint32_t v, double f[FEATURES])
{
	const struct aim_page *page = c->view->private_pages, *p = &page[v];
	const struct aim *s = c->state;
	const uint32_t finder = p->rank.finder;
	const double unit = mean(s) > 0 ? 1 / mean(s) : 1;

	f[0] = 1;
	f[1] = of_parents(s, p) * unit;
	f[2] = finder ? score_of(c, finder - 1) * unit : mean(s) * unit;
	f[3] = finder ? ((double)page[finder - 1].children + mean(s)) / (page[finder - 1].rank.children + 1.0) * unit : mean(s) * unit;
	f[4] = log(1 + (double)p->rank.x);
	f[5] = log(1 + (double)p->rank.e);
	for (int i = 1; i < 4; i++)
		f[i] = fmin(f[i], MOST);
}
