/* The test of several methods over several graphs: each graph gives every method a place, Friedman's test says whether
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
#ifndef LAB_MEASURE_RANKS_H
#define LAB_MEASURE_RANKS_H

#include <stddef.h>

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
