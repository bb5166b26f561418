/* How a page is looked at for a topic, and how it is shown to a command that scores it. */
#include "tests/test.h"

#include "fetch/page_fill.h"
#include "parser/html.h"

static int matches(const char *regex, const char *title, const char *body)
{
	struct url address = URL_EMPTY;
	struct html_page page;
	regex_t r;

	assert_int_equal(regcomp(&r, regex, REG_EXTENDED | REG_NOSUB), 0);
	assert_int_equal(url_parse(&address, "http://a.test/", 14, NULL), URL_OK);
	html_read(body, strlen(body), &address, "text/html", HTML_TEXT, 0, NULL, NULL, &page);
	const int found = page_topic_matches(&r, title, page.text.at, page.text.used);
	html_page_release(&page);
	url_release(&address);
	regfree(&r);
	return found;
}

static void the_title_and_each_line_that_is_seen_are_matched(void **state)
{
	(void)state;
	assert_true(matches("^a title$", "a title", ""));
	assert_true(matches("^a title$", "a title", "<p>text"));
	assert_false(matches("^a title$", "another title", "<p>text"));
	assert_true(matches("^one$", "", "<p>one<p>two<p>three"));
	assert_true(matches("^two$", "", "<p>one<p>two<p>three"));
	assert_true(matches("^three$", "", "<p>one<p>two<p>three"));
	assert_false(matches("one.*two", "", "<p>one<p>two<p>three"));
	assert_false(matches("hidden", "", "<script>hidden</script><p title=hidden>seen<!-- hidden -->"));
	assert_false(matches("x", "", ""));
}

/* A paragraph of a word, so many bytes of filling and another word. */
static const char *line_of(const char *first, size_t bytes, char filling, const char *last)
{
	static char text[3 * PAGE_TOPIC_MAX_LINE];

	strcpy(text, "<p>");
	strcat(text, first);
	memset(text + strlen(text), 0, sizeof text - strlen(text));
	memset(text + strlen(text), filling, bytes);
	strcat(text, last);
	return text;
}

static void a_long_line_is_cut_at_a_blank(void **state)
{
	const size_t most = PAGE_TOPIC_MAX_LINE;

	(void)state;
	/* as long as may be: in one piece */
	assert_true(matches("^a.*b$", "", line_of("a", most - 2, 'x', "b")));
	/* longer: cut where there is no blank, after so many bytes */
	assert_false(matches("^a.*b$", "", line_of("a", most - 1, 'x', "b")));
	assert_true(matches("^b$", "", line_of("a", most - 1, 'x', "b")));
	assert_true(matches("^ax{4095}$", "", line_of("a", most - 1, 'x', "b")));
	/* at the last blank: a word stays whole */
	assert_true(matches(" word$", "", line_of("a", most - 3, 'x', " word")));
	assert_false(matches("x word", "", line_of("a", most - 3, 'x', " word")));
	assert_true(matches("^ax{4093}$", "", line_of("a", most - 3, 'x', " word")));
	/* a blank at the start cuts nothing off */
	assert_true(matches("b$", "", line_of("a", 2 * most, 'x', "b")));
	char *title = malloc(2 * most + 3);
	memset(title, 'x', 2 * most);
	*title = ' ';
	strcpy(title + 2 * most, "b");
	assert_true(matches("b$", title, ""));
	free(title);
}

/* Lines of 64 bytes with their line feeds, and a word behind them. */
static void the_text_is_looked_at_so_far(void **state)
{
	enum { LINES = PAGE_TOPIC_MAX_TEXT / 64 };
	static char body[LINES * 70];

	(void)state;
	for (int lines = LINES - 1; lines <= LINES; lines++) {
		size_t at = 0;
		for (int i = 0; i < lines; i++)
			at += (size_t)sprintf(body + at, "<p>%063d", 0);
		strcpy(body + at, "<p>word");
		assert_int_equal(matches("^word$", "", body), lines < LINES);
		/* a line that goes on behind the bound is looked at up to it */
		strcpy(body + at, "<p>the line is longer than what is left of the text that is looked at: word");
		assert_int_equal(matches("^the", "", body), lines < LINES);
		assert_false(matches("word$", "", body));
	}
}

static void a_page_is_shown_as_one_line_of_json(void **state)
{
	static const struct {
		struct score_page page;
		const char *line;
	} rows[] = {
		{{"http://a.test/", 200, "text/html", "<p>hi", 5},
			"{\"url\":\"http://a.test/\",\"status\":200,\"type\":\"text/html\",\"body\":\"PHA+aGk=\"}\n"},
		{{"http://a.test/", 404, NULL, "", 0}, "{\"url\":\"http://a.test/\",\"status\":404,\"type\":null,\"body\":\"\"}\n"},
		{{"http://a.test/\"", 200, "\xff/x\ny", "\n", 1},
			"{\"url\":\"http://a.test/\\\"\",\"status\":200,\"type\":\"?/x?y\",\"body\":\"Cg==\"}\n"},
	};
	struct buf out = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		buf_clear(&out);
		score_line_add(&out, &rows[i].page);
		assert_string_equal(out.at, rows[i].line);
	}
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_title_and_each_line_that_is_seen_are_matched),
		cmocka_unit_test(a_long_line_is_cut_at_a_blank),
		cmocka_unit_test(the_text_is_looked_at_so_far),
		cmocka_unit_test(a_page_is_shown_as_one_line_of_json),
	};

	return cmocka_run_group_tests_name("page_topic", tests, NULL, NULL);
}
