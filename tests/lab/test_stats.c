/* Means, intervals, Student's t, Wilcoxon's test and Holm's correction, against closed forms, against
 * enumeration, and against what they promise. */
#include "tests/test.h"

#include "base/rng.h"
#include "lab/measure/stats.h"

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

/* R's qt((1 - level) / 2, df, lower.tail = FALSE). */
static const struct {
	double level;
	uint64_t df;
	double t;
} of_r[] = {
	{1e-06, 3, 1.36034952323712e-06},
	{0.5, 3, 0.764892328404345},
	{0.95, 3, 3.18244630528371},
	{0.999, 3, 12.9239786366875},
	{0.999999, 3, 130.15458955711},
	{1e-06, 199, 1.2548896353965e-06},
	{0.5, 199, 0.675724595610646},
	{0.95, 199, 1.97195654425175},
	{0.999, 199, 3.34008655616143},
	{0.999999, 199, 5.04909459522616},
	{1e-06, 200, 1.25488175304769e-06},
	{0.5, 200, 0.67571841140422},
	{0.95, 200, 1.97189622363391},
	{0.999, 200, 3.33983540627568},
	{0.999999, 200, 5.04828565984611},
	{1e-06, 201, 1.25487394917802e-06},
	{0.5, 201, 0.675712288830956},
	{0.95, 201, 1.97183650677986},
	{0.999, 201, 3.33958678890527},
	{0.999999, 201, 5.04748499228922},
	{1e-06, 500, 1.25394095069295e-06},
	{0.5, 500, 0.674980737965939},
	{0.95, 500, 1.96471983746737},
	{0.999, 500, 3.31009115152267},
	{0.999999, 500, 4.95327566652912},
	{1e-06, 1999, 1.25347088978554e-06},
	{0.5, 1999, 0.674612498915322},
	{0.95, 1999, 1.96115142017056},
	{0.999, 1999, 3.29540057692738},
	{0.999999, 1999, 4.9069300319906},
	{1e-06, 2000, 1.25347081140443e-06},
	{0.5, 2000, 0.674612437531022},
	{0.95, 2000, 1.96115082609944},
	{0.999, 2000, 3.29539813672974},
	{0.999999, 2000, 4.90692236542691},
	{1e-06, 2001, 1.25347073310167e-06},
	{0.5, 2001, 0.674612376208085},
	{0.95, 2001, 1.96115023262244},
	{0.999, 2001, 3.29539569897435},
	{0.999999, 2001, 4.90691470654677},
	{1e-06, 5000, 1.25337680462499e-06},
	{0.5, 5000, 0.674538820360874},
	{0.95, 5000, 1.96043855170651},
	{0.999, 5000, 3.29247372337085},
	{0.999999, 5000, 4.89774207157951},
	{1e-06, 1000000, 1.25331445068044e-06},
	{0.5, 1000000, 0.674489995531087},
	{0.95, 1000000, 1.95996635681411},
	{0.999, 1000000, 3.29053646124869},
	{0.999999, 1000000, 4.89166896070473},
};

static void student_quantiles_are_those_of_r_at_any_level(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof of_r / sizeof *of_r; i++)
		close_to(stats_student(of_r[i].level, of_r[i].df), of_r[i].t, 1e-9);
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
		int held = 0;
		for (int round = 0; round < rounds; round++) {
			double x[20];
			for (size_t i = 0; i < n; i++)
				x[i] = draw_normal(&rng) + 0.5;
			struct interval s = stats_interval(x, n);
			held += s.low <= 0.5 && 0.5 <= s.high;
		}
		assert_in_range(held, 370, 390);
	}
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
	static const double all_up[] = {.1, .2, .3, .4, .5}, zeros[] = {0, 0, .1, .2, .3, .4, .5, 0};
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
		size_t rank = 1; /* doubled: 1 and two for each below, one for each other that is equal */
		for (size_t j = 0; j < n; j++)
			rank += fabs(d[j]) < fabs(d[i]) ? 2 : fabs(d[j]) == fabs(d[i]) ? 1 : 0;
		seen += d[i] > 0 ? (double)rank : 0;
		for (size_t s = 0; s < 20000; s++)
			chance[!turn][s] = (chance[turn][s] + (s < rank ? 0 : chance[turn][s - rank])) / 2;
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
			d[i] = (double)(1 + rng_below(&rng, (uint64_t)sizes)) * (rng_unit(&rng) < 0.4 ? 1 : -1);
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

/* So many differences of one sign are enough, and one fewer are not. */
static void the_fewest_differences_are_those_that_can_do(void **state)
{
	static const size_t tests[] = {1, 3, 6, 10, 45, 66, 105, 1000};
	static const double up[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

	(void)state;
	assert_int_equal(stats_wilcoxon_least(0.05, 1), 6);
	assert_int_equal(stats_wilcoxon_least(0.05, 0), 1);
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		size_t n = stats_wilcoxon_least(0.05, tests[i]);
		assert_true(stats_wilcoxon(up, n) * (double)tests[i] < 0.05);
		assert_true(stats_wilcoxon(up, n - 1) * (double)tests[i] >= 0.05);
	}
}

/* Holm's own way: of the values left, the least times their number, and never less than before. */
static void holm_corrects_step_by_step(void **state)
{
	struct rng rng = {3};
	double four[] = {0.04, 0.01, 0.03, 0.005}, ones[] = {1, 0.7, 1};

	(void)state;
	stats_holm(four, 4);
	close_to(four[3], 0.02, 1e-15);
	close_to(four[1], 0.03, 1e-15);
	close_to(four[2], 0.06, 1e-15);
	close_to(four[0], 0.06, 1e-15);
	stats_holm(ones, 3);
	assert_true(ones[0] == 1 && ones[1] == 1 && ones[2] == 1);
	stats_holm(NULL, 0);
	for (int round = 0; round < 200; round++) {
		size_t n = 1 + rng_below(&rng, 12);
		double p[12], was[12], last = 0;
		unsigned done = 0;
		for (size_t i = 0; i < n; i++)
			was[i] = p[i] = (double)rng_below(&rng, 20) / 20;
		stats_holm(p, n);
		for (size_t left = n; left > 0; left--) {
			size_t least = n;
			for (size_t i = 0; i < n; i++)
				if (!(done >> i & 1) && (least == n || was[i] < was[least]))
					least = i;
			last = fmin(1, fmax(last, was[least] * (double)left));
			close_to(p[least], last, 1e-15);
			done |= 1u << least;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_and_deviations_are_those_of_the_book),
		cmocka_unit_test(student_quantiles_of_few_degrees_are_the_closed_forms),
		cmocka_unit_test(student_quantiles_invert_the_integral_of_the_density),
		cmocka_unit_test(student_quantiles_are_those_of_r_at_any_level),
		cmocka_unit_test(an_interval_needs_two_values),
		cmocka_unit_test(intervals_hold_the_truth_as_often_as_they_say),
		cmocka_unit_test(wilcoxon_is_exact_for_few),
		cmocka_unit_test(wilcoxon_of_many_is_near_the_exact_one),
		cmocka_unit_test(wilcoxon_of_many_counts_ties),
		cmocka_unit_test(the_fewest_differences_are_those_that_can_do),
		cmocka_unit_test(holm_corrects_step_by_step),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
