/* Friedman's test and Nemenyi's critical difference, against R's figures, Demsar's and closed forms. */
#include "tests/test.h"

#include "lab/measure/stats.h"

#include <math.h>

static void close_to(double got, double want, double relative)
{
	if (!(fabs(got - want) <= relative * fabs(want)))
		fail_msg("%.12g, not %.12g", got, want);
}

/* R: qtukey(0.95, k, Inf). */
static void ranges_of_normals_are_those_of_r(void **state)
{
	static const double q[] = {2.7718076490, 3.3144931576, 3.6331595818, 3.8576555269, 4.0300920866, 4.1695542161, 4.2863095126,
		4.3865092798, 4.4741244713};

	(void)state;
	for (size_t k = 2; k <= 10; k++)
		close_to(ranks_normal_range(0.95, k), q[k - 2], 1e-7);
	/* the range of two is the size of their difference, whose deviation is the root of 2 */
	close_to(ranks_normal_range(0.6826894921370859, 2), sqrt(2), 1e-9);
}

/* R: pchisq(x, df, lower.tail = FALSE). */
static void chi_square_tails_are_those_of_r(void **state)
{
	static const double at[][2] = {{0.0613688291394, 3.078225298e-07}, {0.17377394345, 2.04523062452e-06},
		{0.320762120806, 8.66064005992e-06}, {0.477878344489, 2.88377518058e-05}, {0.62338762775, 8.16085798229e-05},
		{0.743969695397, 0.000204328765543}};

	(void)state;
	for (size_t df = 1; df <= 6; df++) {
		close_to(ranks_chi_square_tail(3.5, df), at[df - 1][0], 1e-9);
		close_to(ranks_chi_square_tail(26.2, df), at[df - 1][1], 1e-9);
		assert_true(ranks_chi_square_tail(0, df) == 1);
	}
}

/* R: friedman.test() of this matrix, which has ties. */
static void friedman_s_test_is_that_of_r(void **state)
{
	static const double x[] = {71.2, 68.1, 69.9, 70.3, 50.1, 50.1, 48, 52, 61, 60, 62, 63, 55, 54, 54, 54, 80, 79, 80, 81};
	static const double place[] = {2, 3.5, 2.9, 1.6};
	struct ranks r;

	(void)state;
	ranks_make(&r, x, 5, 4, 0.05);
	close_to(r.friedman, 7.568181818182, 1e-11);
	close_to(r.p, 0.055832208318, 1e-9);
	for (size_t i = 0; i < 4; i++)
		close_to(r.place[i], place[i], 1e-14);
	ranks_release(&r);
}

/* Demsar 2006, section 3.2.2: four classifiers on 14 data sets, q = 2.569, CD = 1.25. */
static void the_critical_difference_is_that_of_demsar(void **state)
{
	double x[14 * 4];
	struct ranks r;

	(void)state;
	for (size_t i = 0; i < 14 * 4; i++) /* the last is always the best, the others take turns */
		x[i] = i % 4 == 3 ? 9 : (double)((i % 4 + i / 4) % 3);
	ranks_make(&r, x, 14, 4, 0.05);
	close_to(r.critical, 1.25, 0.005);
	assert_true(r.place[3] == 1);
	assert_true(ranks_differ(&r, 0, 3) && !ranks_differ(&r, 0, 1));
	ranks_release(&r);
}

static void one_graph_or_equal_values_tell_nothing_apart(void **state)
{
	static const double rising[] = {1, 2, 3, 1, 2, 3}, equal[] = {5, 5, 5, 5, 5, 5};
	struct ranks r;

	(void)state;
	ranks_make(&r, rising, 1, 3, 0.05);
	assert_true(r.p == 1 && isinf(r.critical) && !ranks_differ(&r, 0, 2));
	ranks_release(&r);
	ranks_make(&r, equal, 2, 3, 0.05);
	assert_true(r.friedman == 0 && r.p == 1 && r.place[0] == 2 && r.place[2] == 2);
	ranks_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_of_normals_are_those_of_r),
		cmocka_unit_test(chi_square_tails_are_those_of_r),
		cmocka_unit_test(friedman_s_test_is_that_of_r),
		cmocka_unit_test(the_critical_difference_is_that_of_demsar),
		cmocka_unit_test(one_graph_or_equal_values_tell_nothing_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
