/* Which of two policies is better on one graph. Draws are paired: both began with the same seeds. Nothing is said of
 * other graphs; lab/measure/contest.h does. */
#ifndef LAB_MEASURE_VERDICT_H
#define LAB_MEASURE_VERDICT_H

#include "base/buf.h"
#include "lab/study/compare.h"
#include "lab/measure/stats.h"

enum verdict {
	VERDICT_TOO_FEW, /* draws: fewer than verdict_draws() */
	VERDICT_BETTER,
	VERDICT_WORSE,
	VERDICT_EQUAL /* they cannot be told apart */
};

/* Chance of one false verdict or more among all pairs of a comparison. */
#define VERDICT_LEVEL 0.05

/* A policy is better than another where the p of Wilcoxon's signed-rank test, corrected by Holm's
 * method for all pairs of the comparison, is below VERDICT_LEVEL, and the interval of this
 * difference alone lies above 0. The test is exact if, for equal policies, the differences are distributed symmetrically
 * about 0; tests/lab/test_verdict.c counts its false verdicts for symmetric and for skewed differences. */
struct pair {
	size_t policy, other;
	struct interval difference; /* of the AUC, policy less other: stats_interval() */
	double p, corrected;        /* stats_wilcoxon(), and by stats_holm(); NAN for one draw */
	enum verdict verdict;
};

/* Returns all pairs in both directions, which the caller frees: policy p against q is the [p * n_policies + q]-th, and a
 * policy against itself is equal. */
struct pair *verdict_pairs(const struct compare *);

/* Returns the fewest draws with which any two of the policies can be told apart. */
uint32_t verdict_draws(const struct compare *);

/* Returns "better", "worse", "equal" or "too few draws", in static memory. */
const char *verdict_name(enum verdict);

/* Appends "ieca beats opic by 0.0120 [0.0070, 0.0180]", "... cannot be told apart ..." or "... are
 * not separable at 5 draws (12 or more are needed)". */
void verdict_sentence(const struct compare *, const struct pair *, struct buf *out);

#endif
