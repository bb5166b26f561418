#include "tests/test.h"

#include "traps/forms.h"
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

static int has(const struct forms *f, const char *url)
{
	struct url u = at(url, 0, "");
	const int found = forms_has(f, &u);

	url_release(&u);
	return found;
}

static void parts_that_look_drawn_are_told_from_numbers_and_words(void **state)
{
	static const struct {
		const char *a, *b;
		int same;
	} rows[] =
		{
			{"http://a.test/p?k=9f86d081884c7d65", "http://a.test/p?k=60303ae22b998861",
				1},
			{"http://a.test/9f86d081/p", "http://a.test/60303ae22b998861/p", 1},
			{"http://a.test/p;x=Ab3dEf9hI", "http://a.test/p;x=zz9zz9zz9", 1},
			{"http://a.test/p?k=83927463", "http://a.test/p?k=1234567890", 1},
			{"http://a.test/p?k=6fa459ea-ee8a-3ca4-894e-db77e160355e",
				"http://a.test/p?k=16fd2706-8baf-433b-82eb-8c7fada847da", 1},
			{"http://a.test/9f86d081/p?n=1&k=9f86d081.60303ae2",
				"http://a.test/60303ae2/p?n=1&k=1b2c3d4e.5f6a7b8c", 1},
			{"http://a.test/p?9f86d081", "http://a.test/p?60303ae2", 1},
			{"http://a.test/p?k=9f86d081&n=1", "http://a.test/p?k=60303ae2&n=2", 0},
			{"http://a.test/p?k=9f86d081", "http://b.test/p?k=60303ae2", 0},
			{"http://9f86d081.test/p?k=9f86d081", "http://60303ae2.test/p?k=9f86d081",
				0},
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

/* Page n under session id s, from a site where a page has its content, or each URL has. */
static void come(struct forms *f, const char *pattern, int n, int s, int is_session)
{
	char drawn[32];

	snprintf(drawn, sizeof drawn, "a1b%04dc", s);
	struct url u = at(pattern, n, drawn);
	forms_came(f, &u, (uint32_t)(is_session ? n : 1000 * n + s));
	url_release(&u);
}

static void session_ids_of_any_name_are_learnt_from_pages_of_the_same_content(void **state)
{
	struct forms f, off;
	(void)state;

	forms_init(&f, 1);
	forms_init(&off, 0);
	for (int s = 0; s <= FORMS_LEARNT; s++) {
		assert_false(has(&f, "http://a.test/p1?k=b2c3d4e5"));
		come(&f, "http://a.test/p#?k=$", 1, s, 1);
		come(&off, "http://a.test/p#?k=$", 1, s, 1);
		come(&f, "http://b.test/p#?k=$", 1, s, 0);
	}
	assert_true(has(&f, "http://a.test/p1?k=b2c3d4e5"));
	assert_false(has(&f, "http://a.test/p2?k=b2c3d4e5")); /* not yet crawled */
	assert_false(has(&f, "http://a.test/p1"));
	assert_false(has(&f, "http://b.test/p1?k=b2c3d4e5"));
	/* what stands elsewhere is not learnt by that */
	come(&f, "http://a.test/commit/$", 1, 1, 0);
	assert_false(has(&f, "http://a.test/commit/b2c3d4e5"));
	come(&f, "http://a.test/p#?q=$", 1, 1, 1);
	assert_false(has(&f, "http://a.test/p1?q=b2c3d4e5"));
	assert_false(has(&off, "http://a.test/p1?k=b2c3d4e5"));
	forms_release(&f);
	forms_release(&off);
}

static void a_page_with_another_content_counts_for_four(void **state)
{
	struct forms f;
	(void)state;

	forms_init(&f, 1);
	for (int s = 0; s < 500; s++)
		come(&f, "http://a.test/p#?k=$", s % 5 ? 1 : 2, s, s % 5);
	assert_int_equal(f.learnt, 0);
	forms_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_that_look_drawn_are_told_from_numbers_and_words),
		cmocka_unit_test(session_ids_of_any_name_are_learnt_from_pages_of_the_same_content),
		cmocka_unit_test(a_page_with_another_content_counts_for_four),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
