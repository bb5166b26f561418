#include "tests/test.h"

#include "fetch/answer.h"
#include "parser/usage.h"

#include <time.h>

#include <locale.h>

#define NOW 1700000000 /* Tue, 14 Nov 2023 22:13:20 GMT */

static void read_lines(struct answer *a, const char *lines)
{
	answer_reset(a);
	while (*lines) {
		size_t n = strcspn(lines, "\n") + 1;
		assert_int_equal(answer_line(a, lines, n, "lycosa", NOW), 0);
		lines += n;
	}
}

static void delays_are_seconds_or_dates_and_capped(void **state)
{
	static const struct {
		const char *value;
		int64_t ms;
	} rows[] = {
		{"0", 0},
		{"7", 7000},
		{"3599", 3599000},
		{"3600", 3600000},
		{"3601", 3600000},
		{"99999999999999999999999999999", 3600000},
		{"Tue, 14 Nov 2023 22:13:50 GMT", 30000},
		{"Tue, 14 Nov 2023 22:13:10 GMT", 0},
		{"Sun, 06 Nov 1994 08:49:37 GMT", 0},
		{"Tue, 14 Nov 2099 22:13:50 GMT", 3600000},
		{"", -1},
		{"soon", -1},
		{"-5", -1},
		{"1.5.7", -1},
	};
	struct answer a = {0};
	char lines[256];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(lines, sizeof lines, "HTTP/1.1 503 x\r\nRetry-After: %s\r\n\r\n", rows[i].value);
		read_lines(&a, lines);
		if (a.retry_after != rows[i].ms)
			fail_msg("'%s' gave %lld", rows[i].value, (long long)a.retry_after);
	}
	answer_release(&a);
}

static void a_time_of_the_last_change_is_kept_if_it_is_written_as_a_server_writes_it(void **state)
{
	static const struct {
		const char *value;
		int64_t time;
	} rows[] = {
		{"Sun, 06 Nov 1994 08:49:37 GMT", 784111777},
		{"Fri, 31 Dec 9999 23:59:59 GMT", 253402300799},
		{"Sat, 01 Jan 10000 00:00:00 GMT", 0}, /* dates have four digits of a year */
		{"Thu, 01 Jan 1970 00:00:01 GMT", 1},
		{"Thu, 01 Jan 1970 00:00:00 GMT", 0},
		{"Sunday, 06-Nov-94 08:49:37 GMT", 0},
		{"1994-11-06", 0},
		{"yesterday", 0},
	};
	struct answer a = {0};
	char lines[256];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(lines, sizeof lines, "HTTP/1.1 200 x\r\nLast-Modified: %s\r\n\r\n", rows[i].value);
		read_lines(&a, lines);
		if (a.modified != rows[i].time)
			fail_msg("'%s' gave %lld", rows[i].value, (long long)a.modified);
	}
	answer_release(&a);
}

static void growing_delays_double_up_to_an_hour(void **state)
{
	struct answer a = {0};

	(void)state;
	read_lines(&a, "HTTP/1.1 503 x\r\n\r\n");
	assert_int_equal(answer_delay(&a, 0), 1000);
	assert_int_equal(answer_delay(&a, 1), 2000);
	assert_int_equal(answer_delay(&a, 2), 4000);
	assert_int_equal(answer_delay(&a, 11), 2048000);
	assert_int_equal(answer_delay(&a, 12), 3600000);
	assert_int_equal(answer_delay(&a, 4000000000u), 3600000);
	answer_release(&a);
}

static void robots_tags_are_read_for_us_and_for_all(void **state)
{
	static const struct {
		const char *value;
		int nofollow;
	} rows[] = {
		{"nofollow", 1},
		{"noindex, NOFOLLOW", 1},
		{"none", 1},
		{"noindex", 0},
		{"index,follow", 0},
		{"lycosa: nofollow", 1},
		{"Lycosa: noindex, nofollow", 1},
		{"otherbot: nofollow", 0},
		{"otherbot: noindex, nofollow", 0},
		{"otherbot: nofollow, lycosa: none", 1},
		{"unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow", 1},
		{"unavailable_after: Wed, 25 Jun 2010 15:00:00 PST, nofollow", 1},
		{"max-snippet: 20, nofollow", 1},
		{"nofollowing", 0},
		{":,,:nofollow", 0},
		{"", 0},
	};
	struct answer a = {0};
	char lines[256];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(lines, sizeof lines, "HTTP/1.1 200 OK\r\nX-Robots-Tag: %s\r\n\r\n", rows[i].value);
		read_lines(&a, lines);
		if (a.nofollow != rows[i].nofollow)
			fail_msg("'%s' gave %d", rows[i].value, a.nofollow);
	}
	answer_release(&a);
}

static void only_the_last_answers_own_headers_count(void **state)
{
	struct answer a = {0};

	(void)state;
	read_lines(&a,
		"HTTP/1.1 103 Early Hints\r\nLocation: /early\r\nX-Robots-Tag: none\r\n\r\n"
		"HTTP/2 302 \r\nlocation:  /first \r\nLocation: /second\r\ncontent-TYPE: a/b\r\n"
		" folded: Location: /fold\r\nno colon here\r\nContent-Type: text/html\r\n\r\n"
		"Location: /trailer\r\nRetry-After: 5\r\n");
	assert_int_equal(a.status, 302);
	assert_true(a.has_headers);
	assert_string_equal(a.location.at, "/first");
	assert_string_equal(a.type, "text/html");
	assert_int_equal(a.retry_after, -1);
	assert_int_equal(a.nofollow, 0);
	answer_release(&a);
}

static void statuses_that_are_no_numbers_are_none(void **state)
{
	static const char *const lines[] = {"HTTP/1.1\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 99999999999999\r\n\r\n",
		"HTTP/\r\n\r\n", "HTTP/1.1 \r\n\r\n"};
	struct answer a = {0};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		read_lines(&a, lines[i]);
		assert_int_equal(a.status, 0);
		struct verdict v = answer_judge(&a, OUTCOME_NONE, TRANSIENT, 0, 1);
		assert_int_equal(v.state, PAGE_FAILED);
		assert_int_equal(v.outcome, OUTCOME_BROKEN);
	}
	answer_release(&a);
}

static void headers_are_capped(void **state)
{
	struct answer a = {0};
	char line[1000];
	size_t taken = 0;

	(void)state;
	memset(line, 'x', sizeof line);
	answer_reset(&a);
	while (answer_line(&a, line, sizeof line, "lycosa", NOW) == 0)
		taken += sizeof line;
	assert_in_range(taken, ANSWER_MAX_HEADERS - sizeof line, ANSWER_MAX_HEADERS);
	/* and interim answers do not start the count anew */
	answer_reset(&a);
	int full = 0;
	for (int i = 0; i < 100000 && !full; i++)
		full = answer_line(&a, "HTTP/1.1 100 Go on\r\n", 20, "lycosa", NOW) != 0;
	assert_true(full);
	answer_release(&a);
}

/* Each row: the lines behind the status, and what is known of the answer then. */
static void fields_are_read_whatever_their_case_and_blanks(void **state)
{
	static const struct {
		const char *lines;
		const char *type, *language, *location, *refresh, *etag;
		unsigned packed, gzipped;
		int contradicts;
	} rows[] = {
		{"", "", "", "", "", "", 0, 0, 0},
		{"CONTENT-TYPE:\t text/html ; charset=x \t\r\n", "text/html ; charset=x", "", "", "", "", 0, 0, 0},
		{"Content-Type: a/b\r\nContent-Type:\r\n", "", "", "", "", "", 0, 0, 0},
		{"Content-Type : a/b\r\n", "a/b", "", "", "", "", 0, 0, 0},
		{"Content-Types: a/b\r\nontent-Type: a/b\r\n", "", "", "", "", "", 0, 0, 0},
		{"Content-Language: de, en\r\n", "", "de, en", "", "", "", 0, 0, 0},
		{"Location: /\xc3\xa4\x7f\x80\r\nRefresh: 0; url=\xff\r\nRefresh: 1\r\n", "", "", "/%C3%A4\x7f%80", "0; url=%FF",
			"", 0, 0, 0},
		{"Location:\r\nLocation: /late\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: \"a\"\r\n", "", "", "", "", "\"a\"", 0, 0, 0},
		{"ETag: W/\"a\"\r\n", "", "", "", "", "W/\"a\"", 0, 0, 0},
		{"ETag: \"\"\r\n", "", "", "", "", "\"\"", 0, 0, 0},
		{"ETag: W/\"\"\r\n", "", "", "", "", "W/\"\"", 0, 0, 0},
		{"ETag: \"!~\x80\"\r\n", "", "", "", "", "\"!~\x80\"", 0, 0, 0},
		{"ETag: \"a\"\r\nETag: b\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: \"\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: W/\"\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: a\"\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: \"a\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: w/\"a\"\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: \"a b\"\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: \" ab\"\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: W/\" ab\"\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: \"ab \"\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: \"a\"b\"\r\n", "", "", "", "", "", 0, 0, 0},
		{"ETag: \"a\x7f\"\r\n", "", "", "", "", "", 0, 0, 0},
		{"Content-Encoding: gzip\r\n", "", "", "", "", "", 1, 1, 0},
		{"Content-Encoding: X-GZIP , br,\tzstd\r\n", "", "", "", "", "", 3, 1, 0},
		{"Content-Encoding: deflate,compress\r\nContent-Encoding: x-compress,gzip\r\n", "", "", "", "", "", 4, 1, 0},
		{"Content-Encoding: identity, utf-8, gzipped,,\r\n", "", "", "", "", "", 0, 0, 0},
		{"Content-Length: 12\r\nContent-Length:12 \r\n", "", "", "", "", "", 0, 0, 0},
		{"Content-Length: 12\r\nContent-Length: 13\r\n", "", "", "", "", "", 0, 0, 1},
		{"Content-Length: 12\r\nContent-Length: 22\r\n", "", "", "", "", "", 0, 0, 1},
		{"Content-Length: 12\r\nContent-Length: 12\r\nContent-Length: 1\r\nContent-Length: 1\r\n", "", "", "", "", "", 0, 0,
			1},
		{"Content-Length: 2\r\nContent-Length: 22\r\n", "", "", "", "", "", 0, 0, 1},
		{"Content-Length: 21\r\nContent-Length: 12\r\n", "", "", "", "", "", 0, 0, 1},
	};
	struct answer a = {0};
	char lines[256];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		/* of an answer before nothing is kept */
		read_lines(&a,
			"HTTP/1.1 200 OK\r\nContent-Type: x/y\r\nContent-Language: x\r\nLocation: x\r\n"
			"Refresh: 1\r\nETag: \"x\"\r\nContent-Length: 1\r\nContent-Length: 2\r\n"
			"Content-Encoding: gzip\r\n\r\n");
		snprintf(lines, sizeof lines, "HTTP/1.1 200 OK\r\n%s\r\n", rows[i].lines);
		read_lines(&a, lines);
		if (strcmp(a.type, rows[i].type) != 0 || a.has_type != (*rows[i].type != 0) ||
			strcmp(a.language, rows[i].language) != 0 ||
			strcmp(a.location.at ? a.location.at : "", rows[i].location) != 0 ||
			a.has_location != (strstr(rows[i].lines, "Location:") != NULL) ||
			strcmp(a.refresh.at ? a.refresh.at : "", rows[i].refresh) != 0 ||
			a.has_refresh != (*rows[i].refresh != 0) || strcmp(a.etag.used ? a.etag.at : "", rows[i].etag) != 0 ||
			a.packed != rows[i].packed || a.gzipped != rows[i].gzipped || a.contradicts != rows[i].contradicts)
			fail_msg("'%s'", rows[i].lines);
	}
	answer_release(&a);
}

/* A field of n letters behind its name, given back in *a. */
static void read_long(struct answer *a, const char *before, size_t n, const char *behind)
{
	static char line[1024];
	const size_t m = strlen(before);

	answer_reset(a);
	strcpy(line, before);
	memset(line + m, 'x', n);
	snprintf(line + m + n, sizeof line - m - n, "%s\r\n", behind);
	assert_int_equal(answer_line(a, line, strlen(line), "lycosa", NOW), 0);
}

static void long_fields_are_cut_or_ignored(void **state)
{
	struct answer a = {0};

	(void)state;
	read_long(&a, "Content-Type: ", 511, "");
	assert_int_equal(strlen(a.type), 511);
	read_long(&a, "Content-Type: ", 512, "");
	assert_int_equal(strlen(a.type), 511);
	read_long(&a, "Content-Language: ", 63, "");
	assert_int_equal(strlen(a.language), 63);
	read_long(&a, "Content-Language: ", 64, "");
	assert_int_equal(strlen(a.language), 0);
	read_long(&a, "ETag: \"", ANSWER_MAX_ETAG - 2, "\"");
	assert_int_equal(a.etag.used, ANSWER_MAX_ETAG);
	read_long(&a, "ETag: \"", ANSWER_MAX_ETAG - 1, "\"");
	assert_int_equal(a.etag.used, 0);
	/* and what follows a too long text of a date is no date */
	read_long(&a, "Retry-After: ", 63, "");
	assert_int_equal(a.retry_after, -1);
	read_long(&a, "Retry-After: 7", 70, "");
	assert_int_equal(a.retry_after, -1);
	answer_release(&a);
}

static void a_date_is_kept_if_it_is_written_as_servers_write_it(void **state)
{
	static const char *const others[] = {"Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
		"Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT", "Mon, 06 Nov 1994 08:49:37 GMT",
		"Sun, 06 Nov 1994 08:49:37", "Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 31 Dec 1969 23:59:59 GMT", "soon", "",
		"Sun, 06 Nov 1994 08:49:37 GMT and all that follows it"};
	struct answer a = {0};
	const int64_t end = 4102444800; /* 2100 */
	char text[ANSWER_DATE_SIZE], want[64], lines[256];

	(void)state;
	/* at the ends of months and years, and in between: as strftime() writes it here */
	for (int64_t t = 1; t < end; t = (t * 2 > 86400 * 31) ? t + 86400 * 31 - 3601 : t * 2) {
		const time_t at = (time_t)t;
		strftime_l(want, sizeof want, "%a, %d %b %Y %H:%M:%S GMT", gmtime(&at), newlocale(LC_ALL_MASK, "C", (locale_t)0));
		answer_date(t, text, sizeof text);
		assert_string_equal(text, want);
		snprintf(lines, sizeof lines, "HTTP/1.1 200 OK\r\nLast-Modified: %s\r\n\r\n", text);
		read_lines(&a, lines);
		assert_int_equal(a.modified, t);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		snprintf(lines, sizeof lines, "HTTP/1.1 200 OK\r\nLast-Modified: %s\r\n\r\n", others[i]);
		read_lines(&a, lines);
		if (a.modified)
			fail_msg("'%s' gave %lld", others[i], (long long)a.modified);
	}
	answer_release(&a);
}

static void a_status_is_the_number_behind_the_first_blank(void **state)
{
	static const struct {
		const char *line;
		unsigned status;
	} rows[] = {{"HTTP/1.1 200 OK", 200}, {"HTTP/2 404", 404}, {"HTTP/1.1 999 x", 999}, {"HTTP/1.1 000", 0},
		{"HTTP/1.1 1000", 0}, {"HTTP/1.1 20x", 20}, {"HTTP/1.1 209", 209}, {"HTTP/1.1  200", 0}, {"HTTP/1.1 7", 7}};
	struct answer a = {0};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		answer_reset(&a);
		assert_int_equal(answer_line(&a, rows[i].line, strlen(rows[i].line), "lycosa", NOW), 0);
		if (a.status != rows[i].status)
			fail_msg("%s: %u", rows[i].line, a.status);
	}
	answer_release(&a);
}

static void as_many_bytes_of_headers_are_read_as_the_settings_allow(void **state)
{
	struct answer a = {.max_headers = 30};

	(void)state;
	assert_int_equal(answer_line(&a, "HTTP/1.1 200 OK\r\n", 17, "lycosa", NOW), 0);
	assert_int_equal(answer_line(&a, "ETag: \"12\"\r\n", 13, "lycosa", NOW), 0);
	assert_int_equal(answer_line(&a, "\n", 1, "lycosa", NOW), -1);
	answer_reset(&a);
	assert_int_equal(answer_line(&a, "HTTP/1.1 200 OK and so on and on\r\n", 34, "lycosa", NOW), -1);
	answer_release(&a);
}

static void verdicts_follow_status_and_error(void **state)
{
	static const struct {
		const char *lines;
		enum outcome error;
		enum permanence permanence;
		unsigned tries;
		enum page_state state;
		enum outcome verdict;
		int64_t delay;
	} rows[] = {
		{"200\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_CRAWLED, OUTCOME_CRAWLED, 0},
		{"204\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_CRAWLED, OUTCOME_CRAWLED, 0},
		{"299\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_CRAWLED, OUTCOME_CRAWLED, 0},
		{"200\n\n", OUTCOME_BROKEN, TRANSIENT, 0, PAGE_QUEUED, OUTCOME_BROKEN, 1000},
		{"200\n\n", OUTCOME_BROKEN, TRANSIENT, 1, PAGE_QUEUED, OUTCOME_BROKEN, 2000},
		{"200\n\n", OUTCOME_BROKEN, TRANSIENT, 2, PAGE_FAILED, OUTCOME_BROKEN, 0},
		{"200\n\n", OUTCOME_TOO_BIG, PERMANENT, 0, PAGE_FAILED, OUTCOME_TOO_BIG, 0},
		{"200\n", OUTCOME_BROKEN, TRANSIENT, 0, PAGE_QUEUED, OUTCOME_BROKEN, 1000},
		{"301\nLocation: /x\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 0},
		{"308\nLocation: /x\n\n", OUTCOME_BROKEN, TRANSIENT, 0, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 0},
		{"300\nLocation: /x\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 0},
		{"300\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_FAILED, OUTCOME_STATUS, 0},
		{"302\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_FAILED, OUTCOME_NOWHERE, 0},
		{"304\nLocation: /x\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_FAILED, OUTCOME_STATUS, 0},
		{"305\nLocation: /x\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_FAILED, OUTCOME_STATUS, 0},
		{"404\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_FAILED, OUTCOME_STATUS, 0},
		{"404\n\n", OUTCOME_TIMEOUT, TRANSIENT, 0, PAGE_FAILED, OUTCOME_STATUS, 0},
		{"410\nRetry-After: 1\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_FAILED, OUTCOME_STATUS, 0},
		{"408\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_QUEUED, OUTCOME_STATUS, 1000},
		{"429\nRetry-After: 9\n\n", OUTCOME_NONE, TRANSIENT, 1, PAGE_QUEUED, OUTCOME_STATUS, 9000},
		{"500\n\n", OUTCOME_NONE, TRANSIENT, 1, PAGE_QUEUED, OUTCOME_STATUS, 2000},
		{"503\n\n", OUTCOME_TOO_BIG, PERMANENT, 0, PAGE_QUEUED, OUTCOME_STATUS, 1000},
		{"503\n\n", OUTCOME_NONE, TRANSIENT, 2, PAGE_FAILED, OUTCOME_STATUS, 0},
		{"999\n\n", OUTCOME_NONE, TRANSIENT, 0, PAGE_FAILED, OUTCOME_STATUS, 0},
		{"101\n\n", OUTCOME_NONE, TRANSIENT, 2, PAGE_FAILED, OUTCOME_BROKEN, 0},
	};
	struct answer a = {0};
	char lines[256];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(lines, sizeof lines, "HTTP/1.1 %s", rows[i].lines);
		read_lines(&a, lines);
		struct verdict v = answer_judge(&a, rows[i].error, rows[i].permanence, rows[i].tries, 3);
		if (v.state != rows[i].state || v.outcome != rows[i].verdict || v.retry_after != rows[i].delay)
			fail_msg("row %zu gave %d, %d, %lld", i, (int)v.state, (int)v.outcome, (long long)v.retry_after);
	}
	answer_release(&a);
}

static void product_tokens_end_at_slash_or_blank(void **state)
{
	static const char *const rows[][2] = {{"lycosa/0.1 (+http://x.test/)", "lycosa"}, {"suitebot", "suitebot"},
		{"My Bot/1", "My"}, {"", ""}, {"/x", ""}, {"abcdefghijklmnop", "abcdefghi"}};
	char token[10];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		answer_product(rows[i][0], token, sizeof token);
		assert_string_equal(token, rows[i][1]);
	}
}

static void what_headers_ask_of_users_is_recorded(void **state)
{
	static const struct {
		const char *line;
		unsigned usage;
	} rows[] = {
		{"X-Robots-Tag: noai, noimageai", USAGE_NOAI | USAGE_NOIMAGEAI},
		{"x-robots-tag: NoArchive", USAGE_NOARCHIVE},
		{"X-Robots-Tag: none", USAGE_NOINDEX},
		{"X-Robots-Tag: otherbot: noai", 0},
		{"X-Robots-Tag: otherbot: noai, lycosa: noimageai", USAGE_NOIMAGEAI},
		{"X-Robots-Tag: max-snippet: 20, noai", USAGE_NOAI},
		{"Content-Usage: train-ai=n, search=y", USAGE_NO_TRAIN | USAGE_SEARCH},
		{"Content-Usage: train-ai=nn", 0},
		{"TDM-Reservation: 1", USAGE_RESERVED},
		{"TDM-Reservation: 0", 0},
	};
	struct answer a = {.status = 0};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		answer_reset(&a);
		assert_int_equal(answer_line(&a, rows[i].line, strlen(rows[i].line), "lycosa", 0), 0);
		if (a.usage != rows[i].usage)
			fail_msg("'%s' gave %x", rows[i].line, a.usage);
	}
	answer_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delays_are_seconds_or_dates_and_capped),
		cmocka_unit_test(a_time_of_the_last_change_is_kept_if_it_is_written_as_a_server_writes_it),
		cmocka_unit_test(growing_delays_double_up_to_an_hour),
		cmocka_unit_test(robots_tags_are_read_for_us_and_for_all),
		cmocka_unit_test(only_the_last_answers_own_headers_count),
		cmocka_unit_test(statuses_that_are_no_numbers_are_none),
		cmocka_unit_test(headers_are_capped),
		cmocka_unit_test(fields_are_read_whatever_their_case_and_blanks),
		cmocka_unit_test(long_fields_are_cut_or_ignored),
		cmocka_unit_test(a_date_is_kept_if_it_is_written_as_servers_write_it),
		cmocka_unit_test(a_status_is_the_number_behind_the_first_blank),
		cmocka_unit_test(as_many_bytes_of_headers_are_read_as_the_settings_allow),
		cmocka_unit_test(verdicts_follow_status_and_error),
		cmocka_unit_test(product_tokens_end_at_slash_or_blank),
		cmocka_unit_test(what_headers_ask_of_users_is_recorded),
	};

	return cmocka_run_group_tests_name("answer", tests, NULL, NULL);
}
