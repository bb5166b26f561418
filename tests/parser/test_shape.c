#include "tests/test.h"

#include "parser/shape.h"

static struct url parsed(const char *url)
{
	struct url u = URL_EMPTY;

	assert_int_equal(url_parse(&u, url, strlen(url), NULL), URL_OK);
	return u;
}

static uint64_t shape(const char *url)
{
	struct url u = parsed(url);
	uint64_t hash = shape_of(&u);

	url_release(&u);
	return hash;
}

static uint64_t whole(const char *url)
{
	struct url u = parsed(url);
	uint64_t hash = shape_without_query(&u);

	url_release(&u);
	return hash;
}

static void numbers_ids_and_values_make_no_difference(void **state)
{
	static const struct {
		const char *a, *b;
		int same;
	} rows[] = {
		{"http://a.test/cal/2024/05", "http://a.test/cal/1999/12", 1},
		{"http://a.test/x;jsessionid=A1B2C3", "http://a.test/x;jsessionid=9", 1},
		{"http://a.test/p?y=1&m=2", "http://a.test/p?y=77&m=x", 1},
		{"http://a.test/p?y=1&m=2", "http://a.test/p?m=1&y=2", 0},
		{"http://a.test/p?y=1", "http://a.test/q?y=1", 0},
		{"http://a.test/1", "http://b.test/1", 0},
		{"http://a.test/1/x", "http://a.test/1/y", 0},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_not_equal(shape(rows[i].a), 0);
		assert_int_equal(shape(rows[i].a) == shape(rows[i].b), rows[i].same);
	}
	assert_int_equal(shape("http://a1.test/docs/index.html"), 0);
	assert_int_equal(shape("http://a.test/"), 0);
	assert_int_equal(whole("http://a.test/p"), 0);
	assert_int_equal(whole("http://a.test/p?a=1"), whole("http://a.test/p?b=2&c"));
	assert_int_equal(whole("http://a.test/p1?"), whole("http://a.test/p2?b=2"));
	assert_int_not_equal(whole("http://a.test/p?"), whole("http://a.test/q?"));
}

/* The form of a path's query of n parameters, "1" to "9" over and over, or in the other order. */
static uint64_t form_of(unsigned n, int backwards)
{
	struct buf text = BUF_EMPTY;

	buf_text(&text, "http://a.test/p");
	for (unsigned i = 0; i < n; i++)
		buf_format(&text, "%c%u", i ? '&' : '?', (backwards ? n - 1 - i : i) % 9 + 1);
	struct url u = parsed(text.at);
	const uint64_t form = url_traits(&u).form;

	url_release(&u);
	buf_release(&text);
	return form;
}

static void the_order_of_parameters_makes_no_difference_where_there_are_not_too_many(void **state)
{
	static const unsigned rows[] = {2, 9, TRAITS_PARAMETERS};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_not_equal(form_of(rows[i], 0), 0);
		assert_int_equal(form_of(rows[i], 0), form_of(rows[i], 1));
	}
	assert_int_equal(form_of(1, 0), 0);
	assert_int_equal(form_of(TRAITS_PARAMETERS + 1, 0), 0);
}

static void repeats_are_counted_for_groups_of_segments(void **state)
{
	static const struct {
		const char *url;
		unsigned repeats, depth;
	} rows[] = {
		{"http://a.test/", 1, 1},
		{"http://a.test/a/b/c", 1, 3},
		{"http://a.test/a/a/b", 2, 3},
		{"http://a.test/a/a/a/a/", 4, 5},
		{"http://a.test/x/a/b/a/b/a/b/c", 3, 8},
		{"http://a.test/a/b/c/a/b/c", 2, 6},
		{"http://a.test/a/b/c/d/a/b/c/d/a/b/c/d", 3, 12},
		{"http://a.test/1/2/3/4/5/1/2/3/4/5", 1, 10}, /* a group of five is none */
		{"http://a.test/a/x/a/y/a/z", 1, 6},
		{"http://a.test/?/a/a/a/a", 1, 1},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct url u = parsed(rows[i].url);
		if (shape_repeats(&u) != rows[i].repeats || url_traits(&u).depth != rows[i].depth)
			fail_msg("<%s>: %u times, %u deep", rows[i].url, shape_repeats(&u), url_traits(&u).depth);
		url_release(&u);
	}
}

static void a_very_deep_path_is_looked_at_no_further_than_needed(void **state)
{
	struct buf text = BUF_EMPTY;
	(void)state;

	buf_text(&text, "http://a.test");
	for (int i = 0; i < 3000; i++)
		buf_text(&text, "/a");
	buf_end(&text);
	struct url u = parsed(text.at);
	assert_int_equal(url_traits(&u).depth, 3000);
	assert_true(shape_repeats(&u) > 200);
	url_release(&u);
	buf_release(&text);
}

static void years_of_calendars_are_told_from_other_numbers(void **state)
{
	static const struct {
		const char *url;
		int year;
	} rows[] = {
		{"http://a.test/cal/2031/05/", 2031},
		{"http://a.test/cal/2031-05", 2031},
		{"http://a.test/cal/2031-05-17.html", 2031},
		{"http://a.test/20310517/x", 2031},
		{"http://a.test/c?year=2040&m=2", 2040},
		{"http://a.test/c?a=b&Y=1971", 1971},
		{"http://a.test/c?date=2040-11", 2040},
		{"http://a.test/c?d=19710101", 1971},
		{"http://a.test/c?year=2040&date=1950-01", 1950}, /* the farthest */
		{"http://a.test/2031/13/", 2026},
		{"http://a.test/20950911", 2095},
		{"http://a.test/20950947", 2026}, /* no month has a day 47 */
		{"http://a.test/20950900", 2026},
		{"http://a.test/2031/5/", 2026},
		{"http://a.test/id/203105170", 2026},
		{"http://a.test/2500/", 2026},
		{"http://a.test/203205", 2032},
		{"http://a.test/161/960312.html", 2026}, /* 12 March 1996 */
		{"http://a.test/notes/210912/", 2026},   /* 12 September 2021 */
		{"http://a.test/thread/4512/10", 2026},  /* page 10 of a thread */
		{"http://a.test/article/700004", 2026},
		{"http://a.test/map?x=900&y=1100", 2026},
		{"http://a.test/c?id=2040-11", 2026},
		{"http://a.test/c?year=20401", 2026},
		{"http://a.test/c?year=", 2026},
		{"http://a.test/c?", 2026},
		{"http://a.test/c?&&=&", 2026},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct url u = parsed(rows[i].url);
		if (shape_far_year(&u, 2026, SHAPE_FIRST_YEAR) != rows[i].year)
			fail_msg("<%s>: %d", rows[i].url, shape_far_year(&u, 2026, SHAPE_FIRST_YEAR));
		url_release(&u);
	}
}

static void a_host_has_a_registrable_domain_or_is_one(void **state)
{
	static const struct {
		const char *host;
		size_t start;
	} rows[] = {{"a.b.example.co.uk", 4}, {"example.org", 0}, {"www.example.org", 4}, {"localhost", 0}, {"co.uk", 0},
		{"10.0.0.1", 0}, {"[::1]", 0}, {"", 0}};
	char longest[DOMAIN_HOST_MAX + 2];
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(domain_start(rows[i].host, strlen(rows[i].host)), rows[i].start);
	memset(longest, 'a', sizeof longest);
	memcpy(longest + sizeof longest - 8, ".b.org", 6);
	assert_int_equal(domain_start(longest, sizeof longest), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_ids_and_values_make_no_difference),
		cmocka_unit_test(the_order_of_parameters_makes_no_difference_where_there_are_not_too_many),
		cmocka_unit_test(repeats_are_counted_for_groups_of_segments),
		cmocka_unit_test(a_very_deep_path_is_looked_at_no_further_than_needed),
		cmocka_unit_test(years_of_calendars_are_told_from_other_numbers),
		cmocka_unit_test(a_host_has_a_registrable_domain_or_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
