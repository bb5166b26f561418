#include "tests/test.h"

#include "base/ascii.h"
#include "parser/match.h"
#include "scope/rules.h"

static enum rules_verdict judge(const char *text, const char *url, unsigned *line)
{
	struct url u = URL_EMPTY;
	struct err_note why;
	struct rules *rules;

	if (rules_new(&rules, NULL, text, &why))
		fail_msg("%s", why.text);
	assert_int_equal(url_parse(&u, url, strlen(url), NULL), URL_OK);
	*line = 0;
	enum rules_verdict verdict = rules_judge(rules, &u, line);
	url_release(&u);
	rules_free(rules);
	return verdict;
}

static void each_kind_looks_at_its_part(void **state)
{
	static const struct {
		const char *rule, *yes, *no;
	} rows[] = {
		{"accept host a.test", "http://a.test/x", "http://b.a.test/x"},
		{"accept host a.test:81", "http://a.test:81/", "http://a.test/"},
		{"accept domain a.test", "http://b.a.test:81/x", "http://ba.test/"},
		{"accept prefix http://a.test/d/", "http://a.test/d/x", "http://a.test/e"},
		{"accept suffix .pdf", "http://a.test/x.pdf?y", "http://a.test/x?y.pdf"},
		{"accept glob http://*/[0-9]*.html", "http://a.test/x/1.html", "http://a.test/x/1.htm"},
		{"accept regex [?&]sort=", "http://a.test/?a=1&sort=x", "http://a.test/?resort=x"},
		{"  accept\tregex   a b$ \r", "http://a.test/?a b", "http://a.test/"},
	};
	unsigned line;
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (i + 1 < sizeof rows / sizeof *rows)
			assert_int_equal(judge(rows[i].rule, rows[i].yes, &line), RULES_ACCEPT);
		assert_int_equal(judge(rows[i].rule, rows[i].no, &line), RULES_SILENT);
		assert_int_equal(line, 0);
	}
}

static void the_first_that_matches_decides(void **state)
{
	static const char rules[] = "# pages, not lists\n"
				    "\n"
				    "accept prefix http://a.test/list/1\n"
				    "reject prefix http://a.test/list/\n"
				    "accept host a.test\n"
				    "reject regex .";
	unsigned line;
	(void)state;

	assert_int_equal(judge(rules, "http://a.test/list/17", &line), RULES_ACCEPT);
	assert_int_equal(line, 3);
	assert_int_equal(judge(rules, "http://a.test/list/2", &line), RULES_REJECT);
	assert_int_equal(line, 4);
	assert_int_equal(judge(rules, "http://a.test/", &line), RULES_ACCEPT);
	assert_int_equal(line, 5);
	assert_int_equal(judge(rules, "http://b.test/", &line), RULES_REJECT);
	assert_int_equal(line, 6);
}

/* Returns the rank of a page as a text: its tier and its weight. */
static const char *rank_of(const char *text, const char *url, uint32_t depth)
{
	static const char *const tiers[] = {"first", "normal", "last"};
	static char said[50];
	struct url u = URL_EMPTY;
	struct rules *rules;

	assert_int_equal(rules_new(&rules, NULL, text, NULL), 0);
	assert_int_equal(url_parse(&u, url, strlen(url), NULL), URL_OK);
	const uint8_t rank = rules_rank(rules, &u, depth);
	const double *weights = rules_weights(rules);
	ascii_format(said, sizeof said, "%s %g", tiers[rank_tier(rank)], weights ? weights[rank_weight(rank)] : 0.0);
	url_release(&u);
	rules_free(rules);
	return said;
}

static void rules_that_order_are_a_list_of_their_own(void **state)
{
	static const char rules[] = "accept domain a.test\n"
				    "reject suffix .pdf\n"
				    "last type application/pdf\n"
				    "last type image/*\n"
				    "first depth 0-1\n"
				    "weight 2.5 prefix http://a.test/docs/\n"
				    "weight 0.5 regex [?]\n"
				    "weight 2.5 host b.test\n"
				    "last depth 7-";
	unsigned line;
	(void)state;

	assert_string_equal(rank_of(rules, "http://a.test/docs/x.pdf?y", 1), "last 1");
	assert_string_equal(rank_of(rules, "http://a.test/x.JPEG", 5), "last 1");
	assert_string_equal(rank_of(rules, "http://a.test/jpeg", 1), "first 1");
	assert_string_equal(rank_of(rules, "http://a.test/docs/", 2), "normal 2.5");
	assert_string_equal(rank_of(rules, "http://a.test/docs/?x", 2), "normal 2.5");
	assert_string_equal(rank_of(rules, "http://a.test/?x", 2), "normal 0.5");
	assert_string_equal(rank_of(rules, "http://b.test/", 2), "normal 2.5");
	assert_string_equal(rank_of(rules, "http://a.test/", 6), "normal 1");
	assert_string_equal(rank_of(rules, "http://a.test/", 7), "last 1");
	assert_string_equal(rank_of(rules, "http://a.test/", UINT32_MAX), "last 1");
	assert_string_equal(rank_of("first depth 3", "http://a.test/", 3), "first 1");
	assert_string_equal(rank_of("first depth 3", "http://a.test/", 4), "normal 1");
	assert_string_equal(rank_of("accept host a.test", "http://a.test/", 0), "normal 0");
	assert_int_equal(judge(rules, "http://a.test/docs/x.pdf", &line), RULES_ACCEPT);
	assert_int_equal(line, 1);
	assert_null(rules_weights(NULL));
	assert_int_equal(rules_rank(NULL, &(struct url){.https = 0}, 0), rank_make(TIER_NORMAL, 0));
}

static void there_are_not_too_many_weights(void **state)
{
	struct buf text = BUF_EMPTY;
	struct err_note why;
	struct rules *rules;
	(void)state;

	for (int i = 1; i < RANK_WEIGHTS; i++)
		buf_format(&text, "weight %d host a\nweight %d host b\n", i + 1, i + 1);
	assert_int_equal(rules_new(&rules, NULL, text.at, &why), 0);
	rules_free(rules);
	buf_text(&text, "weight 0.7 host a\n");
	assert_int_equal(rules_new(&rules, NULL, text.at, &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "line 127 of the rules has one weight too many"));
	buf_release(&text);
}

static void what_is_no_rule_is_refused_with_its_line(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"accept host a\nallow host b", "line 2 of the rules begins with 'allow'"},
		{"accept", "line 1 of the rules is cut short"},
		{"\nreject host", "line 2 of the rules is cut short"},
		{"reject host  ", "line 1 of the rules is cut short"},
		{"reject hots a.test", "there is no 'hots'; the nearest is 'host'"},
		{"first", "line 1 of the rules is cut short"},
		{"weight host a", "line 1 of the rules: a weight from 0.000001 to 1000000 is wanted, not 'host'"},
		{"weight 0 host a", "not '0'"},
		{"weight nan host a", "not 'nan'"},
		{"weight", "a weight from 0.000001"},
		{"accept depth 2", "line 1 of the rules: accept and reject know no depth; --max-depth does"},
		{"reject type image/*", "know no type; --accept-type does"},
		{"first depth x", "line 1 of the rules: a depth such as 2, 2-5 or 2- is wanted, not 'x'"},
		{"first depth 3-2", "not '3-2'"},
		{"first depth 3-2x", "not '3-2x'"},
		{"first depth -2", "not '-2'"},
		{"first depth 2--", "not '2--'"},
		{"first depth 99999999999999999999", "not '99999"},
		{"reject regex (", "'(' is no extended regular expression"},
		{"reject regex a((((b{200}){200}){200}){200})", "repeats too much: the most is 10000"},
		{"reject regex x++++++++++++++++++++++++++++++++++++++++++++++++++", "repeats too much"},
	};
	struct err_note why;
	struct rules *rules;
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(rules_new(&rules, NULL, rows[i].text, &why), ERR_USAGE);
		assert_null(rules);
		if (!strstr(why.text, rows[i].says))
			fail_msg("'%s' does not say '%s'", why.text, rows[i].says);
	}
}

static void there_are_not_too_many(void **state)
{
	struct buf text = BUF_EMPTY;
	struct err_note why;
	struct rules *rules;
	(void)state;

	for (int i = 0; i < RULES_MAX; i++)
		buf_text(&text, "reject host a\n");
	buf_end(&text);
	assert_int_equal(rules_new(&rules, NULL, text.at, &why), 0);
	rules_free(rules);
	buf_text(&text, "reject host a\n");
	buf_end(&text);
	assert_int_equal(rules_new(&rules, NULL, text.at, &why), ERR_USAGE);
	buf_release(&text);
}

static void regular_expressions_are_weighed_with_their_repetitions_written_out(void **state)
{
	static const struct {
		const char *text;
		uint32_t size;
	} rows[] = {
		{"", 0},
		{"abc", 3},
		{"a\\.b", 3},
		{"a+", 2},
		{"ab*c?", 3},
		{"(ab)+", 6},
		{"((ab)+)+", 14},
		{"a{3}", 4},
		{"a{3,9}b", 11},
		{"a{3,}", 4},
		{"a{x}", 4},
		{"[]+a]b", 2},
		{"[[:alpha:]]+", 2},
		{"[^]]]", 2},
		{"[a", 1},
		{"+a", 1},
		{")", 1},
		{"(((a", 4},
		{"(a|b+){99}", 500},
		{"a{4294967297}", REGEX_SIZE_MAX + 1},
		{"a{99999999999999999999999}b", REGEX_SIZE_MAX + 1},
		{"((((a{99}){99}){99}){99})", REGEX_SIZE_MAX + 1},
		{"=******", 1},
		{"=*******", REGEX_SIZE_MAX + 1},
		{"((a(((b*)*)*)*)?c)*d*", 9},
		{"(((a(((b*)*)*)*)?c)*d)*", REGEX_SIZE_MAX + 1},
		{"(((((((a*)*)*)*)*)*)*", REGEX_SIZE_MAX + 1},
	};
	char deep[REGEX_DEPTH_MAX + 2];
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (regex_size(rows[i].text) != rows[i].size)
			fail_msg("%s: %u", rows[i].text, regex_size(rows[i].text));
	memset(deep, '(', sizeof deep);
	deep[REGEX_DEPTH_MAX + 1] = 0;
	assert_int_equal(regex_size(deep), REGEX_SIZE_MAX + 1);
	deep[REGEX_DEPTH_MAX] = 0;
	assert_int_equal(regex_size(deep), REGEX_DEPTH_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_looks_at_its_part),
		cmocka_unit_test(the_first_that_matches_decides),
		cmocka_unit_test(rules_that_order_are_a_list_of_their_own),
		cmocka_unit_test(there_are_not_too_many_weights),
		cmocka_unit_test(what_is_no_rule_is_refused_with_its_line),
		cmocka_unit_test(there_are_not_too_many),
		cmocka_unit_test(regular_expressions_are_weighed_with_their_repetitions_written_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
