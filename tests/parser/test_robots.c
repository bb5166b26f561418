#include "tests/test.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/rng.h"
#include "parser/robots.h"
#include "parser/usage.h"

static int allows(const char *text, const char *agent, const char *path)
{
	struct robots *r = robots_parse(text, strlen(text), agent);
	int allowed = robots_allows(r, path, strlen(path));

	robots_free(r);
	return allowed;
}

struct row {
	const char *text, *path;
	int allowed;
};

static void assert_rows(const struct row *row, size_t n, const char *agent)
{
	for (; n; n--, row++)
		if (allows(row->text, agent, row->path) != row->allowed)
			fail_msg("<%s> of <%s> must be %d", row->path, row->text, row->allowed);
}

#define ROWS(table) table, sizeof(table) / sizeof *(table)

static void lines_are_read_in_any_shape(void **state)
{
	static const struct row row[] = {
		{"user-agent: me\ndisallow: /x", "/x", 0},
		{"USER-AGENT:me\nDISALLOW:/x", "/x", 0},
		{"  User-agent \t: me \n\tDisallow : /x \n", "/x", 0},
		{"User-agent: me\rDisallow: /x\r", "/xy", 0},
		{"User-agent: me\r\nDisallow: /x\r\n", "/x", 0},
		{"\xef\xbb\xbfUser-agent: me\nDisallow: /x\n", "/x", 0},
		{"\xef\xbbUser-agent: me\nDisallow: /x\n", "/x", 0},
		{"\xbb\xbfUser-agent: me\nDisallow: /x\n", "/x", 1},
		{"User-agent: me # you\nDisallow: /x # /\n", "/x", 0},
		{"User-agent: me\nDisallow: /x # /\n", "/y", 1},
		{"User-agent: me\n#Disallow: /x\n", "/x", 1},
		{"User-agent me\nDisallow /x\n", "/x", 0},
		{"User-agent: me\nDisallow /x y\n", "/x", 1},
		{"user agent: me\ndissallow: /x", "/x", 0},
		{"useragent: me\ndisalow: /x", "/x", 0},
		{"User-agent: me\ndis-allow: /x", "/x", 1},
		{"User-agent: me\n: /x\n/x\n\n", "/x", 1},
		{"<html>User-agent: me\nDisallow: /x", "/x", 1},
		{"", "/x", 1},
		{"Disallow: /x\nUser-agent: me", "/x", 1},
	};

	(void)state;
	assert_rows(ROWS(row), "me");
}

static void groups_are_chosen_and_merged(void **state)
{
	static const struct row row[] = {
		{"User-agent: *\nDisallow: /\nUser-agent: me\nDisallow: /x", "/y", 1},
		{"User-agent: *\nDisallow: /\nUser-agent: me\nDisallow:", "/x", 1},
		{"User-agent: *\nDisallow: /\nUser-agent: me\n", "/x", 1},
		{"User-agent: me\nUser-agent: you\nDisallow: /x", "/x", 0},
		{"User-agent: me\n\nUser-agent: you\nDisallow: /x", "/x", 0},
		{"User-agent: me\nSitemap: http://h/s\nUser-agent: you\nDisallow: /x", "/x", 0},
		{"User-agent: me\nNonsense: 1\nUser-agent: you\nDisallow: /x", "/x", 0},
		{"User-agent: me\nAllow: /\nUser-agent: you\nDisallow: /x", "/x", 1},
		{"User-agent: me\nDisallow: /x\nUser-agent: you\nDisallow: /y\n"
		 "User-agent: me\nDisallow: /z",
			"/z", 0},
		{"User-agent: me\nDisallow: /x\n\n\nDisallow: /y", "/y", 0},
		{"User-agent: ME/2.0\nDisallow: /x", "/x", 0},
		{"User-agent: me too\nDisallow: /x", "/x", 0},
		{"User-agent: me*\nDisallow: /x", "/x", 0},
		{"User-agent: mee\nDisallow: /x", "/x", 1},
		{"User-agent: m\nDisallow: /x", "/x", 1},
		{"User-agent: me-too\nDisallow: /x", "/x", 1},
		{"User-agent: * you\nDisallow: /x", "/x", 0},
		{"User-agent: *you\nDisallow: /x", "/x", 1},
		{"User-agent:\nDisallow: /x", "/x", 1},
		{"User-agent: *\nDisallow: /x\nUser-agent: *\nDisallow: /y", "/y", 0},
		{"User-agent: you\nUser-agent: *\nDisallow: /x", "/x", 0},
	};

	(void)state;
	assert_rows(ROWS(row), "me");
	assert_rows(ROWS(row), "Me/1.0 (x)");
	assert_false(allows("User-agent: *\nDisallow: /x", "*", "/x"));
	assert_true(allows("User-agent: 3me\nDisallow: /x", "3me", "/x"));
}

static void the_longest_match_wins_and_allow_on_a_tie(void **state)
{
	static const struct row row[] = {
		{"User-agent: *\nDisallow: /x\nAllow: /x/y", "/x/y/z", 1},
		{"User-agent: *\nAllow: /x/y\nDisallow: /x", "/x/z", 0},
		{"User-agent: *\nDisallow: /x\nAllow: /x", "/x", 1},
		{"User-agent: *\nDisallow: /x.html\nAllow: /*html", "/x.html", 0},
		{"User-agent: *\nDisallow: /x.html\nAllow: /**.html", "/x.html", 1},
		{"User-agent: *\nDisallow: /x.htm\nAllow: /*.html", "/x.html", 1},
		{"User-agent: *\nDisallow: /$\nAllow: /", "/", 0},
		{"User-agent: *\nDisallow: /$\nAllow: /", "/x", 1},
		{"User-agent: *\nDisallow: /x$\nAllow: /x$y", "/x$y", 1},
		{"User-agent: *\nDisallow: x", "/x", 1},
		{"User-agent: *\nDisallow: *x", "/x", 0},
		{"User-agent: *\nDisallow: *", "/", 0},
		{"User-agent: *\nDisallow: $", "/", 1},
		{"User-agent: *\nDisallow: *$", "/", 0},
		{"User-agent: *\nDisallow: /*a*b*c$", "/aabbc", 0},
		{"User-agent: *\nDisallow: /*a*b*c$", "/aabbcd", 1},
		{"User-agent: *\nDisallow: /*ab$", "/abab", 0},
		{"User-agent: *\nDisallow: /ab*ab$", "/ab", 1},
		{"User-agent: *\nDisallow: /ab*b$", "/ab", 1},
		{"User-agent: *\nDisallow: /?x=", "/?x=1", 0},
		{"User-agent: *\nDisallow: /\nAllow: /x/index.html", "/x/", 1},
		{"User-agent: *\nDisallow: /\nAllow: /x/index.html", "/x/y", 0},
		{"User-agent: *\nDisallow: /\nAllow: /x/index.htm", "/x/index.htm", 1},
		{"User-agent: *\nDisallow: /x/index.html", "/x/", 1},
		{"User-agent: *\nDisallow: /", "/robots.txt", 1},
		{"User-agent: *\nDisallow: /", "/robots.txt?", 0},
	};

	(void)state;
	assert_rows(ROWS(row), "me");
}

static void escapes_are_compared_by_what_they_mean(void **state)
{
	static const struct row row[] = {
		{"User-agent: *\nDisallow: /%7ex", "/~x", 0},
		{"User-agent: *\nDisallow: /~x", "/%7Ex", 0},
		{"User-agent: *\nDisallow: /a%3cb", "/a%3Cb", 0},
		{"User-agent: *\nDisallow: /a<b", "/a%3Cb", 0},
		{"User-agent: *\nDisallow: /a b", "/a%20b", 0},
		{"User-agent: *\nDisallow: /a%2fb", "/a/b", 1},
		{"User-agent: *\nDisallow: /a/b", "/a%2Fb", 1},
		{"User-agent: *\nDisallow: /a%2fb", "/a%2Fb", 0},
		{"User-agent: *\nDisallow: /\xe3\x83\x84", "/%E3%83%84", 0},
		{"User-agent: *\nDisallow: /%e3%83%84", "/%E3%83%84", 0},
		{"User-agent: *\nDisallow: /a%2Ab", "/a*b", 0},
		{"User-agent: *\nDisallow: /a%2Ab", "/axb", 1},
		{"User-agent: *\nDisallow: /a%24", "/a$b", 0},
		{"User-agent: *\nDisallow: /a%24", "/a", 1},
		{"User-agent: *\nDisallow: /a%zz%", "/a%zz%", 0},
		{"User-agent: *\nDisallow: /a%25", "/a%", 1},
		{"User-agent: *\nDisallow: /?a='", "/?a=%27", 0},
		{"User-agent: *\nAllow: /%61%62\nDisallow: /ab", "/ab", 1},
		{"User-agent: *\nAllow: /%61b\nDisallow: /abc", "/abc", 0},
		/* an escaped wildcard counts as the three octets that are written: 6 octets against 6, and against 7 */
		{"User-agent: *\nAllow: /a%2Ab\nDisallow: /a***b", "/a*b", 1},
		{"User-agent: *\nAllow: /a%2Ab\nDisallow: /a****b", "/a*b", 0},
	};

	(void)state;
	assert_rows(ROWS(row), "me");
}

/* By the definition: all that a wildcard may stand for is tried. */
static int slow_match(const char *pattern, const char *path)
{
	if (pattern[0] == 0)
		return 1;
	if (pattern[0] == '$' && pattern[1] == 0)
		return *path == 0;
	if (pattern[0] == '*')
		return slow_match(pattern + 1, path) || (*path && slow_match(pattern, path + 1));
	return *path == pattern[0] && slow_match(pattern + 1, path + 1);
}

static void scraps(char *text, const char *alphabet, size_t longest, struct rng *r)
{
	size_t n = (size_t)rng_below(r, longest);

	for (size_t i = 0; i < n; i++)
		text[i] = alphabet[rng_below(r, strlen(alphabet))];
	text[n] = 0;
}

static void any_rules_decide_as_the_slow_matcher(void **state)
{
	struct rng r = {5};
	unsigned refused = 0, granted = 0;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct buf text = BUF_EMPTY;
		char path[24], pattern[16];
		size_t best = 0;
		int want = 1, by_rule = 0;

		path[0] = '/';
		scraps(path + 1, "ab/$", 12, &r);
		buf_text(&text, "User-agent: me\n");
		for (int i = 0; i < 4; i++) {
			int allow = (int)rng_below(&r, 2);
			pattern[0] = '/';
			scraps(pattern + 1, "ab/**$", 8, &r);
			size_t n = strlen(pattern);
			buf_format(&text, "%s: %s\n", allow ? "Allow" : "Disallow", pattern);
			if (slow_match(pattern, path) && n >= best) {
				want = n > best ? allow : want | allow;
				best = n;
				by_rule = 1;
			}
		}
		if (allows(text.at, "me", path) != want)
			fail_msg("<%s> of <%s> must be %d", path, text.at, want);
		refused += !want;
		granted += want && by_rule;
		buf_release(&text);
	}
	assert_true(refused > 2000 && granted > 2000);
}

static void delays_and_sitemaps_are_told(void **state)
{
	static const struct {
		const char *text;
		double delay;
	} row[] = {
		{"User-agent: me\nCrawl-delay: 2.5", 2.5},
		{"User-agent: *\nCrawl-delay: 3\nUser-agent: me\nDisallow:", -1},
		{"User-agent: *\nCrawl-delay: 3\nUser-agent: you\nCrawl-delay: 4", 3},
		{"User-agent: me\nCrawl-delay: 3\nUser-agent: you\nCrawl-delay: 4", 3},
		{"User-agent: me\nUser-agent: you\nCrawl-delay: 4", 4},
		{"User-agent: me\nCrawl-delay: 3\n\nUser-agent: me\nCrawl-delay: 4", 4},
		{"User-agent: me\nCrawl-delay: 4\nCrawl-delay: 3", 4},
		{"User-agent: me\nCrawl-delay: 0", 0},
		{"User-agent: me\nCrawl-delay: ten", -1},
		{"User-agent: me\nCrawl-delay: -1", -1},
		{"User-agent: me\nCrawl-delay:", -1},
		{"User-agent: me\nCrawl-delay: 10s", 10},
		{"User-agent: me\nCrawl-delay: 1e9", 1},
		{"User-agent: me\nCrawl-delay: .", -1},
		{"Crawl-delay: 3", -1},
	};
	static const char text[] = "Sitemap: http://h/1#x\nUser-agent: me\nsite-map:  /2 \n"
				   "Disallow: /\nSITEMAP:http://h/3\nSitemap:\n";

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct robots *r = robots_parse(row[i].text, strlen(row[i].text), "me");
		if (robots_delay(r) != row[i].delay)
			fail_msg("<%s>: %g", row[i].text, robots_delay(r));
		robots_free(r);
	}
	for (int known = 0; known < 2; known++) {
		struct robots *r = robots_parse(text, strlen(text), known ? "me" : "you");
		assert_string_equal(robots_sitemap(r, 0), "http://h/1");
		assert_string_equal(robots_sitemap(r, 1), "/2");
		assert_string_equal(robots_sitemap(r, 2), "http://h/3");
		assert_null(robots_sitemap(r, 3));
		assert_int_equal(robots_allows(r, "/x", 2), !known);
		robots_free(r);
	}
}

static void all_is_allowed_without_a_file(void **state)
{
	(void)state;
	struct robots *r = robots_empty();
	assert_int_equal(robots_allows(r, "/x", 2), 1);
	assert_int_equal(robots_allows(r, "/robots.txt", 11), 1);
	assert_true(robots_delay(r) == -1);
	assert_null(robots_sitemap(r, 0));
	robots_free(r);
	robots_free(NULL);
}

static void what_lies_beyond_the_limit_is_not_read(void **state)
{
	static const char end[] = "User-agent: me\nDisallow: /x\n";
	struct buf text = BUF_EMPTY;

	(void)state;
	while (text.used < ROBOTS_MAX_BYTES - sizeof end)
		buf_byte(&text, text.used % 100 ? 'x' : '\n');
	buf_byte(&text, '\n');
	size_t before = text.used;
	buf_text(&text, end);
	assert_false(allows(text.at, "me", "/x"));
	text.used = before;
	while (text.used < ROBOTS_MAX_BYTES)
		buf_byte(&text, '\n');
	buf_text(&text, end);
	assert_true(allows(text.at, "me", "/x"));
	buf_release(&text);
}

/* Backtracking would need more steps than there are atoms. */
static void hostile_patterns_take_little_time(void **state)
{
	struct buf text = BUF_EMPTY, path = BUF_EMPTY;
	int64_t start = clock_cpu_ns();

	(void)state;
	buf_text(&text, "User-agent: me\n");
	for (int rule = 0; rule < 40; rule++) {
		buf_text(&text, "Disallow: /");
		for (int i = 0; i < 2000; i++)
			buf_text(&text, "*a");
		buf_text(&text, "*b$\n");
	}
	buf_byte(&path, '/');
	while (path.used < 8000)
		buf_byte(&path, 'a');
	struct robots *r = robots_parse(text.at, text.used, "me");
	for (int i = 0; i < 10; i++)
		assert_true(robots_allows(r, path.at, path.used));
	assert_true(clock_cpu_ns() - start < (int64_t)1000000000 * slowness());
	robots_free(r);
	buf_release(&text);
	buf_release(&path);
}

static void what_is_asked_of_users_is_that_of_the_longest_patterns(void **state)
{
	static const struct {
		const char *text, *path, *words;
	} rows[] = {
		{"User-agent: *\nContent-Usage: train-ai=n", "/a", "train-ai=n"},
		{"User-agent: *\nContent-Usage: TRAIN-AI=N, Search=Y", "/", "train-ai=n, search=y"},
		{"Content-Usage: train-ai=n", "/a", ""},
		{"User-agent: you\nContent-Usage: train-ai=n", "/a", ""},
		{"User-agent: *\nContent-Usage: train-ai=n\nUser-agent: me\nAllow: /", "/a", ""},
		{"User-agent: me\nContent-Usage: train-ai=n\nUser-agent: you\nContent-Usage: search=n", "/a", "train-ai=n"},
		{"User-agent: me\nContent-Usage: train-ai=n\nContent-Usage: search=n", "/a", "train-ai=n, search=n"},
		{"User-agent: me\nContent-Usage: train-ai=n\nContent-Usage: /a/ train-ai=y", "/a/b", "train-ai=y"},
		{"User-agent: me\nContent-Usage: train-ai=n\nContent-Usage: /a/ train-ai=y", "/a", "train-ai=n"},
		{"User-agent: me\nContent-Usage: /*.png$ train-ai=n", "/x.png", "train-ai=n"},
		{"User-agent: me\nContent-Usage: /*.png$ train-ai=n", "/x.png?a", ""},
		{"User-agent: me\nContent-Usage: /%7ea train-ai=n", "/~ab", "train-ai=n"},
		{"User-agent: me\nContent-Usage: /a", "/ab", ""},
		{"User-agent: me\nContent-Usage: train-ai=maybe, xtrain-ai=n", "/", ""},
		{"User-agent: me\nContent-Usage:", "/", ""},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct robots *r = robots_parse(rows[i].text, strlen(rows[i].text), "me");
		struct buf words = BUF_EMPTY;
		usage_write(robots_usage(r, rows[i].path, strlen(rows[i].path)), &words);
		buf_end(&words);
		if (strcmp(words.at, rows[i].words) != 0)
			fail_msg("<%s> of <%s> asks '%s', not '%s'", rows[i].path, rows[i].text, words.at, rows[i].words);
		buf_release(&words);
		robots_free(r);
	}
	/* a line about usage ends a run of user agents, as a rule does */
	assert_true(allows("User-agent: me\nContent-Usage: search=n\nUser-agent: you\nDisallow: /", "me", "/a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_read_in_any_shape),
		cmocka_unit_test(groups_are_chosen_and_merged),
		cmocka_unit_test(the_longest_match_wins_and_allow_on_a_tie),
		cmocka_unit_test(escapes_are_compared_by_what_they_mean),
		cmocka_unit_test(any_rules_decide_as_the_slow_matcher),
		cmocka_unit_test(delays_and_sitemaps_are_told),
		cmocka_unit_test(what_is_asked_of_users_is_that_of_the_longest_patterns),
		cmocka_unit_test(all_is_allowed_without_a_file),
		cmocka_unit_test(what_lies_beyond_the_limit_is_not_read),
		cmocka_unit_test(hostile_patterns_take_little_time),
	};

	return cmocka_run_group_tests_name("robots", tests, NULL, NULL);
}
