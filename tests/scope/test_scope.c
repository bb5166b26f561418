#include "tests/test.h"

#include "base/buf.h"
#include "base/clock.h"
#include "scope/scope.h"

static struct scope *make(const struct scope_settings *set, const char *const *seeds)
{
	struct url u = URL_EMPTY;
	struct scope *s;
	struct err_note why;

	if (scope_new(&s, set, &why))
		fail_msg("%s", why.text);
	for (; seeds && *seeds; seeds++) {
		assert_int_equal(url_parse(&u, *seeds, strlen(*seeds), NULL), URL_OK);
		scope_add_seed(s, &u);
	}
	url_release(&u);
	return s;
}

static enum outcome judge(const struct scope *s, const char *url, uint32_t depth)
{
	struct url u = URL_EMPTY;

	assert_int_equal(url_parse(&u, url, strlen(url), NULL), URL_OK);
	const struct url_traits traits = url_traits(&u);
	enum outcome r = scope_judge_known(s, &traits, depth);
	url_release(&u);
	return r;
}

struct row {
	struct scope_settings set;
	const char *url;
	enum outcome want;
};

static void run(const struct row *rows, size_t n)
{
	static const char *const seeds[] = {"http://a.test/docs/index.html", "http://b.test:8080/x/y/z?q=/", NULL};

	for (size_t i = 0; i < n; i++) {
		struct scope_settings set = rows[i].set;
		if (!set.max_depth)
			set.max_depth = UINT32_MAX;
		struct scope *s = make(&set, seeds);
		enum outcome got = judge(s, rows[i].url, 1);
		if (got != rows[i].want)
			fail_msg("row %zu, '%s': %s", i, rows[i].url, outcome_word(got));
		scope_free(s);
	}
}

static void hosts_are_those_of_the_seeds_or_the_domains(void **state)
{
	static const struct scope_settings span = {.span_hosts = 1}, dom = {.domains = "Example.org, .b.test,,10.0.0.1"},
					   both = {.domains = "example.org", .span_hosts = 1}, none = {.domains = " ,"};
	const struct row rows[] = {
		{{0}, "http://a.test/", OUTCOME_NONE},
		{{0}, "http://A.TEST:80/x", OUTCOME_NONE},
		{{0}, "https://a.test/x", OUTCOME_NONE},
		{{0}, "http://user:secret@a.test/x", OUTCOME_NONE},
		{{0}, "http://a.test:81/x", OUTCOME_HOST},
		{{0}, "http://www.a.test/x", OUTCOME_HOST},
		{{0}, "http://b.test/x", OUTCOME_HOST},
		{{0}, "http://b.test:8080/x", OUTCOME_NONE},
		{{0}, "http://evil.test/?http://a.test/", OUTCOME_HOST},
		{{0}, "http://a.test@evil.test/", OUTCOME_HOST},
		{span, "http://elsewhere.test/x", OUTCOME_NONE},
		{dom, "http://example.org/", OUTCOME_NONE},
		{dom, "http://www.example.org:8080/", OUTCOME_NONE},
		{dom, "http://notexample.org/", OUTCOME_HOST},
		{dom, "http://example.org.test/", OUTCOME_HOST},
		{dom, "http://b.test/", OUTCOME_NONE},
		{dom, "http://sub.b.test/", OUTCOME_NONE},
		{dom, "http://a.test/docs/", OUTCOME_HOST},
		{dom, "http://10.0.0.1/", OUTCOME_NONE},
		{both, "http://example.org/", OUTCOME_NONE},
		{both, "http://a.test/", OUTCOME_HOST},
		{none, "http://a.test/", OUTCOME_NONE},
	};

	(void)state;
	run(rows, sizeof rows / sizeof *rows);
}

static void suffixes_and_globs_look_at_the_last_part_of_the_path(void **state)
{
	static const struct scope_settings html = {.accept = "html,htm"}, pdf = {.reject = ".pdf"},
					   globs = {.accept = "news*.html , page-[0-9][!a-f]?.php"},
					   two = {.accept = "html", .reject = "print*"}, hostile = {.reject = "*a*b*c*.x"},
					   bracket = {.reject = "a[b"};
	const struct row rows[] = {
		{html, "http://a.test/x.html", OUTCOME_NONE},
		{html, "http://a.test/x.html?a=b.pdf", OUTCOME_NONE},
		{html, "http://a.test/x.pdf", OUTCOME_SUFFIX},
		{html, "http://a.test/x.pdf?y.html", OUTCOME_SUFFIX},
		{html, "http://a.test/x.HTML", OUTCOME_SUFFIX},
		{html, "http://a.test/folder.d/", OUTCOME_NONE},
		{html, "http://a.test/", OUTCOME_NONE},
		{html, "http://a.test/x.d/plain", OUTCOME_NONE},
		{pdf, "http://a.test/x.pdf", OUTCOME_SUFFIX},
		{pdf, "http://a.test/x.pdf/y", OUTCOME_NONE},
		{pdf, "http://a.test/xpdf", OUTCOME_NONE},
		{globs, "http://a.test/news.html", OUTCOME_NONE},
		{globs, "http://a.test/news-2020.html", OUTCOME_NONE},
		{globs, "http://a.test/oldnews.html", OUTCOME_SUFFIX},
		{globs, "http://a.test/news.htm", OUTCOME_SUFFIX},
		{globs, "http://a.test/page-7z_.php", OUTCOME_NONE},
		{globs, "http://a.test/page-7a_.php", OUTCOME_SUFFIX},
		{globs, "http://a.test/page-xz_.php", OUTCOME_SUFFIX},
		{globs, "http://a.test/page-7z.php", OUTCOME_SUFFIX},
		{two, "http://a.test/print.html", OUTCOME_SUFFIX},
		{two, "http://a.test/print", OUTCOME_SUFFIX},
		{hostile, "http://a.test/xxaxxbxxcxx.x", OUTCOME_SUFFIX},
		{hostile, "http://a.test/xxbxxaxxcxx.x", OUTCOME_NONE},
		{bracket, "http://a.test/a[b", OUTCOME_SUFFIX},
		{bracket, "http://a.test/ab", OUTCOME_NONE},
	};

	(void)state;
	run(rows, sizeof rows / sizeof *rows);
}

static void regexes_look_at_the_whole_url(void **state)
{
	static const struct scope_settings some = {.accept_regex = "/docs/|\\?id=[0-9]+$"},
					   not = {.reject_regex = "^http://a\\.test/docs/(old|raw)/"},
					   both = {.accept_regex = "docs", .reject_regex = "sort="};
	const struct row rows[] = {
		{some, "http://a.test/docs/x", OUTCOME_NONE},
		{some, "http://a.test/x?id=12", OUTCOME_NONE},
		{some, "http://a.test/x?id=12x", OUTCOME_REGEX},
		{not, "http://a.test/docs/old/x", OUTCOME_REGEX},
		{not, "http://a.test/docs/new/x", OUTCOME_NONE},
		{both, "http://a.test/docs?sort=up", OUTCOME_REGEX},
		{both, "http://a.test/docs?x", OUTCOME_NONE},
	};
	struct scope *s;
	struct err_note why;

	(void)state;
	run(rows, sizeof rows / sizeof *rows);
	const struct scope_settings bad = {.reject_regex = "a(b"};
	assert_int_equal(scope_new(&s, &bad, &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "'a(b' is no extended regular expression: "));
}

static void no_parent_keeps_to_the_folders_of_the_seeds(void **state)
{
	static const struct scope_settings np = {.no_parent = 1, .span_hosts = 1};
	const struct row rows[] = {
		{np, "http://a.test/docs/", OUTCOME_NONE},
		{np, "http://a.test/docs/more/x", OUTCOME_NONE},
		{np, "http://a.test/docs", OUTCOME_PARENT},
		{np, "http://a.test/", OUTCOME_PARENT},
		{np, "http://a.test/docs2/x", OUTCOME_PARENT},
		{np, "http://a.test/x?/docs/", OUTCOME_PARENT},
		{np, "http://b.test:8080/x/y/", OUTCOME_NONE},
		{np, "http://b.test:8080/x/z", OUTCOME_PARENT},
		{np, "http://b.test/x/z", OUTCOME_NONE},
		{np, "http://free.test/", OUTCOME_NONE},
	};

	(void)state;
	run(rows, sizeof rows / sizeof *rows);
}

static void depth_and_length_have_bounds(void **state)
{
	static const char *const seeds[] = {"http://a.test/", NULL};
	const struct scope_settings set = {.max_depth = 2};
	struct scope *s = make(&set, seeds);
	char url[2100] = "http://a.test/";

	(void)state;
	assert_int_equal(judge(s, "http://a.test/x", 2), OUTCOME_NONE);
	assert_int_equal(judge(s, "http://a.test/x", 3), OUTCOME_DEPTH);
	memset(url + 14, 'x', 2000 - 14);
	assert_int_equal(judge(s, url, 1), OUTCOME_NONE);
	strcat(url, "x");
	assert_int_equal(judge(s, url, 1), OUTCOME_LENGTH);
	scope_free(s);
}

/* Many seeds in many folders, against looking through all of them. */
static void folders_of_many_seeds_agree_with_a_plain_search(void **state)
{
	const struct scope_settings set = {.no_parent = 1, .max_depth = UINT32_MAX};
	struct scope *s;
	struct err_note why;
	struct url u = URL_EMPTY;
	char text[128], path[64];
	unsigned refused = 0;

	(void)state;
	assert_int_equal(scope_new(&s, &set, &why), 0);
	for (unsigned i = 0; i < 1000; i += 13) {
		int n = snprintf(text, sizeof text, "http://a.test/%u/%u/%u", i % 10, i / 10 % 10, i / 100);
		assert_int_equal(url_parse(&u, text, (size_t)n, NULL), URL_OK);
		scope_add_seed(s, &u);
	}
	for (unsigned i = 0; i < 100; i++) {
		int belongs = 0;
		snprintf(path, sizeof path, "/%u/%u/", i % 10, i / 10);
		for (unsigned k = 0; k < 1000; k += 13)
			belongs |= k % 10 == i % 10 && k / 10 % 10 == i / 10;
		snprintf(text, sizeof text, "http://a.test%sx/y", path);
		assert_int_equal(judge(s, text, 1), belongs ? OUTCOME_NONE : OUTCOME_PARENT);
		refused += !belongs;
	}
	assert_in_range(refused, 1, 99);
	url_release(&u);
	scope_free(s);
}

static void hostile_names_cost_little(void **state)
{
	static const char *const seeds[] = {"http://a.test/", NULL};
	const struct scope_settings set = {.reject = "*a*a*a*a*a*a*a*a*a*a*a*b", .no_parent = 1, .max_depth = UINT32_MAX};
	struct scope *s = make(&set, seeds);
	char name[2000] = "http://a.test/", folders[2000] = "http://a.test/";
	const int64_t started = clock_cpu_ns();

	(void)state;
	memset(name + 14, 'a', sizeof name - 15);
	memset(folders + 14, '/', sizeof folders - 15);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(judge(s, name, 1), OUTCOME_NONE);
		assert_int_equal(judge(s, folders, 1), OUTCOME_NONE);
	}
	assert_true(clock_cpu_ns() - started < (int64_t)2000000000 * slowness());
	scope_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_are_those_of_the_seeds_or_the_domains),
		cmocka_unit_test(suffixes_and_globs_look_at_the_last_part_of_the_path),
		cmocka_unit_test(regexes_look_at_the_whole_url),
		cmocka_unit_test(no_parent_keeps_to_the_folders_of_the_seeds),
		cmocka_unit_test(depth_and_length_have_bounds),
		cmocka_unit_test(folders_of_many_seeds_agree_with_a_plain_search),
		cmocka_unit_test(hostile_names_cost_little),
	};

	return cmocka_run_group_tests_name("scope", tests, NULL, NULL);
}
