/* Archived documents and style sheets, rewritten so that a browser asks the replay alone. */
#include "tests/test.h"

#include "cli/archive/archive_rewrite.h"

#define P "/20260101000000/p/"

enum form { AS_HTML, AS_CSS };

static void check(enum form form, const char *text, const char *want)
{
	struct url base = URL_EMPTY;
	struct buf out = BUF_EMPTY;

	assert_int_equal(url_parse(&base, "http://a.test/d/page", 20, NULL), URL_OK);
	const struct rewrite r = {.prefix = P, .base = &base};
	if (form == AS_HTML)
		rewrite_html(&r, text, strlen(text), "text/html; charset=utf-8", &out);
	else
		rewrite_css(&r, text, strlen(text), &out);
	buf_end(&out);
	assert_string_equal(out.at, want);
	buf_release(&out);
	url_release(&base);
}

static void references_of_documents_lead_into_the_archive(void **state)
{
	static const struct {
		const char *text, *want;
	} table[] = {
		{"<a href=x>y</a>", "<a href=\"" P "http://a.test/d/x\">y</a>"},
		{"<a href='/x?a=1&amp;b=2#c'>", "<a href='" P "http://a.test/x?a=1&#38;b=2#c'>"},
		{"<img src=\"//b.test/i.png\" alt=\"src=x\">", "<img src=\"" P "http://b.test/i.png\" alt=\"src=x\">"},
		{"<A HREF=HTTPS://B.test>", "<A HREF=\"" P "https://b.test/\">"},
		/* what leads to no page stays as it is */
		{"<a href=#top><a href=mailto:x@y.test><img src=data:,x><a href=>",
			"<a href=#top><a href=mailto:x@y.test><img src=data:,x><a href=>"},
		{"<img srcset=\"a.png 1x, /b.png 2x\">",
			"<img srcset=\"" P "http://a.test/d/a.png 1x, " P "http://a.test/b.png 2x\">"},
		{"<img data-src=x data-srcset='y 2x'>",
			"<img data-src=\"" P "http://a.test/d/x\" data-srcset='" P "http://a.test/d/y 2x'>"},
		{"<p style=\"background:url('x.png')\">", "<p style=\"background:url(&#39;" P "http://a.test/d/x.png&#39;)\">"},
		{"<style>a{background:url(x.png)}</style><a href=y>",
			"<style>a{background:url(" P "http://a.test/d/x.png)}</style><a href=\"" P "http://a.test/d/y\">"},
		{"<meta http-equiv=refresh content='5; url=next'>",
			"<meta http-equiv=refresh content='5; url=" P "http://a.test/d/next'>"},
		{"<meta content='5; url=next' http-equiv=Refresh>",
			"<meta content='5; url=" P "http://a.test/d/next' http-equiv=Refresh>"},
		{"<meta http-equiv=refresh content='0; next.html'>",
			"<meta http-equiv=refresh content='0; " P "http://a.test/d/next.html'>"},
		{"<meta http-equiv=refresh content='0;/a?x=1'>", "<meta http-equiv=refresh content='0;" P "http://a.test/a?x=1'>"},
		{"<meta http-equiv=refresh content='5'>", "<meta http-equiv=refresh content='5'>"},
		{"<meta content='5; url=next' name=refresh><meta http-equiv=x content='url=y'>",
			"<meta content='5; url=next' name=refresh><meta http-equiv=x content='url=y'>"},
		{"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src x\">",
			"<meta http-equiv=\"\" content=\"default-src x\">"},
		{"<script src=s.js integrity=\"sha256-x\">var a='<a href=x>'</script>",
			"<script src=\"" P "http://a.test/d/s.js\" integrity=\"\">var a='<a href=x>'</script>"},
		{"<!-- <a href=x> --><title><a href=x></title>text & <b", "<!-- <a href=x> --><title><a href=x></title>text & <b"},
		{"<svg><image xlink:href=x.png><use href=y.svg#z>",
			"<svg><image xlink:href=\"" P "http://a.test/d/x.png\"><use href=\"" P "http://a.test/d/y.svg#z\">"},
		{"<form action=send><button formaction=/other>",
			"<form action=\"" P "http://a.test/d/send\"><button formaction=\"" P "http://a.test/other\">"},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		check(AS_HTML, table[i].text, table[i].want);
}

static void references_of_style_sheets_lead_into_the_archive(void **state)
{
	static const struct {
		const char *text, *want;
	} table[] = {
		{"a{b:url(x)}", "a{b:url(" P "http://a.test/d/x)}"},
		{"a{b:URL( \"/x y\" )}", "a{b:URL( \"" P "http://a.test/x%20y\" )}"},
		{"a{b:url(x\\(1\\).png) url(\"\\78.png\")}",
			"a{b:url(" P "http://a.test/d/x\\(1\\).png) url(\"" P "http://a.test/d/x.png\")}"},
		{"a:after{content:\"url(x) /* \"} b{b:myurl(x) url(y)}",
			"a:after{content:\"url(x) /* \"} b{b:myurl(x) url(" P "http://a.test/d/y)}"},
		{"@import 'x.css' screen;", "@import '" P "http://a.test/d/x.css' screen;"},
		{"@import url(//b.test/x.css);", "@import url(" P "http://b.test/x.css);"},
		{"/* url(x) */ a{b:url(data:image/png;base64,xx)}", "/* url(x) */ a{b:url(data:image/png;base64,xx)}"},
		/* nothing that a reference hides behind a backslash comes out as itself */
		{"a{b:url(\"x#\\3c/style><script>\\a y\")}", "a{b:url(\"" P "http://a.test/d/x#\\3c /style>\\3c script>\\a y\")}"},
		{"a{b:url(x", "a{b:url(" P "http://a.test/d/x"},
		{"@import '", "@import '"},
		{"/* open", "/* open"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		check(AS_CSS, table[i].text, table[i].want);
}

static void references_are_relative_to_the_base_of_the_document(void **state)
{
	(void)state;
	check(AS_HTML, "<base href=/other/><a href=x><style>a{b:url(y)}</style>",
		"<base href=\"" P "http://a.test/other/\"><a href=\"" P "http://a.test/other/x\"><style>a{b:url(" P
		"http://a.test/other/y)}</style>");
	check(AS_HTML, "<img src=x><base target=_top><base href='//b.test/z/'><base href=/w/>",
		"<img src=\"" P "http://b.test/z/x\"><base target=_top><base href='" P "http://b.test/z/'><base href=\"" P
		"http://a.test/w/\">");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(references_of_documents_lead_into_the_archive),
		cmocka_unit_test(references_of_style_sheets_lead_into_the_archive),
		cmocka_unit_test(references_are_relative_to_the_base_of_the_document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
