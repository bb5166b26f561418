#include "tests/test.h"

#include "base/rng.h"
#include "parser/mime.h"

#include <ctype.h>

static const struct {
	const char *value, *essence, *charset; /* essence NULL: none */
} media_type[] = {
	{"text/html", "text/html", ""},
	{" \t\r\nText/HTML\n ", "text/html", ""},
	{"text/html ;charset=utf-8", "text/html", "utf-8"},
	{"text/html; charset=UTF-8", "text/html", "utf-8"},
	{"text/html;\t CHARSET = utf-8", "text/html", ""},
	{"text/html;charset= utf-8", "text/html", " utf-8"},
	{"text/html;charset=utf-8 ; a=b", "text/html", "utf-8"},
	{"text/html;charset=\"utf-8\"", "text/html", "utf-8"},
	{"text/html;charset=\"ut\\f-\\8\" x;charset=a", "text/html", "utf-8"},
	{"text/html;charset=\"utf-8", "text/html", "utf-8"},
	{"text/html;charset=\"utf-8\\", "text/html", "utf-8\\"},
	{"text/html;charset=\"a;b\";charset=c", "text/html", "a;b"},
	{"text/html;charset=\"\";charset=c", "text/html", ""},
	{"text/html;charset=;charset=c", "text/html", "c"},
	{"text/html;charset=a;charset=b", "text/html", "a"},
	{"text/html;charset=a\x7f;charset=b", "text/html", "b"},
	{"text/html;charset=\"a\nb\";charset=c", "text/html", "c"},
	{"text/html;x=\"a;charset=b\"", "text/html", ""},
	{"text/html;x=\"a\\\";charset=b\";charset=c", "text/html", "c"},
	{"text/html;charset", "text/html", ""},
	{"text/html;charset;charset=a", "text/html", "a"},
	{"text/html;charset=", "text/html", ""},
	{"text/html;;;=x;(=y;charset=a", "text/html", "a"},
	{"text/html;charset\xc3\xa9=a;xcharset=b", "text/html", ""},
	{"text/html;", "text/html", ""},
	{"text/html;=", "text/html", ""},
	{"a!#$%&'*+-.^_`|~9/b", "a!#$%&'*+-.^_`|~9/b", ""},
	{"application/xhtml+xml", "application/xhtml+xml", ""},
	{"", NULL, NULL},
	{" ", NULL, NULL},
	{"text", NULL, NULL},
	{"/html", NULL, NULL},
	{"text/", NULL, NULL},
	{"text/;a=b", NULL, NULL},
	{"te xt/html", NULL, NULL},
	{"text /html", NULL, NULL},
	{"text/ html", NULL, NULL},
	{"text/html, text/html", NULL, NULL},
	{"text/ht\xc3\xa9ml", NULL, NULL},
	{"text//html", NULL, NULL},
	{";charset=a", NULL, NULL},
};

static void media_types_are_parsed(void **state)
{
	struct mime m;

	(void)state;
	for (size_t i = 0; i < sizeof media_type / sizeof *media_type; i++) {
		int failed = mime_parse(&m, media_type[i].value, strlen(media_type[i].value));
		if (failed != (media_type[i].essence ? 0 : -1))
			fail_msg("<%s>: %d", media_type[i].value, failed);
		if (failed)
			continue;
		assert_string_equal(m.essence, media_type[i].essence);
		assert_string_equal(m.charset, media_type[i].charset);
	}
	assert_int_equal(mime_parse(&m, "text/\0html", 10), -1);
}

static void what_does_not_fit_is_refused_or_left_out(void **state)
{
	char value[1024];
	struct mime m;

	(void)state;
	memset(value, 'a', sizeof value);
	value[127] = '/';
	assert_int_equal(mime_parse(&m, value, 255), 0);
	assert_int_equal(strlen(m.essence), 255);
	assert_int_equal(mime_parse(&m, value, 256), -1);
	value[127] = 'a';
	value[254] = '/';
	assert_int_equal(mime_parse(&m, value, 256), -1);
	memcpy(value, "a/b;charset=", 12);
	assert_int_equal(mime_parse(&m, value, 12 + 63), 0);
	assert_int_equal(strlen(m.charset), 63);
	assert_int_equal(mime_parse(&m, value, 12 + 64), 0);
	assert_string_equal(m.charset, "");
}

static void documents_with_links_are_html(void **state)
{
	static const struct {
		const char *value;
		int html;
	} row[] = {{"text/html; a=b", 1}, {"TEXT/HTML", 1}, {"application/xhtml+xml", 1}, {"text/plain", 0}, {"text/htmlx", 0},
		{"text/xml", 0}};
	struct mime m;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		assert_int_equal(mime_parse(&m, row[i].value, strlen(row[i].value)), 0);
		assert_int_equal(mime_is_html(&m), row[i].html);
	}
}

static void html_is_told_by_its_first_tag(void **state)
{
	static const char *const html[] = {"<!DOCTYPE HTML>", "<!doctype html PUBLIC", " \t\r\n\f<HTML>", "<head >", "<Script src",
		"<iframe>", "<h1>", "<div>", "<font ", "<table>", "<a ", "<style>", "<title>", "<b>", "<body ", "<br>", "<p>",
		"<!-- x", "\xef\xbb\xbf<html>"};
	static const char *const other[] = {"", " ", "<", "<html", "<html/>", "<html\n>", "<abbr>", "<h2>", "x<html>",
		"<!DOCTYPE svg>", "<!--x", "<?xml", "<\0html>", "\xef\xbb<html>", "%PDF-", "\xef\xbb\xbf", "< html>"};

	(void)state;
	for (size_t i = 0; i < sizeof html / sizeof *html; i++)
		assert_int_equal(mime_sniff_html(html[i], strlen(html[i])), 1);
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		assert_int_equal(mime_sniff_html(other[i], strlen(other[i])), 0);
}

/* Whatever comes: the essence is two tokens, and written plainly it means the same. */
static void what_is_read_is_read_again(void **state)
{
	static const char scrap[] = "a/b;c=\"\\ \tZ,charset=\xc3x\x7f\n";
	struct mime m, again;
	struct rng r = {13};
	int good = 0;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		char value[64], plain[512];
		size_t n = rng_below(&r, 24);
		memcpy(value, "text/x;charset=", 15);
		size_t start = rng_below(&r, 2) ? 15 : 0;
		for (size_t k = 0; k < n; k++)
			value[start + k] = scrap[rng_below(&r, sizeof scrap - 1)];
		if (mime_parse(&m, value, start + n))
			continue;
		good++;
		for (const char *p = m.essence; *p; p++)
			assert_true((unsigned char)*p > ' ' && !isupper((unsigned char)*p));
		/* escaped, so that any value can be written */
		char *to = plain + sprintf(plain, "%s;charset=\"", m.essence);
		for (const char *p = m.charset; *p; p++) {
			*to++ = '\\';
			*to++ = *p;
		}
		*to++ = '"';
		assert_int_equal(mime_parse(&again, plain, (size_t)(to - plain)), 0);
		assert_string_equal(again.essence, m.essence);
		assert_string_equal(again.charset, m.charset);
	}
	assert_true(good > 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(media_types_are_parsed),
		cmocka_unit_test(what_does_not_fit_is_refused_or_left_out),
		cmocka_unit_test(documents_with_links_are_html),
		cmocka_unit_test(html_is_told_by_its_first_tag),
		cmocka_unit_test(what_is_read_is_read_again),
	};

	return cmocka_run_group_tests_name("mime", tests, NULL, NULL);
}
