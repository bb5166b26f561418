/* Aim: pages of high scores first, by a target of the user (view_score()), which the policy learns to predict while it crawls.
 *
 * What is known of a queued page v tells something of its score: the pages that link to it, the page that it was discovered on, and
 * the pages discovered there with it. How much each tells differs by site and by target: pages of one topic link to one another,
 * and pages of high quality have links from everywhere. So the first prediction of its score is a linear one,
 *   w . f(v),   f(v) = (1,
 *                       the mean score of the crawled pages that link to v,
 *                       the score of the page that v was discovered on,
 *                       the mean score of the crawled pages that were discovered there,
 *                       ln(1 + the number of crawled pages that link to v),
 *                       ln(1 + x(v)),
 *                       what the words of v tell (policies/words.h), or 0 if it has none),
 *   x(v) = the sum of 0.85 (1 + x(u)) / O(u) over the crawled pages u that link to v
 * whose weights w are those of a ridge regression on all pages crawled so far, each with the f that it had when it was taken. They
 * are computed at each reranking. Scores are in units of their mean, and at most 10, so that a few huge ones do not decide alone. A
 * mean over pages includes the mean of all scores, as if of one page more. A page without a score counts as the mean.
 *
 * Where the pages that link to v say all there is, a regression on few pages does harm; where the topic of v stands in its URL, the
 * words alone are better. Which of them is right cannot be known beforehand, and each is wrong in its own way, so that their mean
 * is often better than the best of them (Bates and Granger, 1969). So K(v) is the mean of what four members of a committee predict,
 *   the regression, w . f(v);
 *   the mean score of the crawled pages that link to v, as qmean's (policies/quality.c), and the highest of them, as qmax's;
 *   1 + what the words of v tell, if it has any,
 * where a member has the weight 1 / e^2. Its e is the sum of the squared errors of its predictions, of the pages crawled since the
 * first reranking, each with what was known when it was taken; older errors count less by 0.99 a page.
 *
 * Before the first reranking K is the mean score of the pages that link to v, and seeds come before all other pages. The key that
 * orders the queue is K in units of 1e-6, rounded. Pages are reranked after a batch, and not before the crawl has grown by a
 * fortieth. */
#include "policies/least_squares.h"
#include "policies/mean_score.h"
#include "policies/policies.h"
#include "policies/rerank.h"
#include "policies/words.h"

#include <math.h>

#define DAMPING 0.85
#define MOST    10.0 /* a score in units of the mean score */
#define STEP    1e-6
#define DECAY   0.99 /* of the errors, a page */
#define TINY    1e-9 /* beside the square of an error that may be 0 */

enum member { REGRESSION, MEAN, HIGHEST, WORDS, MEMBERS };

struct aim_page {
	float x;
	float parents;  /* the sum of the scores of the crawled pages that link to the page */
	float highest;  /* of these scores */
	float own;      /* crawled page: its score */
	float children; /* crawled page: the sum of the scores of the n_children crawled pages that were discovered on it */
	uint32_t n_children, in;
	struct words_of_page words;
};

struct aim {
	struct mean_score scores;
	uint64_t ranked; /* pages crawled at the last reranking */
	struct least_squares prediction;
	int is_ranked;
	double errors[MEMBERS];
	struct words words;
};

static double unit_of(const struct aim *s)
{
	const double mean = mean_score(&s->scores);

	return mean > 0 ? mean : 1;
}

/* Writes f(v). */
static void write_features(const struct policy_call *c, uint32_t v, double f[LEAST_SQUARES_FEATURES])
{
	const struct aim_page *page = c->view->private_pages, *p = &page[v];
	const struct aim *s = c->state;
	const uint32_t found_on = c->view->found[v].finder;
	const struct aim_page *finder = found_on == POLICY_NO_PAGE ? NULL : &page[found_on];
	const double mean = mean_score(&s->scores), unit = unit_of(s);

	f[0] = 1;
	f[1] = fmin(mean_score_of(&s->scores, (double)p->parents, p->in) / unit, MOST);
	f[2] = fmin((finder ? (double)finder->own : mean) / unit, MOST);
	f[3] = fmin((finder ? mean_score_of(&s->scores, (double)finder->children, finder->n_children) : mean) / unit, MOST);
	f[4] = log(1 + (double)p->in);
	f[5] = log(1 + (double)p->x);
	f[6] = words_predict(&s->words, &p->words);
}

/* Writes what each member of the committee predicts of a page with these features. */
static void write_predictions(const struct aim *s, const struct aim_page *p, const double f[LEAST_SQUARES_FEATURES],
	double k[MEMBERS])
{
	const double unit = unit_of(s);

	k[REGRESSION] = least_squares_predict(&s->prediction, f);
	k[MEAN] = p->in ? fmin((double)p->parents / p->in / unit, MOST) : 1;
	k[HIGHEST] = p->in ? fmin((double)p->highest / unit, MOST) : 1;
	k[WORDS] = 1 + f[6];
}

/* Adds the row of page u, with what was known of it when it was taken. */
static void learn(const struct policy_call *c, uint32_t u, double score)
{
	struct aim *s = c->state;
	const struct aim_page *p = (const struct aim_page *)c->view->private_pages + u;
	double f[LEAST_SQUARES_FEATURES];

	write_features(c, u, f);
	if (s->is_ranked) {
		const double y = fmin(score / unit_of(s), MOST);
		double k[MEMBERS];
		write_predictions(s, p, f, k);
		for (int i = 0; i < MEMBERS; i++)
			s->errors[i] = DECAY * s->errors[i] + (k[i] - y) * (k[i] - y);
	}
	mean_score_add(&s->scores, score);
	const double y = fmin(score / unit_of(s), MOST);
	least_squares_add(&s->prediction, f, y);
	words_learn(&s->words, &p->words, y - 1);
}

/* Returns the key of page v: K(v) of the head of this file. */
static double key_of(const struct policy_call *c, uint32_t v)
{
	const struct aim_page *page = c->view->private_pages;
	const struct aim *s = c->state;
	double f[LEAST_SQUARES_FEATURES], k[MEMBERS], sum = 0, weights = 0;

	if (!s->is_ranked)
		return rerank_steps(mean_score_of(&s->scores, (double)page[v].parents, page[v].in), STEP);
	write_features(c, v, f);
	write_predictions(s, &page[v], f, k);
	for (int i = 0; i < MEMBERS; i++)
		if (i != WORDS || page[v].words.n) {
			const double weight = 1 / (s->errors[i] * s->errors[i] + TINY);
			sum += weight * k[i];
			weights += weight;
		}
	return rerank_steps(sum / weights, STEP);
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	const struct aim *s = c->state;

	for (size_t i = 0; i < n; i++)
		c->page[seeds[i]].key = s->is_ranked ? key_of(c, seeds[i]) : RERANK_FIRST_OF_ALL;
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	struct aim_page *page = c->view->private_pages, *p = &page[u];
	struct aim *s = c->state;
	const double x = DAMPING * (1 + (double)p->x) / (double)outdegree, score = mean_score_page(c->view, u);

	if (!isnan(score))
		learn(c, u, score);
	p->own = (float)(isnan(score) ? mean_score(&s->scores) : score);
	if (c->view->found[u].finder != POLICY_NO_PAGE) {
		struct aim_page *finder = &page[c->view->found[u].finder];
		finder->children += p->own;
		finder->n_children++;
	}
	for (size_t i = 0; i < n; i++) {
		struct aim_page *v = &page[queued[i]];
		if (view_is_new(c->view, c->page, queued[i]))
			words_meet(&v->words, c->view, queued[i]);
		v->x = (float)(v->x + x);
		v->parents += p->own;
		v->highest = v->in ? fmaxf(v->highest, p->own) : p->own;
		v->in++;
		if (c->page[queued[i]].key != RERANK_FIRST_OF_ALL)
			c->page[queued[i]].key = key_of(c, queued[i]);
	}
}

static int due(const struct policy_call *c)
{
	return rerank_is_due(c->view, ((const struct aim *)c->state)->ranked);
}

static int rerank(const struct policy_call *c)
{
	struct aim *s = c->state;

	least_squares_fit(&s->prediction);
	s->is_ranked = 1;
	s->ranked = c->view->crawled;
	rerank_queued(c, key_of);
	return 1;
}

const struct policy policy_aim = {
	.name = "aim",
	.summary = "pages that are expected to have high scores (--score-cmd, --target)",
	.source = "lycosa's own: doc/policies/aim.md",
	.order = POLICY_HIGHEST_FIRST,
	.needs = POLICY_SEES_SCORES | POLICY_SEES_FINDERS,
	.wants = POLICY_SEES_URLS | POLICY_SEES_ANCHORS,
	.state_size = sizeof(struct aim),
	.page_size = sizeof(struct aim_page),
	.seed = seed,
	.crawled = crawled,
	.rerank = rerank,
	.due = due,
};
