#include "tests/test.h"

#include "traps/sessions.h"
#include "parser/shape.h"

/* The pattern with each '#' in it replaced by n, and each '$' by what is drawn. */
static struct url at(const char *pattern, int n, const char *drawn)
{
	struct url u = URL_EMPTY;
	struct buf text = BUF_EMPTY;

	for (; *pattern; pattern++)
		if (*pattern == '#')
			buf_format(&text, "%d", n);
		else if (*pattern == '$')
			buf_text(&text, drawn);
		else
			buf_byte(&text, *pattern);
	assert_int_equal(url_parse(&u, text.at, text.used, NULL), URL_OK);
	buf_release(&text);
	return u;
}

static void parts_that_look_drawn_are_told_from_numbers_and_words(void **state)
{
	static const struct {
		const char *a, *b;
		int same;
	} rows[] =
		{
			{"http://a.test/p?k=9f86d081884c7d65", "http://a.test/p?k=60303ae22b998861", 1},
			{"http://a.test/9f86d081/p", "http://a.test/60303ae22b998861/p", 1},
			{"http://a.test/p;x=Ab3dEf9hI", "http://a.test/p;x=zz9zz9zz9", 1},
			{"http://a.test/p?k=83927463", "http://a.test/p?k=1234567890", 1},
			{"http://a.test/p?k=6fa459ea-ee8a-3ca4-894e-db77e160355e",
				"http://a.test/p?k=16fd2706-8baf-433b-82eb-8c7fada847da", 1},
			{"http://a.test/9f86d081/p?n=1&k=9f86d081.60303ae2", "http://a.test/60303ae2/p?n=1&k=1b2c3d4e.5f6a7b8c", 1},
			{"http://a.test/p?9f86d081", "http://a.test/p?60303ae2", 1},
			{"http://a.test/p?k=9f86d081&n=1", "http://a.test/p?k=60303ae2&n=2", 0},
			{"http://a.test/p?k=9f86d081", "http://b.test/p?k=60303ae2", 0},
			{"http://9f86d081.test/p?k=9f86d081", "http://60303ae2.test/p?k=9f86d081", 0},
		},
	  plain = {"http://9f86d081.test/article/2031/05/17/december2003?id=1234567", "", 0};
	uint64_t place, same;
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct url a = at(rows[i].a, 0, ""), b = at(rows[i].b, 0, "");
		assert_int_not_equal(shape_drawn(&a, &place), 0);
		if ((shape_drawn(&a, &place) == shape_drawn(&b, &same)) != rows[i].same)
			fail_msg("%s", rows[i].a);
		if (rows[i].same)
			assert_int_equal(place, same);
		url_release(&a);
		url_release(&b);
	}
	struct url u = at(plain.a, 0, "");
	assert_int_equal(shape_drawn(&u, &place), 0);
	url_release(&u);
}

static void a_url_is_compared_with_the_first_that_differs_in_drawn_parts_only(void **state)
{
	struct url a = at("http://a.test/p1?k=$", 0, "a1b2c3d4"), b = at("http://a.test/p1?k=$", 0, "e5f6a7b8"),
		   other = at("http://a.test/p2?k=$", 0, "e5f6a7b8"), plain = at("http://a.test/p1", 0, "");
	struct sessions s;
	(void)state;

	sessions_init(&s);
	assert_false(sessions_add(&s, &a, 3, 2).is_known);
	assert_false(sessions_add(&s, &plain, 4, 4).is_known);
	assert_true(sessions_find(&s, &b).is_known);
	assert_int_equal(sessions_find(&s, &b).first, 3);
	assert_int_equal(sessions_find(&s, &b).content, 2);
	assert_false(sessions_find(&s, &other).is_known);
	assert_int_not_equal(sessions_find(&s, &other).place, 0);
	assert_false(sessions_find(&s, &plain).is_known);
	assert_true(sessions_add(&s, &b, 9, 9).is_known);
	assert_int_equal(sessions_find(&s, &b).first, 3);
	sessions_release(&s);
	url_release(&a);
	url_release(&b);
	url_release(&other);
	url_release(&plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_that_look_drawn_are_told_from_numbers_and_words),
		cmocka_unit_test(a_url_is_compared_with_the_first_that_differs_in_drawn_parts_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
