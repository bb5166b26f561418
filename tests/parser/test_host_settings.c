#include "tests/test.h"

#include "base/mem.h"
#include "parser/host_settings.h"
#include "parser/match.h"

static const char file[] = "\xef\xbb\xbf# ours\n"
			   "[host A.test:8080]\r\n"
			   "delay = 0\n"
			   "auth = basic me:se cret\n"
			   "[ domain  b.test ]\n"
			   "delay = 1m30s\n"
			   "user-agent = bot/2 (b)\n"
			   "max-per-host = 1k\n"
			   "[glob *.test]\n"
			   "parallel-per-host = 3\n"
			   "delay-factor = .5\n"
			   "reject-regex = /x=[0-9]+\n"
			   "[host www.b.test]\n"
			   "  delay=2\n"
			   "no-robots = yes\n"
			   "max-per-host = 0\n"
			   "[host [::1]:80]\n"
			   "auth = bearer tok\n"
			   "[host c.test]\n"
			   "auth = bearer tls\n"
			   "no-robots = no\n";

static struct host_settings *read_file(const char *text)
{
	struct host_settings *h = host_settings_new();
	struct err_note why;

	if (host_settings_read(h, "f", text, &why))
		fail_msg("%s", why.text);
	return h;
}

static struct host_setting of(const struct host_settings *h, const char *host)
{
	struct host_setting s;

	host_settings_for(h, host, strlen(host), &s);
	return s;
}

static void sections_count_in_their_order(void **state)
{
	struct host_settings *h = read_file(file);

	(void)state;
	struct host_setting s = of(h, "a.test:8080");
	assert_int_equal(s.delay, 0);
	assert_int_equal(s.parallel, 0); /* the pattern does not end in a port */
	s = of(h, "b.test");
	assert_int_equal(s.delay, 90000);
	assert_int_equal(s.max_pages, 1000);
	assert_int_equal(s.parallel, 3);
	assert_true(s.delay_factor == .5);
	assert_int_equal(s.no_robots, -1);
	s = of(h, "www.b.test");
	assert_int_equal(s.delay, 2000); /* the later section decides ... */
	assert_int_equal(s.max_pages, 0);
	assert_string_equal(s.user_agent, "bot/2 (b)"); /* ... what it says */
	assert_int_equal(s.no_robots, 1);
	assert_true(match_regex(s.reject_regex, "http://www.b.test/?/x=12"));
	assert_null(s.accept_regex);
	s = of(h, "www.b.test:81");
	assert_int_equal(s.delay, 90000); /* a domain has no port */
	assert_int_equal(of(h, "xb.test").delay, -1);
	assert_int_equal(of(h, "c.test").no_robots, 0);
	s = of(h, "other.org");
	assert_true(s.delay == -1 && s.delay_factor == -1 && !s.parallel && !s.user_agent && !s.auth);
	assert_true(s.max_pages == HOST_SETTING_ANY_PAGES);
	assert_true(of(NULL, "a.test").delay == -1);
	assert_true(host_settings_has_budgets(h) && host_settings_has_scope(h));
	assert_false(host_settings_has_budgets(NULL) || host_settings_has_scope(NULL));
	host_settings_free(h);
}

static void a_password_goes_where_its_section_says(void **state)
{
	static const struct {
		const char *url, *auth;
	} row[] = {{"http://a.test:8080/", "Basic bWU6c2UgY3JldA=="}, {"https://a.test:8080/", "Basic bWU6c2UgY3JldA=="},
		{"http://a.test/", NULL}, {"https://a.test/", NULL}, {"http://[::1]/", "Bearer tok"},
		{"https://c.test/", "Bearer tls"}, {"http://c.test/", NULL}, {"https://x.c.test/", NULL}};
	struct host_settings *h = read_file(file);
	struct url u = URL_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct host_setting s;
		assert_int_equal(url_parse(&u, row[i].url, strlen(row[i].url), NULL), URL_OK);
		host_settings_for_url(h, &u, &s);
		const char *auth = host_setting_auth(&s, &u);
		assert_true(row[i].auth ? auth && strcmp(auth, row[i].auth) == 0 : !auth);
	}
	url_release(&u);
	host_settings_free(h);
}

/* What a store keeps is read back as it was, and each kind of setting is kept apart. */
static void the_text_of_each_kind_is_read_back(void **state)
{
	static const char *const hosts[] = {"a.test:8080", "b.test", "www.b.test", "[::1]", "c.test", "x.org"};
	struct host_settings *h = read_file(file), *again = host_settings_new();
	struct buf manners = BUF_EMPTY, scope = BUF_EMPTY;

	(void)state;
	host_settings_text(h, HOST_SETTINGS_MANNERS, &manners);
	host_settings_text(h, HOST_SETTINGS_SCOPE, &scope);
	assert_string_equal(scope.at, "[glob *.test]\nreject-regex = /x=[0-9]+\n");
	assert_null(strstr(manners.at, "regex"));
	assert_true(host_settings_has_secret(manners.at));
	assert_false(host_settings_has_secret(scope.at) || host_settings_has_secret(NULL));
	assert_int_equal(host_settings_read(again, "f", manners.at, NULL), 0);
	assert_int_equal(host_settings_read(again, "f", scope.at, NULL), 0);
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		const struct host_setting a = of(h, hosts[i]), b = of(again, hosts[i]);
		assert_true(a.delay == b.delay && a.parallel == b.parallel && a.max_pages == b.max_pages);
		assert_true(a.no_robots == b.no_robots && a.auth_over_http == b.auth_over_http);
		assert_true(!a.auth == !b.auth && (!a.auth || strcmp(a.auth, b.auth) == 0));
		assert_true(!a.reject_regex == !b.reject_regex);
	}
	buf_release(&manners);
	buf_release(&scope);
	host_settings_free(again);
	host_settings_free(h);
}

static void what_is_wrong_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text, *says;
	} row[] = {{"delay = 1", "f:1: a setting before the first section"}, {"\n[host a\n", "f:2: a section without"},
		{"[host]", "no section"}, {"[host a b]", "no section"}, {"[host a/b]", "no host"}, {"[host u@a]", "no host"},
		{"[host a:b]", "no host"}, {"[glob http://*]", "no host"}, {"[domain a.test:1]", "no port"},
		{"[host a]\nno-robots = 1", "yes or no"}, {"[host a]\ndelay", "neither a section"}, {"[host a]\ndelay = ", "f:2:"},
		{"[host a]\nmax-depth = 3", "nearest"}, {"[host a]\nuser-agent = a\001b", "control"},
		{"[host a]\nauth = digest a:b", "neither 'basic"}, {"[domain a]\nauth = basic a:b", "one host"},
		{"[host a]\naccept-regex = (", "regular"},
		{"[host a]\ndelay = 1\n\ndelay = 2", "f:4: the section has this setting twice"}};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct host_settings *h = host_settings_new();
		struct err_note why = {""};
		assert_int_equal(host_settings_read(h, "f", row[i].text, &why), ERR_USAGE);
		if (!strstr(why.text, row[i].says))
			fail_msg("'%s' does not say '%s'", why.text, row[i].says);
		host_settings_free(h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_count_in_their_order),
		cmocka_unit_test(a_password_goes_where_its_section_says),
		cmocka_unit_test(the_text_of_each_kind_is_read_back),
		cmocka_unit_test(what_is_wrong_is_told_with_its_line),
	};

	return cmocka_run_group_tests_name("host_settings", tests, NULL, NULL);
}
