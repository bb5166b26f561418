/* QFirst, QMax, QMin, QMean: the score of a queued page is predicted from the scores of the crawled pages that link to it (Pezzuti,
 * MacAvaney and Tonellotto, ICTIR 2025, who predict quality): from that of the first of them, the highest, the lowest, or the mean.
 * They are what other focused policies have to beat.
 *
 * A page to which no crawled page with a score links has the mean of all scores at the time when it was discovered. Seeds come
 * before all other pages. There is no reranking: a crawled page changes the keys of the pages that it links to.
 * Deviation: the paper estimates quality by a language model, and here any score stands for it. */
#include "policies/mean_score.h"
#include "policies/policies.h"
#include "policies/rerank.h"

#include <math.h>

struct quality_page {
	double sum; /* of the scores of the n crawled pages that link to the page and have one */
	uint32_t n;
};

struct quality {
	struct mean_score scores;
};

/* Returns the prediction of a page to which one more page links, whose score is the last of p->n. */
typedef double predict(double key, double score, const struct quality_page *p);

static double first_of(double key, double score, const struct quality_page *p)
{
	return p->n == 1 ? score : key;
}

static double highest_of(double key, double score, const struct quality_page *p)
{
	return p->n == 1 ? score : fmax(key, score);
}

static double lowest_of(double key, double score, const struct quality_page *p)
{
	return p->n == 1 ? score : fmin(key, score);
}

static double mean_of(double key, double score, const struct quality_page *p)
{
	(void)key;
	(void)score;
	return p->sum / p->n;
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->page[seeds[i]].key = RERANK_FIRST_OF_ALL;
}

/* Takes the score of page u into the keys of the queued pages to which u links. */
static void look(const struct policy_call *c, uint32_t u, const uint32_t *queued, size_t n, predict *how)
{
	struct quality_page *page = c->view->private_pages;
	struct quality *s = c->state;
	const double score = mean_score_page(c->view, u);

	if (!isnan(score))
		mean_score_add(&s->scores, score);
	for (size_t i = 0; i < n; i++) {
		const uint32_t v = queued[i];
		double key = view_is_new(c->view, c->page, v) ? mean_score(&s->scores) : c->page[v].key;
		if (!isnan(score)) {
			page[v].sum += score;
			page[v].n++;
			key = how(key, score, &page[v]);
		}
		if (c->page[v].key < RERANK_FIRST_OF_ALL)
			c->page[v].key = fmin(key, RERANK_FIRST_OF_ALL / 2);
	}
}

static void crawled_first(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	(void)outdegree;
	look(c, u, queued, n, first_of);
}

static void crawled_max(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	(void)outdegree;
	look(c, u, queued, n, highest_of);
}

static void crawled_min(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	(void)outdegree;
	look(c, u, queued, n, lowest_of);
}

static void crawled_mean(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	(void)outdegree;
	look(c, u, queued, n, mean_of);
}

#define QUALITY_POLICY(symbol, typed, text, hook) \
	const struct policy symbol = { \
		.name = typed, \
		.summary = text, \
		.source = "Pezzuti, MacAvaney, Tonellotto, ICTIR 2025", \
		.order = POLICY_HIGHEST_FIRST, \
		.needs = POLICY_SEES_SCORES, \
		.state_size = sizeof(struct quality), \
		.page_size = sizeof(struct quality_page), \
		.seed = seed, \
		.crawled = hook, \
	}

QUALITY_POLICY(policy_qfirst, "qfirst", "the score of the first page that links to a page", crawled_first);
QUALITY_POLICY(policy_qmax, "qmax", "the highest score of the pages that link to a page", crawled_max);
QUALITY_POLICY(policy_qmin, "qmin", "the lowest score of the pages that link to a page", crawled_min);
QUALITY_POLICY(policy_qmean, "qmean", "the mean score of the pages that link to a page", crawled_mean);
