#include "tests/test.h"

#include "fetch/connect_to.h"

static void the_first_rule_that_fits_says_where_to_connect(void **state)
{
	static const char *const rules[] = {"a.test:80:127.0.0.1:8080", "[::2]::[::1]:81", "b.test:::90", ":443:c.test:", NULL};
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

/* Each row: one rule, a URL, and where it leads; NULL: the rule does not apply. */
static void a_rule_has_hosts_and_ports_that_may_be_left_out(void **state)
{
	static const struct {
		const char *rule, *url, *host;
		unsigned port;
	} rows[] = {
		{"a.test:80:b.test:81", "http://a.test/", "b.test", 81},
		{"a.test:80:b.test:81", "http://aa.test/", NULL, 0},
		{"a.test:80:b.test:81", "http://b.test/", NULL, 0},
		{"a.test:80:b.test:81", "http://a.tesu/", NULL, 0},
		{"a.test:80:[::1]:81", "http://a.test/", "::1", 81},
		{"a.test:80:[::1]", "http://a.test/", "::1", 80},
		{"a.test:80:b.test", "http://a.test/", "b.test", 80},
		{"a.test:80:", "http://a.test/", "a.test", 80},
		{"a.test:80::82", "http://a.test/", "a.test", 82},
		{"a.test:80", "http://a.test/", NULL, 0},
		{"a.test", "http://a.test/", NULL, 0},
		{"[::1", "http://[::1]/", NULL, 0},
		{"[::1]:80:b.test:1", "http://[::1]/", "b.test", 1},
		{"[::1]:80:b.test:1", "http://[::2]/", NULL, 0},
		{":80:x:1", "http://[::2]/", "x", 1},
		{":81:x:1", "http://[::2]/", NULL, 0},
		{"::[x:1", "http://a.test/", "[x:1", 80},
		{"::x]:1", "http://a.test/", "x]", 1},
	};
	struct url u = URL_EMPTY;
	struct connect_target to;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const rules[] = {rows[i].rule, NULL};
		assert_int_equal(url_parse(&u, rows[i].url, strlen(rows[i].url), NULL), URL_OK);
		const int found = connect_to_find(rules, &u, &to);
		if (found != (rows[i].host != NULL))
			fail_msg("%s with %s: %d", rows[i].url, rows[i].rule, found);
		if (found && (to.n != strlen(rows[i].host) || memcmp(to.host, rows[i].host, to.n) != 0 || to.port != rows[i].port))
			fail_msg("%s with %s: %.*s %u", rows[i].url, rows[i].rule, (int)to.n, to.host, to.port);
	}
	url_release(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_has_hosts_and_ports_that_may_be_left_out),
		cmocka_unit_test(the_first_rule_that_fits_says_where_to_connect),
	};

	return cmocka_run_group_tests_name("connect-to", tests, NULL, NULL);
}
