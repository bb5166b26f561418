#include "tests/test.h"

#include "fetch/credentials.h"

#define NOW 1700000000

static const char *write_file(const char *name, const char *text)
{
	static char path[2][128];
	char *p = path[*name == 'c'];

	snprintf(p, sizeof path[0], "%s/%s", scratch(), name);
	FILE *f = fopen(p, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return p;
}

static void secrets_go_where_they_belong(void **state)
{
	static const char auth[] = "# mine\n\n"
				   "https://a.test basic me:se cret\n"
				   "http://A.test:8080/ bearer tok-en.1\n"
				   "https://b.test\tBasic\tx:\n"
				   "https://b.test bearer later\n"
				   "  \t \n \t# a comment behind blanks\n"
				   "\t https://c.test \t bearer \t token\n";
	static const char cookies[] = "# Netscape HTTP Cookie File\n"
				      "a.test\tFALSE\t/\tFALSE\t0\tone\t1\n"
				      ".a.test\tTRUE\t/in\tTRUE\t0\ttwo\ta b\n"
				      "#HttpOnly_a.test\tFALSE\t/dir/\tFALSE\t1699999999\told\tx\n"
				      "#HttpOnly_a.test\tFALSE\t/dir/\tFALSE\t1700000001\tthree\t\n"
				      " \t\n"
				      "a.test\tFALSE\t/ends\tfalse\t1700000000\tnow\tx\n"
				      "a.test\tfalse\t/ends\tFALSE\t1700000001\tsoon\t~!\n"
				      "c.test\ttrue\t/\ttrue\t0\tall\t\xc3\xa4\n"
				      "0.0.1\tTRUE\t/\tFALSE\t0\tfour\tx\n";
	static const struct {
		const char *url, *authorization, *cookie;
	} row[] = {
		{"https://a.test/", "Basic bWU6c2UgY3JldA==", "one=1"},
		{"https://a.test:443/in/x?y", "Basic bWU6c2UgY3JldA==", "one=1; two=a b"},
		{"https://a.test/in", "Basic bWU6c2UgY3JldA==", "one=1; two=a b"},
		{"https://a.test/inn", "Basic bWU6c2UgY3JldA==", "one=1"},
		{"http://a.test/in", "", "one=1"},
		{"http://a.test:8080/dir/x", "Bearer tok-en.1", "one=1; three="},
		{"http://a.test:8081/dir", "", "one=1"},
		{"https://b.test/", "Bearer later", ""},
		{"https://u:p@b.test/", "Bearer later", ""},
		{"https://x.a.test/in/", "", "two=a b"},
		{"https://xa.test/in/", "", ""},
		{"https://a.test.evil.test/in/", "", ""},
		{"https://test/", "", ""},
		{"http://127.0.0.1/", "", ""},
		{"http://0.0.0.1/", "", ""},
		{"https://c.test/", "Bearer token", "all=\xc3\xa4"},
		{"https://w.c.test:8443/", "", "all=\xc3\xa4"},
		{"http://c.test/", "", ""},
		{"http://cc.test/", "", ""},
		{"http://a.test/ends", "", "one=1; soon=~!"},
		{"http://a.test/ends/", "", "one=1; soon=~!"},
		{"http://a.test/ends?x", "", "one=1; soon=~!"},
		{"http://a.test/end", "", "one=1"},
		{"http://a.test/dir", "", "one=1"},
		{"http://a.test/dir/", "", "one=1; three="},
	};
	struct credentials *c;
	struct url u = URL_EMPTY;
	struct buf a = BUF_EMPTY, k = BUF_EMPTY;
	struct err_note why;

	(void)state;
	assert_int_equal(credentials_read(&c, write_file("auth", auth), write_file("cookies", cookies), &why), 0);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		assert_int_equal(url_parse(&u, row[i].url, strlen(row[i].url), NULL), URL_OK);
		credentials_for(c, &u, NOW, &a, &k);
		assert_string_equal(a.at, row[i].authorization);
		assert_string_equal(k.at ? k.at : "", row[i].cookie);
	}
	credentials_free(c);
	credentials_for(NULL, &u, NOW, &a, &k);
	assert_int_equal(a.used + k.used, 0);
	url_release(&u);
	buf_release(&a);
	buf_release(&k);
}

static void what_is_wrong_is_told_without_the_secret(void **state)
{
	static const struct {
		const char *name, *text;
		int line;
	} row[] = {
		{"auth", "https://a.test basic SECRET\n", 1},
		{"auth", "\nhttps://a.test SECRET\n", 2},
		{"auth", "a.test basic me:SECRET\n", 1},
		{"auth", "https://a.test/SECRET basic me:x\n", 1},
		{"auth", "https://u:SECRET@a.test basic me:x\n", 1},
		{"auth", "https://a.test bearer SECRET\x01\n", 1},
		{"auth", "https://a.test bearer SEC RET\n", 1},
		{"auth", "ftp://a.test basic me:SECRET\n", 1},
		{"cookies", "a.test\tFALSE\t/\tFALSE\t0\tSECRET\n", 1},
		{"cookies", "a.test\tFALSE\t/\tFALSE\t0\tn\tSECRET\tx\n", 1},
		{"cookies", "a.test\tFALSE\t/\tFALSE\tsoon\tn\tSECRET\n", 1},
		{"cookies", "a.test\tFALSE\t/\tFALSE\t0\tn\tSECRET\x02\n", 1},
		{"cookies", "a.test\tFALSE\t/\tFALSE\t0\ta=b\tSECRET\n", 1},
		{"cookies", "a.test\tFALSE\t/\tFALSE\t0\tn\tx; SECRET\n", 1},
		{"cookies", "a.test\tFALSE\tx\tFALSE\t0\tn\tSECRET\n", 1},
		{"cookies", "a.test\tFALSE\t/\tFALSE\t0\t\tSECRET\n", 1},
		{"cookies", "a.test\tFALSE\t/\tFALSE\t0\tn\x7f\tSECRET\n", 1},
		{"cookies", "a.test\tFALSE\t/\tFALSE\t0\tn;\tSECRET\n", 1},
		{"cookies", "a.test\tFALSE\t/\tFALSE\t0\tn n\tSECRET\n", 1},
		{"cookies", "# x\na.test\tFALSE\t/\tFALSE\t0\tn\tx\n.\tFALSE\t/\tFALSE\t0\tn\tSECRET\n", 3},
		{"auth", "https://a.test\n", 1},
		{"auth", "https://a.test/?SECRET basic me:x\n", 1},
		{"cookies", "\tFALSE\t/\tFALSE\t0\tn\tSECRET\n", 1},
	};
	char place[32];

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const char *path = write_file(row[i].name, row[i].text);
		const int cookies = *row[i].name == 'c';
		struct credentials *c;
		struct err_note why;
		assert_int_equal(credentials_read(&c, cookies ? NULL : path, cookies ? path : NULL, &why), ERR_FORMAT);
		assert_null(c);
		snprintf(place, sizeof place, "/%s:%d:", row[i].name, row[i].line);
		assert_non_null(strstr(why.text, place));
		assert_null(strstr(why.text, "SEC"));
	}
	struct credentials *c;
	assert_int_equal(credentials_read(&c, "/nowhere/at/all", NULL, NULL), ERR_FILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(secrets_go_where_they_belong),
		cmocka_unit_test(what_is_wrong_is_told_without_the_secret),
	};

	return cmocka_run_group_tests_name("credentials", tests, NULL, NULL);
}
