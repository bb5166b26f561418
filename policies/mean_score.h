/* The mean of the scores that a target of the user gives to the pages of a crawl (view_score()).
 *
 *	score = mean_score_page(view, u);
 *	if (!isnan(score))
 *		mean_score_add(&s, score);
 *	mean_score(&s)                      the mean of all scores so far
 *	mean_score_of(&s, sum, n)           the mean of n of them, drawn to the mean of all */
#ifndef POLICIES_MEAN_SCORE_H
#define POLICIES_MEAN_SCORE_H

#include "frontier/policy.h"

#define MEAN_SCORE_MOST 1e30 /* higher scores count as this: policies keep sums of scores in float */

/* All zeros: no score. */
struct mean_score {
	double sum; /* of n scores */
	uint64_t n;
};

/* Returns the score of a crawled page, at most MEAN_SCORE_MOST; NAN if it has none. */
static inline double mean_score_page(const struct policy_view *view, uint32_t u)
{
	const double score = view_score(view, u);

	return score > MEAN_SCORE_MOST ? MEAN_SCORE_MOST : score;
}

/* Adds a score. */
static inline void mean_score_add(struct mean_score *s, double score)
{
	s->sum += score;
	s->n++;
}

/* Returns the mean; 0 before the first score. */
static inline double mean_score(const struct mean_score *s)
{
	return s->n ? s->sum / (double)s->n : 0;
}

/* Returns the mean of n scores whose sum is `sum`, and of the mean of all scores as one score more, so that a few scores decide
 * little. */
static inline double mean_score_of(const struct mean_score *s, double sum, uint32_t n)
{
	return (sum + mean_score(s)) / (n + 1.0);
}

#endif
