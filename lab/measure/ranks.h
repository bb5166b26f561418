/* Whether several methods differ over several graphs: Friedman's test over the places that each method
 * has on each graph, and Nemenyi's critical difference of two mean places.
 *
 * Demsar, Statistical Comparisons of Classifiers over Multiple Data Sets, JMLR 7 (2006), section 3.2.
 * The graphs must be independent of one another: two snapshots of one web, or two graphs of one
 * generator, are one graph. Ties share the mean place. */
#ifndef LAB_MEASURE_RANKS_H
#define LAB_MEASURE_RANKS_H

#include <stddef.h>

struct ranks {
	size_t graphs, methods;
	double *place; /* of each method: the mean over the graphs of its place, 1 for the highest */
	double friedman; /* chi-square, corrected for ties; 0 where all values are equal */
	double p;        /* the chance of as large a chi-square, methods - 1 degrees of freedom */
	double critical; /* difference of two mean places that tells two methods apart at `level` */
	double level;
};

/* value[g * methods + m] is that of method m on graph g; all finite. Two methods and two graphs at
 * least, else p is 1 and the critical difference infinite. */
void ranks_make(struct ranks *r, const double *value, size_t graphs, size_t methods, double level);
void ranks_release(struct ranks *r);

/* Whether two methods are told apart: their mean places differ by the critical difference or more. */
int ranks_differ(const struct ranks *r, size_t method, size_t other);

/* The chance that chi-square with df >= 1 degrees of freedom is at least x, by its finite sums
 * (Abramowitz and Stegun 26.4.4, 26.4.5). */
double ranks_chi_square_tail(double x, size_t df);

/* The q that the range of k >= 2 standard normals stays under with probability `level`: the
 * studentised range of infinitely many degrees of freedom, by Simpson's rule, to 1e-6. */
double ranks_normal_range(double level, size_t k);

#endif
