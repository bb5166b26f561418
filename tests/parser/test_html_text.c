#include "tests/test.h"

#include "base/rng.h"
#include "parser/html.h"

/* Reads the visible text of a document; the caller releases the page. */
static const char *read_text(struct html_page *page, const char *html, size_t n, const char *type)
{
	struct url address = URL_EMPTY;

	assert_int_equal(url_parse(&address, "http://a.test/", 14, NULL), URL_OK);
	html_read(html, n, &address, type, HTML_TEXT, 0, NULL, NULL, page);
	url_release(&address);
	return page->text.at;
}

static void the_text_is_what_a_reader_sees(void **state)
{
	static const struct {
		const char *html, *type, *want;
	} rows[] = {
		{"<title>T</title><h1>Heading</h1>A <b>bold</b>\n  word<p>two</p>three", NULL,
			"Heading\nA bold word\ntwo\nthree\n"},
		{"<ul><li>one<li>two</ul><table><tr><td>a<td>b</table>", NULL, "one\ntwo\na\nb\n"},
		{"<script>no</script><style>no</style><p hidden>no</p><noscript>no</noscript>yes", NULL, "yes\n"},
		{"a<br>b<!-- no -->c", NULL, "a\nbc\n"},
		{"1 &lt; 2 &amp;&nbsp;&eacute;", "text/html; charset=utf-8", "1 < 2 &\xc2\xa0\xc3\xa9\n"},
		{"caf\xe9", "text/html; charset=iso-8859-1", "caf\xc3\xa9\n"},
		{"caf\xe9", "text/html; charset=utf-8", "caf\xef\xbf\xbd\n"},
		{"a\x1b[2J b\x7f&#x9b;2J\xc2\x9b"
		 "c \xc2\xa0",
			"text/html; charset=utf-8",
			"a[2J b\xe2\x80\xba"
			"2Jc \xc2\xa0\n"},
		{"", NULL, ""},
		{"   \n ", NULL, ""},
		{"plain text", NULL, "plain text\n"},
		{"a < b <= c <3", NULL, "a < b <= c <3\n"},
		{"<textarea>1 &lt; <b>2</b></textarea><iframe>no</iframe>3", NULL, "1 < <b>2</b>\n3\n"},
		{"<object>no<object>no</object>no</object>yes", NULL, "yes\n"},
		{"<svg><text>no</text></svg><svg/>yes<math><mi>no</math>", NULL, "yes\n"},
		{"<ul><li hidden>no<ul><li>no</ul>no<li>yes<li hidden>no</ul>yes", NULL, "yes\nyes\n"},
		{"two<p hidden>no<b>no</b><ul><li>one</ul><div><p hidden>no</div>yes", NULL, "two\none\nyes\n"},
		{"<div hidden>no<div>no</div>no</div>yes<input hidden>yes", NULL, "yesyes\n"},
		{"<head><meta name=x><title>no</title></head><body>yes", NULL, "yes\n"},
		{"<pre>a\n  b</pre>", NULL, "a b\n"},
		{"<!doctype html><?php no ?>yes</!no>yes", NULL, "yesyes\n"},
	};
	struct html_page page;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_string_equal(read_text(&page, rows[i].html, strlen(rows[i].html), rows[i].type), rows[i].want);
		html_page_release(&page);
	}
}

static void a_document_in_utf_16_has_text(void **state)
{
	static const char html[] = "<\0p\0>\0x\0<\0p\0>\0y\0";
	struct html_page page;

	(void)state;
	assert_string_equal(read_text(&page, html, sizeof html - 1, "text/html; charset=utf-16le"), "x\ny\n");
	html_page_release(&page);
}

static void any_bytes_are_a_document(void **state)
{
	static const char *const scrap[] = {"<p>", "<div ", ">", "</table>", "<svg>", "&#x", "\xff", "x", " ", "<script>",
		"</script>", "<![CDATA[", "<table><tr>", "<li>", "\"", "<option>", "&amp;", "-->"};
	struct buf html = BUF_EMPTY;
	struct html_page page;
	struct rng r = {3};

	(void)state;
	for (int round = 0; round < 2000; round++) {
		buf_clear(&html);
		for (uint64_t n = rng_below(&r, 40); n; n--)
			buf_text(&html, scrap[rng_below(&r, sizeof scrap / sizeof *scrap)]);
		const char *text = read_text(&page, html.at, html.used, NULL);
		assert_true(*text != '\n' && !strstr(text, "\n\n") && (!*text || text[page.text.used - 1] == '\n'));
		html_page_release(&page);
	}
	/* deeper than any parser goes */
	buf_clear(&html);
	for (int i = 0; i < 100000; i++)
		buf_text(&html, "<div>");
	assert_string_equal(read_text(&page, html.at, html.used, NULL), "");
	html_page_release(&page);
	buf_release(&html);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_text_is_what_a_reader_sees),
		cmocka_unit_test(a_document_in_utf_16_has_text),
		cmocka_unit_test(any_bytes_are_a_document),
	};

	return cmocka_run_group_tests_name("html_text", tests, NULL, NULL);
}
