#include "lab/measure/ranks.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

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
