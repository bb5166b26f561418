/* Numbers over draws: means with their intervals, and what parts two policies that began with the
 * same seeds. Deterministic. */
#ifndef LAB_MEASURE_STATS_H
#define LAB_MEASURE_STATS_H

#include <stddef.h>
#include <stdint.h>

/* A mean and its 95% interval; low and high are NAN where nothing can be said. */
struct interval {
	double mean, low, high;
};

/* NAN for n = 0. */
double stats_mean(const double *x, size_t n);

/* Of a sample (divisor n - 1); 0 for n < 2. */
double stats_deviation(const double *x, size_t n);

/* The t that Student's |T| with df >= 1 degrees of freedom stays under with probability `level`, in
 * (0, 1); from 1e-6 to 1 - 1e-6 to a relative 1e-9. Up to 2000 degrees by bisecting the finite
 * trigonometric sums of Abramowitz and Stegun 26.7.3 and 26.7.4, beyond by their expansion 26.7.5
 * about the normal quantile, up to the fourth term: the next one is below 1e-12 of t there. */
double stats_student(double level, uint64_t df);

/* The mean with its 95% interval by Student's t; n < 2 has none. */
struct interval stats_interval(const double *x, size_t n);

/* The two-sided p of Wilcoxon's signed-rank test for n paired differences. Zeros are dropped, ties
 * share the mean rank; 1 where nothing is left. Up to 50 differences exact, over all signs of the
 * ranks as they are, ties included; beyond by the normal with the variance corrected for ties, and
 * for continuity. */
double stats_wilcoxon(const double *difference, size_t n);

/* The fewest differences with which that p, times `tests`, can be below `level`: 6 for one test at
 * 0.05. */
size_t stats_wilcoxon_least(double level, size_t tests);

/* Corrects n values of p for their number, in place, by Holm's method (1979): where those below a
 * level are called true, the chance that any is false is at most the level, however they depend on
 * one another. */
void stats_holm(double *p, size_t n);

#endif
