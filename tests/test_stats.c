/* Means, intervals, Student's t, the bootstrap and Wilcoxon's test, against closed forms, against
 * enumeration, and against what they promise. */
#include "tests/test.h"

#include "base/rng.h"
#include "lab/stats.h"

#include <math.h>

static void close_to(double got, double want, double relative)
{
	if (!(fabs(got - want) <= relative * fabs(want) + 1e-300))
		fail_msg("%.17g, not %.17g", got, want);
}

static void means_and_deviations_are_those_of_the_book(void **state)
{
	static const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};

	(void)state;
	close_to(stats_mean(x, 8), 5, 1e-15);
	close_to(stats_deviation(x, 8), sqrt(32.0 / 7), 1e-15);
	assert_true(isnan(stats_mean(x, 0)));
	assert_true(stats_deviation(x, 1) == 0);
}

/* The quantile has a closed form for 1, 2 and 4 degrees of freedom. */
static void student_quantiles_of_few_degrees_are_the_closed_forms(void **state)
{
	static const double levels[] = {1e-6, 0.1, 0.5, 0.8, 0.95, 0.99, 0.999999};

	(void)state;
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
		double p = levels[i], tails = (1 - p) * (1 + p); /* 4 P(T < t) P(T > t) */
		close_to(stats_student(p, 1), tan(M_PI_2 * p), 1e-8);
		close_to(stats_student(p, 2), p * sqrt(2 / tails), 1e-8);
		double q = cos(acos(sqrt(tails)) / 3) / sqrt(tails);
		if (p > 0.01) /* below, q - 1 cancels */
			close_to(stats_student(p, 4), 2 * sqrt(q - 1), 1e-8);
	}
}

/* The density of T, up to its constant: the integral by Simpson's rule, half-infinite by t = tan.
 */
static double student_integral(double t, double df)
{
	double angle = atan(t / sqrt(df)), sum = 0;
	int steps = 2000;

	for (int i = 0; i <= steps; i++) {
		double a = angle * i / steps, f = pow(cos(a), df - 1);
		sum += f * (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2);
	}
	return sum * angle / steps / 3;
}

static void student_quantiles_invert_the_integral_of_the_density(void **state)
{
	static const uint64_t degrees[] = {3, 5, 9, 10, 29, 100, 199, 200, 201, 500, 5000};

	(void)state;
	for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
		double df = (double)degrees[i], t = stats_student(0.95, degrees[i]);
		close_to(student_integral(t, df) / student_integral(1e9, df), 0.95, 1e-7);
	}
	close_to(stats_student(0.95, 1000000000), 1.959963984540054, 1e-8);
	/* both ways meet */
	assert_true(stats_student(0.95, 200) > stats_student(0.95, 201));
	assert_true(stats_student(0.95, 200) - stats_student(0.95, 201) < 1e-4);
}

static void an_interval_needs_two_values(void **state)
{
	static const double x[] = {1, 2, 3, 4};
	struct interval v = stats_interval(x, 4);

	(void)state;
	close_to(v.mean, 2.5, 1e-15);
	close_to(v.high - v.mean, 3.182446305284263 * sqrt(5.0 / 3) / 2, 1e-9);
	close_to(v.mean - v.low, v.high - v.mean, 1e-14);
	v = stats_interval(x, 1);
	assert_true(v.mean == 1 && isnan(v.low) && isnan(v.high));
}

static double draw_normal(struct rng *rng)
{
	return sqrt(-2 * log(1 - rng_unit(rng))) * cos(2 * M_PI * rng_unit(rng));
}

/* What 95% promises: the truth lies within about as often. */
static void intervals_hold_the_truth_as_often_as_they_say(void **state)
{
	struct rng rng = {4};
	int rounds = 400;

	(void)state;
	for (size_t n = 5; n <= 20; n += 15) {
		int student = 0, bootstrap = 0;
		for (int round = 0; round < rounds; round++) {
			double x[20];
			for (size_t i = 0; i < n; i++)
				x[i] = draw_normal(&rng) + 0.5;
			struct interval s = stats_interval(x, n), b = stats_bootstrap(x, n, 1);
			student += s.low <= 0.5 && 0.5 <= s.high;
			bootstrap += b.low <= 0.5 && 0.5 <= b.high;
		}
		assert_in_range(student, 370, 390);
		assert_in_range(bootstrap, 355, 395);
	}
}

static void the_bootstrap_of_two_values_spans_them(void **state)
{
	static const double two[] = {-1, 3}, same[] = {2, 2, 2};
	struct interval v = stats_bootstrap(two, 2, 1);

	(void)state;
	assert_true(v.mean == 1 && v.low == -1 && v.high == 3);
	v = stats_bootstrap(same, 3, 1);
	assert_true(v.mean == 2 && v.low == 2 && v.high == 2);
	assert_true(isnan(stats_bootstrap(two, 1, 1).low));
}

/* Three ones in nine: a resample has r of them with the chance of r in nine throws at 1/3, seven or
 * more in 0.83% of all. The tail is cut at 0.72%; at 1.05% were it not for the few draws. */
static void the_bootstrap_is_as_wide_as_few_draws_want(void **state)
{
	static const double ones[] = {1, 0, 0, 1, 0, 0, 1, 0, 0};

	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct interval v = stats_bootstrap(ones, 9, seed);
		assert_true(v.low == 0 && v.high == 7.0 / 9);
	}
}

static void the_bootstrap_mirrors_and_repeats(void **state)
{
	struct rng rng = {8};
	double x[12], minus[12];

	(void)state;
	for (size_t i = 0; i < 12; i++) {
		x[i] = rng_unit(&rng) - 0.3;
		minus[i] = -x[i];
	}
	struct interval a = stats_bootstrap(x, 12, 5), b = stats_bootstrap(minus, 12, 5),
			again = stats_bootstrap(x, 12, 5);
	assert_true(a.low == -b.high && a.high == -b.low && a.mean == -b.mean);
	assert_true(a.low == again.low && a.high == again.high);
	assert_true(a.low < a.mean && a.mean < a.high);
}

/* All signs, one by one: how often both sides are as far out as what was seen. */
static double enumerate_signs(const double *d, size_t n)
{
	double rank[16], seen = 0;
	uint32_t out = 0;

	for (size_t i = 0; i < n; i++) {
		double below = 0, same = 0;
		for (size_t j = 0; j < n; j++) {
			below += fabs(d[j]) < fabs(d[i]);
			same += fabs(d[j]) == fabs(d[i]);
		}
		rank[i] = below + (same + 1) / 2;
		seen += d[i] > 0 ? rank[i] : -rank[i];
	}
	for (uint32_t signs = 0; signs < 1u << n; signs++) {
		double sum = 0;
		for (size_t i = 0; i < n; i++)
			sum += signs >> i & 1 ? rank[i] : -rank[i];
		out += fabs(sum) >= fabs(seen);
	}
	return (double)out / (1u << n);
}

static void wilcoxon_is_exact_for_few(void **state)
{
	static const double all_up[] = {.1, .2, .3, .4, .5},
			    zeros[] = {0, 0, .1, .2, .3, .4, .5, 0};
	struct rng rng = {15};

	(void)state;
	close_to(stats_wilcoxon(all_up, 5), 2.0 / 32, 1e-15);
	close_to(stats_wilcoxon(zeros, 8), 2.0 / 32, 1e-15);
	assert_true(stats_wilcoxon(zeros, 2) == 1);
	assert_true(stats_wilcoxon(NULL, 0) == 1);
	for (int round = 0; round < 300; round++) {
		size_t n = 1 + (size_t)rng_below(&rng, 11);
		double d[11];
		for (size_t i = 0; i < n; i++) /* many ties, no zero */
			d[i] = (double)(1 + rng_below(&rng, 6)) * (rng_below(&rng, 3) ? 1 : -1);
		close_to(stats_wilcoxon(d, n), fmin(enumerate_signs(d, n), 1), 1e-12);
	}
}

/* The exact p of n differences, all signs counted at once: the chances of each sum of doubled
 * ranks. */
static double count_signs(const double *d, size_t n)
{
	static double chance[2][20000];
	double seen = 0, all = (double)(n * (n + 1)), p = 0;
	int turn = 0;

	memset(chance, 0, sizeof chance);
	chance[0][0] = 1;
	for (size_t i = 0; i < n; i++, turn = !turn) {
		size_t rank =
			1; /* doubled: 1 and two for each below, one for each other that is equal */
		for (size_t j = 0; j < n; j++)
			rank += fabs(d[j]) < fabs(d[i]) ? 2 : fabs(d[j]) == fabs(d[i]) ? 1 : 0;
		seen += d[i] > 0 ? (double)rank : 0;
		for (size_t s = 0; s < 20000; s++)
			chance[!turn][s] =
				(chance[turn][s] + (s < rank ? 0 : chance[turn][s - rank])) / 2;
	}
	for (size_t s = 0; s < 20000; s++)
		p += (double)s <= fmin(seen, all - seen) ? 2 * chance[turn][s] : 0;
	return fmin(p, 1);
}

static void wilcoxon_of_many_is_near_the_exact_one(void **state)
{
	struct rng rng = {16};

	(void)state;
	for (int round = 0; round < 60; round++) {
		size_t n = 51 + (size_t)rng_below(&rng, 40);
		int sizes = round % 2 ? 3 : 1000000; /* hardly a tie, or hardly anything else */
		double d[90];
		for (size_t i = 0; i < n; i++)
			d[i] = (double)(1 + rng_below(&rng, (uint64_t)sizes)) *
			       (rng_unit(&rng) < 0.4 ? 1 : -1);
		double p = stats_wilcoxon(d, n), exact = count_signs(d, n);
		if (fabs(p - exact) > (exact < 0.1 ? 0.002 : 0.01))
			fail_msg("%zu differences: p %.6f, not %.6f", n, p, exact);
	}
}

/* Sixty that are equal but for their sign have the rank 30.5 each: their sum has the variance of so
 * many throws of a coin. */
static void wilcoxon_of_many_counts_ties(void **state)
{
	(void)state;
	for (int up = 0; up <= 30; up++) {
		double d[60], z = (30.5 * (30 - up) - 0.5) / (30.5 * sqrt(15));
		for (int i = 0; i < 60; i++)
			d[i] = i < up ? 2 : -2;
		close_to(stats_wilcoxon(d, 60), z > 0 ? erfc(z / sqrt(2)) : 1, 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_and_deviations_are_those_of_the_book),
		cmocka_unit_test(student_quantiles_of_few_degrees_are_the_closed_forms),
		cmocka_unit_test(student_quantiles_invert_the_integral_of_the_density),
		cmocka_unit_test(an_interval_needs_two_values),
		cmocka_unit_test(intervals_hold_the_truth_as_often_as_they_say),
		cmocka_unit_test(the_bootstrap_of_two_values_spans_them),
		cmocka_unit_test(the_bootstrap_is_as_wide_as_few_draws_want),
		cmocka_unit_test(the_bootstrap_mirrors_and_repeats),
		cmocka_unit_test(wilcoxon_is_exact_for_few),
		cmocka_unit_test(wilcoxon_of_many_is_near_the_exact_one),
		cmocka_unit_test(wilcoxon_of_many_counts_ties),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
