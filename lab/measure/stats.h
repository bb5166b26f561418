/* Statistics over draws of seeds: means with their intervals, and the test of two policies that began with the same
 * seeds. All functions are deterministic and may be called by any thread.
 *
 *	double difference[] = {0.02, 0.01, 0.03, 0.02, 0.04, 0.01};     a policy less another, a figure for each draw
 *	struct interval mean = stats_interval(difference, 6);
 *	double p = stats_wilcoxon(difference, 6); */
#ifndef LAB_MEASURE_STATS_H
#define LAB_MEASURE_STATS_H

#include <stddef.h>
#include <stdint.h>

/* A mean and the ends of its 95% interval; the ends are NAN where the sample is too small for an interval. */
struct interval {
	double mean, low, high;
};

/* Returns the mean of x[n]; NAN for n = 0. */
double stats_mean(const double *x, size_t n);

/* Returns the standard deviation of the sample x[n], with the divisor n - 1; 0 for n < 2. */
double stats_deviation(const double *x, size_t n);

/* Returns the t below which |T| lies with probability `level`, where T has Student's distribution with df >= 1 degrees
 * of freedom. The relative error is at most 1e-9 for levels from 1e-6 to 1 - 1e-6. Up to 2000 degrees of freedom the finite
 * trigonometric sums of Abramowitz and Stegun 26.7.3 and 26.7.4 are inverted by bisection; above, their expansion
 * 26.7.5 about the normal quantile is used up to its fourth term, since the fifth is less than 1e-12 of t there. */
double stats_student(double level, uint64_t df);

/* Returns the mean of x[n] with its 95% interval by Student's t; for n < 2 the interval's ends are NAN. */
struct interval stats_interval(const double *x, size_t n);

/* Returns the two-sided p of Wilcoxon's signed-rank test of n paired differences. Differences of zero are dropped, and
 * ties share their mean rank; p is 1 if all differences are zero. Up to 50 differences p is exact: all signs of
 * the ranks are counted, ties included. For more differences it is computed by the normal distribution, with the
 * variance corrected for ties and with a correction for continuity. */
double stats_wilcoxon(const double *difference, size_t n);

/* Returns the least number of differences for which the p of stats_wilcoxon(), times `tests`, can be below `level`: 6 for
 * one test at the level 0.05. */
size_t stats_wilcoxon_least(double level, size_t tests);

/* Corrects p[n], the p of n tests, in place by Holm's method (1979). If the hypotheses whose corrected p is below a level are
 * rejected, the chance that any of them is true is at most this level, however the tests depend on one another. */
void stats_holm(double *p, size_t n);

/* --- The test of several methods over several graphs: each graph gives every method a place, Friedman's test says whether
 * the places differ by more than chance, and Nemenyi's critical difference says which two methods differ.
 *
 * Demsar, Statistical Comparisons of Classifiers over Multiple Data Sets, JMLR 7 (2006), section 3.2.
 * The graphs must be independent of one another: two snapshots of one web, or two graphs of one
 * generator, have to be given as one graph. Methods of equal value on a graph share their mean place.
 *
 *	struct ranks r;
 *	ranks_make(&r, value, 8, 5, 0.05);                  8 graphs, 5 methods
 *	if (ranks_differ(&r, 0, 1)) ...
 *	ranks_release(&r); */

struct ranks {
	size_t graphs, methods;
	double *place;   /* of each method: its mean place over the graphs; 1 is the place of the highest value */
	double friedman; /* Friedman's chi-square, corrected for ties; 0 where all values are equal */
	double p;        /* the chance of as large a chi-square, with methods - 1 degrees of freedom */
	double critical; /* two methods differ at `level` where their mean places are that far apart, or further */
	double level;
};

/* Makes the ranks of the methods; value[g * methods + m] is the value of method m on graph g, a finite number. With fewer
 * than two methods or two graphs, p is 1 and the critical difference infinite. Release with ranks_release(). */
void ranks_make(struct ranks *r, const double *value, size_t graphs, size_t methods, double level);
void ranks_release(struct ranks *r);

/* Says whether two methods differ: whether their mean places are the critical difference apart, or further. */
int ranks_differ(const struct ranks *r, size_t method, size_t other);

/* Returns the chance that chi-square with df >= 1 degrees of freedom is at least x, by the finite sums of
 * Abramowitz and Stegun 26.4.4 and 26.4.5. */
double ranks_chi_square_tail(double x, size_t df);

/* Returns the q below which the range of k >= 2 standard normal variables lies with probability `level`: the quantile of
 * the studentised range with infinitely many degrees of freedom, by Simpson's rule, to 1e-6. */
double ranks_normal_range(double level, size_t k);

#endif
