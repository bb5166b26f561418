#include "tests/numbered_url.h"

#include "traps/mirrors.h"

/* Page n of `copy` says what page n of `original` does, which has the id n. */
static void copy(struct mirrors *m, const char *copied, const char *original, int n)
{
	struct url a = numbered_url(copied, n), b = numbered_url(original, n);

	mirrors_copy(m, &a, &b, (uint32_t)n);
	url_release(&a);
	url_release(&b);
}

/* The original of a URL, "-" where there is none; all pages like it are those of `like`. */
static void expect(const struct mirrors *m, const char *url, const char *like, const char *original)
{
	struct url u = numbered_url(url, 0), page = URL_EMPTY;
	struct mirrors_original o;
	char text[256] = "-";

	if (mirrors_find(m, &u, &o)) {
		page = numbered_url(like, (int)o.like);
		snprintf(text, sizeof text, "%.*s%s", (int)o.length, page.text.at,
			u.text.at + o.tail);
	}
	assert_string_equal(text, original);
	url_release(&u);
	url_release(&page);
}

static void copies_under_the_same_names_make_a_mirror(void **state)
{
	static const struct {
		const char *copy, *original, *url, *there;
	} rows[] = {
		{"http://b.test/p#", "http://a.test/p#", "http://b.test/x?y=/z",
			"http://a.test/x?y=/z"},
		{"http://b.test/p#", "http://a.test/p#", "http://b.test/", "http://a.test/"},
		{"http://b.test/p#/", "http://a.test/p#/", "http://b.test/x/", "http://a.test/x/"},
		{"http://b.test/p#", "http://a.test/p#", "http://b.test/folder/x", "-"},
		{"http://a.test/old/p#", "http://a.test/p#", "http://a.test/old/x",
			"http://a.test/x"},
		{"https://a.test/p#", "http://a.test/p#", "https://a.test/x", "http://a.test/x"},
		{"http://a.test/x/x/x/p#", "http://a.test/x/p#", "http://a.test/x/x/x/y",
			"http://a.test/x/y"},
		{"http://b.test/doc/a/p#", "http://a.test/man/a/p#", "http://b.test/doc/a/q/r",
			"http://a.test/man/a/q/r"},
		/* a manual that two hosts share */
		{"http://b.test/man/p#", "http://a.test/man/p#", "http://b.test/man/q/r",
			"http://a.test/man/q/r"},
		{"http://b.test/man/p#", "http://a.test/man/p#", "http://b.test/about", "-"},
		{"http://b.test/man/p#", "http://a.test/man/p#", "http://a.test/man/p1", "-"},
		/* the ends differ */
		{"http://b.test/p#", "http://a.test/q#", "http://b.test/x", "-"},
		{"http://a.test/?s=/p#", "http://a.test/?t=/p#", "http://a.test/?s=/x", "-"},
		/* paths that end as another's query does */
		{"http://a.test/long/folder/p#", "http://a.test/?of=/p#",
			"http://a.test/long/folder/x", "-"},
		{"http://a.test/man/p#?v", "http://a.test/?of=/p#?v", "http://a.test/man/x?v", "-"},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct mirrors m;
		mirrors_init(&m, 10);
		for (int n = 0; n < 10; n++) {
			expect(&m, rows[i].url, rows[i].original, "-");
			copy(&m, rows[i].copy, rows[i].original, n);
		}
		expect(&m, rows[i].url, rows[i].original, rows[i].there);
		mirrors_release(&m);
	}
}

static void an_original_is_no_mirror_of_its_mirror(void **state)
{
	struct mirrors m;
	(void)state;

	mirrors_init(&m, 10);
	for (int n = 0; n < 30; n++) {
		copy(&m, "http://b.test/p#", "http://a.test/p#", n);
		copy(&m, "http://a.test/q#", "http://b.test/q#", n);
	}
	assert_int_equal(m.found, 1);
	expect(&m, "http://b.test/x", "http://a.test/p#", "http://a.test/x");
	expect(&m, "http://a.test/x", "http://b.test/q#", "-");
	mirrors_release(&m);
}

static void pages_that_differ_count_for_four_the_other_way(void **state)
{
	struct mirrors m;
	struct url u = numbered_url("http://b.test/about", 0);
	struct mirrors_original o;
	(void)state;

	mirrors_init(&m, 10);
	for (int round = 0; round < 10; round++) {
		for (int n = 0; n < 4; n++)
			copy(&m, "http://b.test/p#", "http://a.test/p#", n);
		assert_true(mirrors_suspect(&m, &u, &o));
		mirrors_differ(&m, &u);
		assert_false(mirrors_suspect(&m, &u, &o));
	}
	/* and so do copies of what is elsewhere */
	for (int n = 0; n < 100; n++)
		copy(&m, "http://b.test/p#", n % 5 ? "http://a.test/p#" : "http://c.test/p#", n);
	assert_int_equal(m.found, 0);
	mirrors_release(&m);
	mirrors_init(&m, 0);
	copy(&m, "http://b.test/p#", "http://a.test/p#", 1);
	assert_int_equal(m.places.used, 0);
	mirrors_release(&m);
	url_release(&u);
}

static void a_place_whose_samples_differ_is_a_mirror_no_longer(void **state)
{
	struct mirrors m;
	struct mirrors_original o;
	unsigned samples = 0;
	(void)state;

	mirrors_init(&m, 10);
	for (int n = 0; n < 10; n++)
		copy(&m, "http://b.test/p#", "http://a.test/p#", n);
	for (int n = 0; n < 320; n++) {
		struct url u = numbered_url("http://b.test/q#", n);
		samples += !mirrors_find(&m, &u, &o);
		assert_true(mirrors_suspect(&m, &u, &o));
		url_release(&u);
	}
	assert_in_range(samples, 3, 25);
	struct url u = numbered_url("http://b.test/q#", 0);
	mirrors_differ(&m, &u);
	assert_int_equal(m.found, 0);
	for (int n = 0; n < 4; n++)
		copy(&m, "http://b.test/p#", "http://a.test/p#", n);
	assert_int_equal(m.found, 1);
	url_release(&u);
	mirrors_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_under_the_same_names_make_a_mirror),
		cmocka_unit_test(an_original_is_no_mirror_of_its_mirror),
		cmocka_unit_test(a_place_whose_samples_differ_is_a_mirror_no_longer),
		cmocka_unit_test(pages_that_differ_count_for_four_the_other_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
