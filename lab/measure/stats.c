#include "lab/measure/stats.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL       0.95
#define MOST_EXACT  50
#define MOST_SUMMED 2000 /* degrees of freedom */

double stats_mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / (double)n : NAN;
}

double stats_deviation(const double *x, size_t n)
{
	double mean = stats_mean(x, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return n < 2 ? 0 : sqrt(sum / (double)(n - 1));
}

/* Returns P(|T| < t) for t = tan(angle) * sqrt(df), as a sum over powers of the cosine. */
static double student_within(double angle, uint64_t df)
{
	double c = cos(angle), term = df % 2 ? c : 1, sum = 0;

	for (uint64_t k = df % 2 ? 3 : 2; k <= df; k += 2) {
		sum += term;
		term *= c * c * (double)(k - 1) / (double)k;
	}
	return df % 2 ? 2 / M_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

/* Returns the z for which |Z| of a normal variable Z is below z with probability `level`. */
static double normal_quantile(double level)
{
	double low = 0, high = 40;

	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;
		if (erfc(middle * M_SQRT1_2) > 1 - level)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* Returns the quantile of Student's distribution with df degrees of freedom that corresponds to the quantile z of the normal one:
 * Abramowitz and Stegun 26.7.5. */
static double student_near_normal(double z, double df)
{
	const double s = z * z;
	const double g1 = z * (s + 1) / 4, g2 = z * ((5 * s + 16) * s + 3) / 96;
	const double g3 = z * (((3 * s + 19) * s + 17) * s - 15) / 384;
	const double g4 = z * ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92160;

	return z + (g1 + (g2 + (g3 + g4 / df) / df) / df) / df;
}

double stats_student(double level, uint64_t df)
{
	double low = 0, high = M_PI_2;

	if (df > MOST_SUMMED)
		return student_near_normal(normal_quantile(level), (double)df);
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;
		if (student_within(middle, df) < level)
			low = middle;
		else
			high = middle;
	}
	return tan(high) * sqrt((double)df);
}

struct interval stats_interval(const double *x, size_t n)
{
	struct interval v = {stats_mean(x, n), NAN, NAN};

	if (n < 2)
		return v;
	double half = stats_student(LEVEL, n - 1) * stats_deviation(x, n) / sqrt((double)n);
	v.low = v.mean - half;
	v.high = v.mean + half;
	return v;
}

static int compare_reals(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A difference's size, and whether it was above zero. */
struct signed_rank {
	double size;
	int positive;
};

static int compare_sizes(const void *a, const void *b)
{
	return compare_reals(&((const struct signed_rank *)a)->size, &((const struct signed_rank *)b)->size);
}

/* Returns the share of the 2^n choices of signs for which twice the sum of the positive ranks is at most `least`. The number of
 * choices for each sum is counted exactly, below 2^53. */
static double exact_share(const uint32_t *doubled, size_t n, uint32_t least)
{
	uint32_t all = (uint32_t)(n * (n + 1));
	double *ways = mem_zero(all + 1, sizeof *ways), sum = 0;

	ways[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (uint32_t s = all; s >= doubled[i]; s--)
			ways[s] += ways[s - doubled[i]];
	for (uint32_t s = 0; s <= least; s++)
		sum += ways[s];
	free(ways);
	return sum / exp2((double)n);
}

/* Sets doubled[i] to twice the rank of difference i, ties sharing their mean rank. Returns the sum of t^3 - t over the runs of t
 * ties. */
static double rank_sizes(const struct signed_rank *r, size_t n, uint32_t *doubled)
{
	double ties = 0;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && r[end].size == r[i].size; end++)
			;
		for (size_t j = i; j < end; j++)
			doubled[j] = (uint32_t)(i + 1 + end);
		double t = (double)(end - i);
		ties += t * t * t - t;
	}
	return ties;
}

double stats_wilcoxon(const double *difference, size_t n)
{
	AUTO_FREE struct signed_rank *r = mem_new(n, sizeof *r);
	AUTO_FREE uint32_t *doubled = mem_new(n, sizeof *doubled);
	double positive = 0, p;
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (difference[i] < 0 || difference[i] > 0)
			r[m++] = (struct signed_rank){fabs(difference[i]), difference[i] > 0};
	qsort(r, m, sizeof *r, compare_sizes);
	double ties = rank_sizes(r, m, doubled), k = (double)m;
	for (size_t i = 0; i < m; i++)
		positive += r[i].positive ? doubled[i] : 0;
	double least = fmin(positive, k * (k + 1) - positive);
	if (m <= MOST_EXACT) {
		p = 2 * exact_share(doubled, m, (uint32_t)least);
	} else {
		double variance = k * (k + 1) * (2 * k + 1) / 24 - ties / 48;
		double z = (k * (k + 1) / 4 - least / 2 - 0.5) / sqrt(variance);
		p = erfc(fmax(z, 0) * M_SQRT1_2);
	}
	return fmin(p, 1);
}

size_t stats_wilcoxon_least(double level, size_t tests)
{
	size_t n = 1;

	while (n < MOST_EXACT && exp2(1 - (double)n) * (double)tests >= level)
		n++;
	return n;
}

static int compare_pointed(const void *a, const void *b)
{
	return compare_reals(*(double *const *)a, *(double *const *)b);
}

void stats_holm(double *p, size_t n)
{
	double **by_size = mem_new(n, sizeof *by_size), least = 0;

	for (size_t i = 0; i < n; i++)
		by_size[i] = &p[i];
	qsort(by_size, n, sizeof *by_size, compare_pointed);
	for (size_t i = 0; i < n; i++) {
		least = fmin(1, fmax(least, *by_size[i] * (double)(n - i)));
		*by_size[i] = least;
	}
	free(by_size);
}

#define FAR   8.0 /* standard deviations: what lies beyond is below 1e-15 */
#define STEPS 1600

double ranks_chi_square_tail(double x, size_t df)
{
	const double y = x / 2;
	double term, sum = 0;

	if (x <= 0)
		return 1;
	if (df % 2) {
		term = sqrt(y) * exp(-y) / (sqrt(M_PI) / 2);
		for (size_t k = 1; 2 * k < df; k++) {
			sum += term;
			term *= y / ((double)k + 0.5);
		}
		return erfc(sqrt(y)) + sum;
	}
	term = exp(-y);
	for (size_t k = 1; 2 * k <= df; k++) {
		sum += term;
		term *= y / (double)k;
	}
	return sum;
}

static double normal_below(double z)
{
	return erfc(-z * M_SQRT1_2) / 2;
}

/* Returns the probability that the range of k standard normal variables is below q: the integral over the value of the least of
 * them, by Simpson's rule. */
static double range_below(double q, size_t k)
{
	const double step = 2 * FAR / STEPS;
	double sum = 0;

	for (int i = 0; i <= STEPS; i++) {
		const double z = -FAR + i * step;
		const double others = pow(normal_below(z + q) - normal_below(z), (double)(k - 1));
		const int weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
		sum += weight * others * exp(-z * z / 2);
	}
	return (double)k * sum * step / 3 / sqrt(2 * M_PI);
}

double ranks_normal_range(double level, size_t k)
{
	double low = 0, high = 4 * FAR;

	for (int i = 0; i < 50; i++) {
		const double middle = (low + high) / 2;
		if (range_below(middle, k) < level)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* Adds each method's place on one graph; returns the sum of t^3 - t over runs of t equal values. */
static double add_places(double *place, const double *value, size_t methods)
{
	double ties = 0;

	for (size_t m = 0; m < methods; m++) {
		size_t above = 0, equal = 0;
		for (size_t i = 0; i < methods; i++) {
			above += value[i] > value[m];
			equal += value[i] == value[m];
		}
		place[m] += (double)above + ((double)equal + 1) / 2;
		ties += (double)equal * (double)equal - 1; /* each of the t methods of a tie adds t^2 - 1, together t^3 - t */
	}
	return ties;
}

void ranks_make(struct ranks *r, const double *value, size_t graphs, size_t methods, double level)
{
	const double n = (double)graphs, k = (double)methods;
	double ties = 0, squares = 0;

	*r = (struct ranks){.graphs = graphs,
		.methods = methods,
		.place = mem_zero(methods, sizeof *r->place),
		.p = 1,
		.critical = INFINITY,
		.level = level};
	for (size_t g = 0; g < graphs; g++)
		ties += add_places(r->place, value + g * methods, methods);
	for (size_t m = 0; m < methods; m++) {
		const double off = r->place[m] - n * (k + 1) / 2;
		squares += off * off;
		r->place[m] /= n;
	}
	if (graphs < 2 || methods < 2)
		return;
	const double spread = n * k * (k + 1) - ties / (k - 1);
	r->friedman = spread > 0 ? 12 * squares / spread : 0;
	r->p = ranks_chi_square_tail(r->friedman, methods - 1);
	r->critical = ranks_normal_range(1 - level, methods) * M_SQRT1_2 * sqrt(k * (k + 1) / (6 * n));
}

void ranks_release(struct ranks *r)
{
	free(r->place);
	*r = (struct ranks){0};
}

int ranks_differ(const struct ranks *r, size_t method, size_t other)
{
	return fabs(r->place[method] - r->place[other]) >= r->critical;
}
