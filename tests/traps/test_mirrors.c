#include "tests/parser/numbered_url.h"

#include "traps/mirrors.h"

/* Page n of `copy` says what page n of `original` does, which has the id n. */
static int copy(struct mirrors *m, const char *copied, const char *original, int n)
{
	struct url a = numbered_url(copied, n), b = numbered_url(original, n);
	uint64_t key;
	const int is_mirror = mirrors_add(m, &a, &b, (uint32_t)n, &key);

	url_release(&a);
	url_release(&b);
	return is_mirror;
}

/* The original of a URL, "-" where there is none; all pages like it are those of `like`. */
static void expect(const struct mirrors *m, const char *url, const char *like, const char *original)
{
	struct url u = numbered_url(url, 0), page = URL_EMPTY;
	struct mirrors_original o[MIRRORS_FOLDERS];
	char text[256] = "-";
	const size_t n = mirrors_find(m, &u, o);

	if (n) {
		page = numbered_url(like, (int)o[n - 1].like);
		snprintf(text, sizeof text, "%.*s%s", (int)o[n - 1].length, page.text.at, u.text.at + o[n - 1].tail);
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
		{"http://b.test/p#", "http://a.test/p#", "http://b.test/x?y=/z", "http://a.test/x?y=/z"},
		{"http://b.test/p#", "http://a.test/p#", "http://b.test/", "http://a.test/"},
		{"http://b.test/p#/", "http://a.test/p#/", "http://b.test/x/", "http://a.test/x/"},
		{"http://b.test/p#", "http://a.test/p#", "http://b.test/folder/x", "-"},
		{"http://a.test/old/p#", "http://a.test/p#", "http://a.test/old/x", "http://a.test/x"},
		{"https://a.test/p#", "http://a.test/p#", "https://a.test/x", "http://a.test/x"},
		{"http://a.test/x/x/x/p#", "http://a.test/x/p#", "http://a.test/x/x/x/y", "http://a.test/x/y"},
		{"http://b.test/doc/a/p#", "http://a.test/man/a/p#", "http://b.test/doc/a/q/r", "http://a.test/man/a/q/r"},
		/* a manual that two hosts share */
		{"http://b.test/man/p#", "http://a.test/man/p#", "http://b.test/man/q/r", "http://a.test/man/q/r"},
		{"http://b.test/man/p#", "http://a.test/man/p#", "http://b.test/about", "-"},
		{"http://b.test/man/p#", "http://a.test/man/p#", "http://a.test/man/p1", "-"},
		/* the ends differ */
		{"http://b.test/p#", "http://a.test/q#", "http://b.test/x", "-"},
		{"http://a.test/?s=/p#", "http://a.test/?t=/p#", "http://a.test/?s=/x", "-"},
		/* paths that end as another's query does */
		{"http://a.test/long/folder/p#", "http://a.test/?of=/p#", "http://a.test/long/folder/x", "-"},
		{"http://a.test/man/p#?v", "http://a.test/?of=/p#?v", "http://a.test/man/x?v", "-"},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct mirrors m;
		mirrors_init(&m);
		for (int n = 0; n < MIRRORS_SETTLED; n++) {
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

	mirrors_init(&m);
	for (int n = 0; n < 30; n++) {
		copy(&m, "http://b.test/p#", "http://a.test/p#", n);
		copy(&m, "http://a.test/q#", "http://b.test/q#", n);
	}
	expect(&m, "http://b.test/x", "http://a.test/p#", "http://a.test/x");
	expect(&m, "http://a.test/x", "http://b.test/q#", "-");
	mirrors_release(&m);
}

static void a_place_is_the_mirror_of_the_place_that_most_of_its_pages_are_from(void **state)
{
	struct mirrors m;
	(void)state;

	mirrors_init(&m);
	assert_true(copy(&m, "http://b.test/p#", "http://c.test/p#", 1));
	for (int n = 0; n < 20; n++)
		copy(&m, "http://b.test/p#", "http://a.test/p#", n);
	assert_false(copy(&m, "http://b.test/p#", "http://c.test/p#", 1));
	expect(&m, "http://b.test/x", "http://a.test/p#", "http://a.test/x");
	mirrors_release(&m);
}

static void a_mirror_stands_on_another_host_or_in_a_folder_beside(void **state)
{
	static const struct {
		const char *copy, *original;
		int may_be;
	} rows[] = {
		{"http://b.test/x/y", "http://a.test/x/y", 1},
		{"http://b.test/x/y", "http://a.test/x/z", 0},
		{"http://a.test/de/x", "http://a.test/fr/x", 1},
		{"http://a.test/doc/de/x/y", "http://a.test/doc/fr/x/y", 1},
		{"http://a.test/2025/x", "http://a.test/2026/x", 0},
		{"http://a.test/1.0/x", "http://a.test/1.1/x", 1},
		{"http://a.test/old/x", "http://a.test/x", 0},
		{"http://a.test/x/x/y", "http://a.test/x/y", 0},
		{"http://a.test/b/c/y", "http://a.test/d/y", 0},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct url a = numbered_url(rows[i].copy, 0), b = numbered_url(rows[i].original, 0);
		if (mirrors_may_be(&a, &b) != rows[i].may_be)
			fail_msg("%s", rows[i].copy);
		url_release(&a);
		url_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_under_the_same_names_make_a_mirror),
		cmocka_unit_test(an_original_is_no_mirror_of_its_mirror),
		cmocka_unit_test(a_place_is_the_mirror_of_the_place_that_most_of_its_pages_are_from),
		cmocka_unit_test(a_mirror_stands_on_another_host_or_in_a_folder_beside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
