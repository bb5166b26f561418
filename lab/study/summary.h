/* The figures of a comparison (lab/study/compare.h), each summarised over its draws:
 *
 *	struct interval v = summary_of(&compare, policy, MEASURE_DISCOVERABLE, i);
 *	                            mean and 95% interval at compare.at[i] */
#ifndef LAB_STUDY_SUMMARY_H
#define LAB_STUDY_SUMMARY_H

#include "base/buf.h"
#include "lab/measure/stats.h"
#include "lab/study/compare.h"

/* A figure of a trial. The figures before MEASURE_HOT are one number for each trial, and `i` is ignored. From MEASURE_HOT to
 * MEASURE_TAU, `i` is an index of compare.at; for the CURVE figures, QUEUED and PART it is a step, for WINDOW a window, for the
 * DEPTH figures and COVERED a depth. */
enum measure {
	MEASURE_AUC,
	MEASURE_REGRET_IDEAL,
	MEASURE_REGRET_OMNISCIENT,
	MEASURE_NS_A_LINK, /* CPU */
	MEASURE_NS_A_PAGE,
	MEASURE_BYTES_A_PAGE, /* of the graph: op_counts_bytes_a_page() */
	MEASURE_EFFORT,       /* (heap moves + links ranked + links read) / links read */
	MEASURE_HOT,
	MEASURE_DISCOVERABLE,
	MEASURE_MASS,
	MEASURE_LIFT,
	MEASURE_TAU,
	MEASURE_CURVE_HOT,
	MEASURE_CURVE_DISCOVERABLE,
	MEASURE_CURVE_MASS,
	MEASURE_WINDOW,
	MEASURE_DEPTH_PAGES, /* 0 beyond the deepest */
	MEASURE_DEPTH_RANK,  /* times N */
	MEASURE_COVERED,     /* pages down to depth i, of N: of a breadth-first crawl those within i links of a seed */
	MEASURE_QUEUED,      /* by step, of N */
	MEASURE_PART,        /* pages that take part, likewise: struct op_counts */
	/* Operations (lab/measure/op_counts.h), without names; one number for each trial, NAN for `ideal`, which is no crawl */
	MEASURE_LINKS, /* E */
	MEASURE_KEY_UPDATES,
	MEASURE_HEAP_MOVES, /* as struct frontier_work */
	MEASURE_HEAP_BOUND, /* op_counts_heap_bound() */
	MEASURE_RANKED_PAGES,
	MEASURE_RANKED_LINKS, /* as struct frontier_work */
	MEASURE_RANK_BOUND,   /* op_counts_rank_bound() */
	MEASURE_PEAK,         /* pages queued */
};

/* Returns the name of the figure's column: "hot_discoverable". Static memory. */
const char *measure_name(enum measure);

/* Says whether the figure is a time, which differs from run to run. */
int measure_is_time(enum measure);

/* Returns a figure of one trial; NAN where the trial has none. */
double measure_of(const struct compare *, const struct trial *, enum measure, size_t i);

/* Returns mean and interval of a policy's figure, over the draws that have it. */
struct interval summary_of(const struct compare *, size_t policy, enum measure, size_t i);

/* Says whether a policy knows the whole graph, so that no crawl of the web could follow it: it is a yardstick for others. */
int summary_is_yardstick(const struct policy *);

/* Fills order[n_policies] with the policies by their mean AUC, the best first; equal ones stay in their order. */
void summary_order(const struct compare *, size_t *order);

/* --- Which of two policies is better on one graph. Draws are paired: both began with the same seeds. Nothing is said of
 * other graphs; lab/study/contest.h does. */

enum verdict {
	VERDICT_TOO_FEW, /* draws: fewer than verdict_draws() */
	VERDICT_BETTER,
	VERDICT_WORSE,
	VERDICT_EQUAL, /* they cannot be told apart */
	VERDICTS
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
	double share;               /* the effect: the share of the draws on which the policy is better, equal ones as half */
	double p, corrected;        /* stats_wilcoxon(), and by stats_holm(); NAN for one draw */
	uint32_t draws;             /* independent ones */
	size_t comparisons;         /* the number of pairs that Holm's method corrects for */
	enum verdict verdict;
};

/* Tests all pairs of n methods on the same draws, where x[i * stride + d] is the value of method i on draw d, and has each judged.
 * Returns them as verdict_pairs() does. */
struct pair *pairs_judged(const double *x, size_t n, size_t stride, uint32_t draws,
	enum verdict (*judge)(const struct pair *, const void *ctx), const void *ctx);

/* Returns all pairs in both directions, which the caller frees: policy p against q is the [p * n_policies + q]-th, and a
 * policy against itself is equal. */
struct pair *verdict_pairs(const struct compare *);

/* Returns "better", "worse", "equal" or "too few draws", in static memory. */
const char *verdict_name(enum verdict);

/* Appends "ieca beats opic by 0.0120 [0.0070, 0.0180] (after Holm over 6 pairs)", "... cannot be told apart ..." or "... are not
 * separable at 5 draws (12 or more are needed)". Where only the correction hides a difference, "(not after Holm over 6 pairs)". */
void verdict_sentence(const struct compare *, const struct pair *, struct buf *out);

#endif
