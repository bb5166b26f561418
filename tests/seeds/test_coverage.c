/* Coverage on closed forms, and the files of values. */
#include "tests/seeds/seeding.h"

#include "seeds/ball.h"
#include "seeds/values.h"
#include "tests/graph/shapes.h"

static void shapes_have_their_closed_form(void **state)
{
	static const uint32_t seeds[] = {3, 3, 50};
	struct coverage c;
	struct graph g;

	(void)state;
	shape_path(&g, 100);
	coverage_of(&g, seeds, 1, 7, NULL, &c);
	assert_int_equal(c.pages, 8);
	coverage_of(&g, seeds, 3, 7, NULL, &c); /* one twice */
	assert_int_equal(c.pages, 16);
	coverage_of(&g, seeds, 3, 48, NULL, &c); /* the balls overlap */
	assert_int_equal(c.pages, 50 - 3 + 49);
	assert_int_equal(c.value, (int64_t)c.pages * SEED_VALUE_ONE);
	coverage_of(&g, seeds, 3, 1000000, NULL, &c);
	assert_int_equal(c.pages, 97);
	coverage_of(&g, seeds, 0, 5, NULL, &c);
	assert_true(c.pages == 0 && c.value == 0);
	graph_release(&g);
	shape_clique(&g, 20);
	coverage_of(&g, seeds, 1, 0, NULL, &c);
	assert_int_equal(c.pages, 1);
	coverage_of(&g, seeds, 1, 1, NULL, &c);
	assert_int_equal(c.pages, 20);
	graph_release(&g);
}

static void values_of_a_page_count_once_and_may_be_negative(void **state)
{
	static const uint32_t seeds[] = {1, 3};
	struct coverage c;
	struct graph g;

	(void)state;
	z12(&g);
	coverage_of(&g, seeds, 2, 1, z12_value, &c);
	assert_int_equal(c.pages, 6);
	assert_int_equal(c.value, -5 * SEED_VALUE_ONE);
	graph_release(&g);
}

static int read_values(const char *text, const struct graph *g, int64_t **value, struct err_note *why)
{
	int64_t one = 0;
	const int err = seed_values_read(scratch_file(text, strlen(text)), g, value, &one, why);

	if (!err)
		assert_int_equal(one, SEED_VALUE_ONE);
	return err;
}

static void values_finer_than_a_millionth_keep_their_digits(void **state)
{
	static const struct {
		const char *text;
		double value[4];
		int64_t one;
	} table[] = {
		{"0\t0.5\n1\t-0.000001\n", {0.5, -1e-6, 1, 1}, 1000000},
		{"0\t1e-9\n1\t-2.5e-8\n", {1e-9, -2.5e-8, 1, 1}, 1000000000},
		/* as of a PageRank */
		{"0\t0.1234567890123456\n1\t3.0000000000000001e-7\n2\t0.8765429\n3\t0\n",
			{0.1234567890123456, 3.0000000000000001e-7, 0.8765429, 0}, 10000000000000000},
		{"0\t1e12\n1\t1.23456789e-3\n", {1e12, 1.235e-3, 1, 1}, 1000000},
		{"0\t0.125\n1\t1e-300\n", {0.125, 0, 1, 1}, 1000000000000000000},
	};
	struct err_note why;
	struct graph g;
	int64_t *value, one;

	(void)state;
	shape_empty(&g, 4);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const char *path = scratch_file(table[i].text, strlen(table[i].text));
		assert_int_equal(seed_values_read(path, &g, &value, &one, &why), 0);
		assert_int_equal(one, table[i].one);
		for (size_t v = 0; v < 4; v++)
			assert_true(seed_value_real(value[v], one) == table[i].value[v]);
		free(value);
	}
	graph_release(&g);
}

static void a_file_says_what_pages_are_worth(void **state)
{
	static const int64_t want[] = {1, -2500000, 1000000, 3000000, 0, 1000000};
	struct err_note why;
	struct graph g;
	int64_t *value;

	(void)state;
	shape_empty(&g, 6);
	assert_int_equal(read_values("# id\tvalue\n0\t1e-6\n1\t-2.5\r\n\n3\t7\n3\t3\n4\t0", &g, &value, &why), 0);
	assert_memory_equal(value, want, sizeof want);
	free(value);
	graph_release(&g);
}

static void what_is_no_value_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text, *says;
		int err;
	} cases[] = {
		{"0\t1\n1 2\n", ":2: not of the form", ERR_FORMAT},
		{"0\n", ":1: not of the form", ERR_FORMAT},
		{"6\t1\n", ":1: no node '6'", ERR_FORMAT},
		{"-1\t1\n", ":1: no node '-1'", ERR_FORMAT},
		{"0\tnan\n", "'nan' is no value", ERR_FORMAT},
		{"0\tinf\n", "'inf' is no value", ERR_FORMAT},
		{"0\t1e13\n", "'1e13' is no value", ERR_FORMAT},
		{"0\t1x\n", "'1x' is no value", ERR_FORMAT},
		{"0\t\n", "'' is no value", ERR_FORMAT},
	};
	struct err_note why;
	struct graph g;
	int64_t *value;

	(void)state;
	shape_empty(&g, 6);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(read_values(cases[i].text, &g, &value, &why), cases[i].err);
		assert_non_null(strstr(why.text, cases[i].says));
		assert_null(value);
	}
	assert_int_equal(read_values("# nothing\n", &g, &value, &why), 0);
	free(value);
	int64_t one;
	assert_int_equal(seed_values_read("/nowhere/values", &g, &value, &one, &why), ERR_FILE);
	graph_release(&g);
}

static void sums_that_could_overflow_are_refused(void **state)
{
	char text[200];
	struct err_note why;
	struct graph g;
	int64_t *value;
	size_t used = 0;

	(void)state;
	shape_empty(&g, 20);
	for (unsigned v = 0; v < 9; v++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%u\t%s1e12\n", v, v % 2 ? "-" : "");
	assert_int_equal(read_values(text, &g, &value, &why), ERR_TOO_BIG);
	text[used - 2] = '1'; /* the last is 1e11 */
	assert_int_equal(read_values(text, &g, &value, &why), 0);
	free(value);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_have_their_closed_form),
		cmocka_unit_test(values_of_a_page_count_once_and_may_be_negative),
		cmocka_unit_test(a_file_says_what_pages_are_worth),
		cmocka_unit_test(values_finer_than_a_millionth_keep_their_digits),
		cmocka_unit_test(what_is_no_value_is_told_with_its_line),
		cmocka_unit_test(sums_that_could_overflow_are_refused),
	};

	return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
