#include "tests/parser/urls.h"

static void urls_are_normalised(void **state)
{
	static const struct {
		const char *input, *want;
	} row[] = {
		{"http://h/a?b=c&d", "http://h/a?b=c&d"},
		{"http://h/a?", "http://h/a"},
		{"http://h?", "http://h/"},
		{"http://h/%61%2D%2e%5F%7e%2f", "http://h/a-._~%2F"},
		{"http://h/%c3%a9?%c3%A9=%7E%26", "http://h/%C3%A9?%C3%A9=~%26"},
		{"http://h/100%?100%", "http://h/100%25?100%25"},
		{"http://h/%%32e/%4", "http://h/%252e/%254"},
		{"http://h/a|b[c]?a|b[c]\\^`{}", "http://h/a%7Cb%5Bc%5D?a%7Cb%5Bc%5D%5C%5E%60%7B%7D"},
		{"http://u%61:%7e@h/%61", "http://u%61:%7e@h/a"},
		{"http://h//a//b/?b&a&", "http://h//a//b/?b&a&"},
	};
	struct url u = URL_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		assert_int_equal(url_parse(&u, row[i].input, strlen(row[i].input), NULL), URL_OK);
		url_normalise(&u);
		assert_string_equal(u.text.at, row[i].want);
		assert_parts_fit(&u);
	}
	/* too long when escaped: left as it is */
	struct buf text = BUF_EMPTY;
	buf_text(&text, "http://h/%61?");
	while (text.used < URL_MAX)
		buf_byte(&text, '|');
	assert_int_equal(url_parse(&u, text.at, text.used, NULL), URL_OK);
	url_normalise(&u);
	assert_string_equal(u.text.at, text.at);
	assert_parts_fit(&u);
	buf_release(&text);
	url_release(&u);
}

static void normalising_once_is_enough(void **state)
{
	struct url u = URL_EMPTY, again = URL_EMPTY;
	struct buf text = BUF_EMPTY;
	struct rng r = {7};
	int good = 0;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		scraps(&text, &r);
		if (url_parse(&u, text.at, text.used, NULL) != URL_OK)
			continue;
		good++;
		url_normalise(&u);
		assert_parts_fit(&u);
		assert_int_equal(url_parse(&again, u.text.at, u.text.used, NULL), URL_OK);
		assert_string_equal(again.text.at, u.text.at);
		url_normalise(&again);
		assert_string_equal(again.text.at, u.text.at);
		assert_int_equal(again.query, u.query);
	}
	assert_true(good > 5000);
	url_release(&u);
	url_release(&again);
	buf_release(&text);
}

static void user_and_password_are_dropped(void **state)
{
	static const struct {
		const char *from, *to;
	} table[] = {{"http://u:p@a.test:81/x?y@z", "http://a.test:81/x?y@z"}, {"https://u@a.test/", "https://a.test/"},
		{"http://:p@[::1]/@", "http://[::1]/@"}, {"https://a.test:8443/u:p@", "https://a.test:8443/u:p@"}};
	struct url u = URL_EMPTY, want = URL_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		assert_int_equal(url_parse(&u, table[i].from, strlen(table[i].from), NULL), URL_OK);
		assert_int_equal(url_parse(&want, table[i].to, strlen(table[i].to), NULL), URL_OK);
		assert_int_equal(url_drop_user(&u), strcmp(table[i].from, table[i].to) != 0);
		assert_string_equal(u.text.at, table[i].to);
		assert_int_equal(u.text.used, want.text.used);
		assert_true(u.host == want.host && u.host_end == want.host_end && u.port == want.port && u.path == want.path &&
			u.query == want.query && u.https == want.https);
		assert_int_equal(url_drop_user(&u), 0);
	}
	url_release(&u);
	url_release(&want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(urls_are_normalised),
		cmocka_unit_test(normalising_once_is_enough),
		cmocka_unit_test(user_and_password_are_dropped),
	};

	return cmocka_run_group_tests_name("url_normalise", tests, NULL, NULL);
}
