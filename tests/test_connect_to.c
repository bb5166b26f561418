#include "tests/test.h"

#include "fetch/connect_to.h"

static void the_first_rule_that_fits_says_where_to_connect(void **state)
{
	static const char *const rules[] = {
		"a.test:80:127.0.0.1:8080", "[::2]::[::1]:81", "b.test:::90", ":443:c.test:", NULL};
	static const struct {
		const char *url, *host;
		unsigned port;
		int found;
	} cases[] = {
		{"http://a.test/", "127.0.0.1", 8080, 1},
		{"http://A.test/x", "127.0.0.1", 8080, 1},
		{"http://a.test:81/", "a.test", 81, 0},
		{"http://[::2]:7/", "::1", 81, 1},
		{"http://[::3]:7/", "::3", 7, 0},
		{"https://b.test/", "b.test", 90, 1},
		{"https://x.test/", "c.test", 443, 1},
		{"http://u:p@x.test/", "x.test", 80, 0},
	};
	struct url u = URL_EMPTY;
	struct connect_target to;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *url = cases[i].url;
		assert_int_equal(url_parse(&u, url, strlen(url), NULL), URL_OK);
		assert_int_equal(connect_to_find(rules, &u, &to), cases[i].found);
		assert_int_equal(to.n, strlen(cases[i].host));
		assert_memory_equal(to.host, cases[i].host, to.n);
		assert_int_equal(to.port, cases[i].port);
		assert_int_equal(connect_to_find(NULL, &u, &to), 0);
	}
	url_release(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_rule_that_fits_says_where_to_connect),
	};

	return cmocka_run_group_tests_name("connect-to", tests, NULL, NULL);
}
