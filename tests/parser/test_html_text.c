#include "tests/test.h"

#include "base/rng.h"
#include "parser/html_text.h"

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
			"text/html; charset=utf-8", "a[2J b2Jc \xc2\xa0\n"},
		{"", NULL, ""},
		{"   \n ", NULL, ""},
		{"plain text", NULL, "plain text\n"},
	};
	struct buf text = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		buf_clear(&text);
		html_text_read(rows[i].html, strlen(rows[i].html), rows[i].type, &text);
		assert_string_equal(text.at ? text.at : "", rows[i].want);
	}
	buf_release(&text);
}

static void text_is_added_behind_what_is_there(void **state)
{
	struct buf text = BUF_EMPTY;

	(void)state;
	buf_text(&text, "before");
	html_text_read("<p> x", 5, NULL, &text);
	assert_string_equal(text.at, "beforex\n");
	buf_release(&text);
}

static void any_bytes_are_a_document(void **state)
{
	static const char *const scrap[] = {"<p>", "<div ", ">", "</table>", "<svg>", "&#x", "\xff", "x", " ", "<script>",
		"</script>", "<![CDATA[", "<table><tr>", "<li>", "\"", "<option>", "&amp;", "-->"};
	struct buf html = BUF_EMPTY, text = BUF_EMPTY;
	struct rng r = {3};

	(void)state;
	for (int round = 0; round < 2000; round++) {
		buf_clear(&html);
		for (uint64_t n = rng_below(&r, 40); n; n--)
			buf_text(&html, scrap[rng_below(&r, sizeof scrap / sizeof *scrap)]);
		buf_clear(&text);
		html_text_read(html.at ? html.at : "", html.used, NULL, &text);
	}
	/* deeper than any parser goes */
	buf_clear(&html);
	for (int i = 0; i < 100000; i++)
		buf_text(&html, "<div>");
	buf_clear(&text);
	html_text_read(html.at, html.used, NULL, &text);
	buf_release(&html);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_text_is_what_a_reader_sees),
		cmocka_unit_test(text_is_added_behind_what_is_there),
		cmocka_unit_test(any_bytes_are_a_document),
	};

	return cmocka_run_group_tests_name("html_text", tests, NULL, NULL);
}
