/* A linear prediction that is learned from examples one by one: ridge regression by the normal equations.
 *
 *	least_squares_add(&r, f, y);         an example: its features f and its value y
 *	least_squares_fit(&r);               O(n^3) for n features, however many examples there are
 *	least_squares_predict(&r, f)         w . f, where w minimises the sum of (y - w . f)^2 over the examples, plus |w|^2 */
#ifndef POLICIES_LEAST_SQUARES_H
#define POLICIES_LEAST_SQUARES_H

#define LEAST_SQUARES_FEATURES 7

/* All zeros: no example. */
struct least_squares {
	/* the sums of f f^T, of which only the lower triangle is kept, and of f y */
	double a[LEAST_SQUARES_FEATURES][LEAST_SQUARES_FEATURES], b[LEAST_SQUARES_FEATURES];
	double w[LEAST_SQUARES_FEATURES];
};

/* Adds an example. The weights do not change before the next fit. */
void least_squares_add(struct least_squares *, const double f[LEAST_SQUARES_FEATURES], double y);

/* Computes the weights of all examples so far, by Cholesky's method. */
void least_squares_fit(struct least_squares *);

/* Returns w . f. */
double least_squares_predict(const struct least_squares *, const double f[LEAST_SQUARES_FEATURES]);

#endif
