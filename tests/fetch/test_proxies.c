#include "fetch/proxies.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
	"no_proxy", "NO_PROXY"};

/* The proxy of a URL where `given` and the environment ("name=value", a blank or nothing between)
 * are so; "-" for none. */
static const char *proxy(const char *given, const char *name, const char *value, const char *except, const char *url)
{
	static char out[64];
	struct url u = URL_EMPTY;

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		unsetenv(variables[i]);
	if (name)
		setenv(name, value, 1);
	if (except)
		setenv("no_proxy", except, 1);
	assert_int_equal(url_parse(&u, url, strlen(url), NULL), URL_OK);
	struct proxies *p = proxies_new(given);
	const char *found = proxies_for(p, &u);
	snprintf(out, sizeof out, "%s", found ? found : "-");
	proxies_free(p);
	url_release(&u);
	return out;
}

static void the_environment_says_a_proxy_by_scheme(void **state)
{
	(void)state;
	assert_string_equal(proxy(NULL, NULL, NULL, NULL, "http://a.test/"), "-");
	assert_string_equal(proxy(NULL, "http_proxy", "p:1", NULL, "http://a.test/"), "p:1");
	assert_string_equal(proxy(NULL, "http_proxy", "p:1", NULL, "https://a.test/"), "-");
	assert_string_equal(proxy(NULL, "http_proxy", "", NULL, "http://a.test/"), "-");
	/* what a web server makes of the header "Proxy" */
	assert_string_equal(proxy(NULL, "HTTP_PROXY", "p:1", NULL, "http://a.test/"), "-");
	assert_string_equal(proxy(NULL, "HTTPS_PROXY", "p:1", NULL, "https://a.test/"), "p:1");
	assert_string_equal(proxy(NULL, "https_proxy", "p:1", NULL, "http://a.test/"), "-");
	assert_string_equal(proxy(NULL, "all_proxy", "p:1", NULL, "http://a.test/"), "p:1");
	assert_string_equal(proxy(NULL, "ALL_PROXY", "p:1", NULL, "https://a.test/"), "p:1");
}

static void what_is_given_goes_before_the_environment(void **state)
{
	(void)state;
	assert_string_equal(proxy("q:2", "http_proxy", "p:1", NULL, "http://a.test/"), "q:2");
	assert_string_equal(proxy("q:2", NULL, NULL, NULL, "https://a.test/"), "q:2");
	assert_string_equal(proxy("", "http_proxy", "p:1", NULL, "http://a.test/"), "-");
	assert_string_equal(proxy("q:2", NULL, NULL, "a.test", "https://a.test/"), "-");
}

static void some_hosts_are_asked_without_one(void **state)
{
	static const struct {
		const char *except, *url;
		int is_direct;
	} rows[] = {
		{"localhost,127.0.0.1", "http://localhost:8080/", 1},
		{"localhost,127.0.0.1", "http://127.0.0.1/", 1},
		{"localhost,127.0.0.1", "http://127.0.0.2/", 0},
		{"localhost, 127.0.0.1", "http://0x7f.1/", 1},
		{"a.test b.test", "http://b.test/", 1},
		{"a.test", "http://www.a.test/", 1},
		{".a.test", "http://a.test/", 1},
		{"A.TEST.", "http://a.test/", 1},
		{"a.test", "http://ba.test/", 0},
		{"*", "http://a.test/", 1},
		{"*", "http://[::1]/", 1},
		{"10.0.0.0/8", "http://10.9.8.7/", 1},
		{"10.0.0.0/8", "http://11.9.8.7/", 0},
		{"10.0.0.0/33", "http://10.0.0.0/", 0},
		{"10.0.0.0/x", "http://10.0.0.0/", 0},
		{"fd00::/7", "http://[fc00::1]/", 1},
		{"fd00::/8", "http://[fc00::1]/", 0},
		{"[::1]", "http://[::1]/", 1},
		{"0.0.0.0/0", "http://8.8.8.8/", 1},
		{"0.0.0.0/0", "http://a.test/", 0},
		{",, ,", "http://a.test/", 0},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(proxy(NULL, "http_proxy", "p:1", rows[i].except, rows[i].url), rows[i].is_direct ? "-" : "p:1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_environment_says_a_proxy_by_scheme),
		cmocka_unit_test(what_is_given_goes_before_the_environment),
		cmocka_unit_test(some_hosts_are_asked_without_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
