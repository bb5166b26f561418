#include "tests/parser/urls.h"

#include "parser/url_rules.h"

static void urls_that_mean_one_page_become_one(void **state)
{
	static const struct {
		const char *rules, *input, *want;
	} row[] = {
		{"", "http://h//index.html?utm_source=a", "http://h//index.html?utm_source=a"},
		{"escapes", "http://h/%7ea?", "http://h/~a"},
		{"tracking", "http://h/a?utm_source=x&b=1&UTM_x&fbclid=2", "http://h/a?b=1"},
		{"tracking", "http://h/a?utm_source=x", "http://h/a"},
		{"tracking", "http://h/a?utm=x&b&&c", "http://h/a?utm=x&b&&c"},
		{"escapes,tracking", "http://h/?%75tm_a=1", "http://h/"},
		{"sessions", "http://h/a;jsessionid=12AB?PHPSESSID=1&x=2", "http://h/a?x=2"},
		{"sessions", "http://h/a;v=1;sid=9;w=2/b;JSESSIONID=3", "http://h/a;v=1;w=2/b"},
		{"sessions", "http://h/.;jsessionid=1/..;sid=2", "http://h/.;jsessionid=1/..;sid=2"},
		{"sessions", "http://h/..;sid=2;x", "http://h/..;x"},
		{"sessions", "http://h/;sid=2", "http://h/"},
		{"sessions", "http://h/?sid=3&s=word", "http://h/?sid=3&s=word"},
		{"sessions", "http://h/?sid=0123456789abcdef0123456789abcdef", "http://h/"},
		{"query", "http://h/?b=2&a=1&a=0", "http://h/?a=1&a=0&b=2"},
		{"query", "http://h/?b=&a=1&&=3&", "http://h/?a=1&b"},
		{"query", "http://h/?ab=1&a=2&a.=3", "http://h/?a=2&a.=3&ab=1"},
		{"query", "http://h/?&&", "http://h/"},
		{"slashes", "http://h//a///b/?x//y", "http://h/a/b/?x//y"},
		{"slashes", "http://h////", "http://h/"},
		{"index", "http://h/a/index.html", "http://h/a/"},
		{"index", "http://h/index.php?id=3", "http://h/index.php?id=3"},
		{"index", "http://h/xindex.html", "http://h/xindex.html"},
		{"index", "http://h/index.html/", "http://h/index.html/"},
		{"all", "http://u:p@h:81//a//index.html;jsessionid=1?utm_id=2&=", "http://u:p@h:81/a/"},
		{"index,tracking", "http://h/index.html?gclid=1", "http://h/"},
	};
	struct url u = URL_EMPTY;
	struct err_note why;
	unsigned rules;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		assert_int_equal(url_rules_read(&rules, row[i].rules, &why), 0);
		assert_int_equal(url_parse(&u, row[i].input, strlen(row[i].input), NULL), URL_OK);
		url_rules_apply(rules, &u);
		assert_string_equal(u.text.at, row[i].want);
		assert_parts_fit(&u);
	}
	url_release(&u);
}

static void unknown_rules_are_told(void **state)
{
	struct err_note why;
	unsigned rules;

	(void)state;
	assert_int_equal(url_rules_read(&rules, "query,,index", &why), 0);
	assert_int_equal(rules, 1u << URL_RULE_QUERY | 1u << URL_RULE_INDEX);
	assert_int_equal(url_rules_read(&rules, "query,indexes", &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "'indexes'"));
}

/* Scraps of what the rules look for. */
static void rule_scraps(struct buf *text, struct rng *r)
{
	static const char *const piece[] = {"/", "//", "index.html", "?", "&", "=", "utm_a", "gclid=1", ";", ";sid=", "sid",
		"jsessionid=", "a", "b", ".", "..", "%2e", "%75", "default.asp", "0123456789abcdef0123456789", "%3b", "phpsessid=2",
		"#", "%"};

	buf_clear(text);
	buf_text(text, "http://h/");
	for (uint64_t n = rng_below(r, 14); n; n--)
		buf_text(text, piece[rng_below(r, sizeof piece / sizeof *piece)]);
}

static void any_rules_are_idempotent_and_leave_a_canonical_url(void **state)
{
	struct url u = URL_EMPTY, again = URL_EMPTY;
	struct buf text = BUF_EMPTY;
	struct rng r = {11};
	int changed = 0;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		const unsigned rules = (unsigned)rng_below(&r, 1u << URL_RULES);
		if (i % 4)
			rule_scraps(&text, &r);
		else
			scraps(&text, &r);
		if (url_parse(&u, text.at, text.used, NULL) != URL_OK)
			continue;
		assert_int_equal(url_parse(&again, u.text.at, u.text.used, NULL), URL_OK);
		url_rules_apply(rules, &u);
		changed += strcmp(u.text.at, again.text.at) != 0;
		assert_parts_fit(&u);
		assert_int_equal(url_parse(&again, u.text.at, u.text.used, NULL), URL_OK);
		assert_string_equal(again.text.at, u.text.at);
		url_rules_apply(rules, &again);
		if (strcmp(again.text.at, u.text.at) != 0)
			fail_msg("rules %x: '%s' becomes '%s', then '%s'", rules, text.at, u.text.at, again.text.at);
	}
	assert_true(changed > 10000);
	url_release(&u);
	url_release(&again);
	buf_release(&text);
}

static void the_longest_query_fits(void **state)
{
	struct url u = URL_EMPTY;
	struct buf text = BUF_EMPTY;

	(void)state;
	buf_text(&text, "http://h/?");
	while (text.used + 2 <= URL_MAX)
		buf_text(&text, "a&");
	assert_int_equal(url_parse(&u, text.at, text.used, NULL), URL_OK);
	url_rules_apply((1u << URL_RULES) - 1, &u);
	assert_true(u.text.used == text.used - 1);
	buf_clear(&text);
	buf_text(&text, "http://h/?");
	while (text.used < URL_MAX)
		buf_byte(&text, '&');
	assert_int_equal(url_parse(&u, text.at, text.used, NULL), URL_OK);
	url_rules_apply((1u << URL_RULES) - 1, &u);
	assert_string_equal(u.text.at, "http://h/");
	url_release(&u);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(urls_that_mean_one_page_become_one),
		cmocka_unit_test(unknown_rules_are_told),
		cmocka_unit_test(any_rules_are_idempotent_and_leave_a_canonical_url),
		cmocka_unit_test(the_longest_query_fits),
	};

	return cmocka_run_group_tests_name("url_rules", tests, NULL, NULL);
}
