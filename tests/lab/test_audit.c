/* lab/measure/audit.h: each rule by an example and its counterexample, and the times against a look at all pairs. */
#include "tests/test.h"

#include "base/rng.h"
#include "lab/measure/audit.h"

#define MS 1000

/* BEGIN and END in ms, host, address, target, status, Retry-After in s (0: none). */
struct line {
	int begin, end;
	const char *host, *address, *target;
	unsigned status;
	int retry_after;
};

static struct audit *audit_of(const struct audit_rules *rules, const struct line *l, size_t n)
{
	struct audit *a = audit_new(rules);

	for (size_t i = 0; i < n; i++)
		audit_add(a,
			&(struct access){.line = i + 1,
				.begin = (int64_t)l[i].begin * MS,
				.end = (int64_t)l[i].end * MS,
				.host = l[i].host,
				.address = l[i].address,
				.target = l[i].target,
				.agent = "",
				.status = l[i].status,
				.retry_after = l[i].retry_after ? (int64_t)l[i].retry_after * 1000000 : -1,
				.is_whole = 1});
	audit_judge(a);
	return a;
}

#define ROBOTS "/robots.txt"

/* The breaches of three lines must be the one at line `line` of `rule` because of line `because`; line 0: none. */
static void a_rule_is_broken_where_it_is(void **state)
{
	static const struct {
		enum audit_rule rule;
		uint64_t line, because;
		struct line l[3];
	} cases[] = {
		{AUDIT_RULES, 0, 0,
			{{0, 1, "a", "1", ROBOTS, 404, 0}, {101, 105, "a", "1", "/x", 200, 0}, {205, 206, "a", "1", "/y", 200, 0}}},
		{AUDIT_HOST_DELAY, 3, 2,
			{{0, 1, "a", "1", ROBOTS, 404, 0}, {101, 105, "a", "1", "/x", 200, 0}, {204, 206, "a", "2", "/y", 200, 0}}},
		{AUDIT_ADDRESS_DELAY, 2, 1,
			{{0, 1, "a", "1", ROBOTS, 404, 0}, {100, 105, "b", "1", ROBOTS, 200, 0},
				{205, 206, "a", "1", "/y", 200, 0}}},
		{AUDIT_ROBOTS_FIRST, 1, 0,
			{{0, 1, "a", "1", "/x", 200, 0}, {101, 102, "a", "1", ROBOTS, 404, 0}, {205, 206, "a", "1", "/y", 200, 0}}},
		{AUDIT_ROBOTS_OBEYED, 2, 1,
			{{0, 1, "a", "1", ROBOTS, 200, 0}, {101, 105, "a", "1", "/no/x", 200, 0},
				{205, 206, "a", "1", "/y", 200, 0}}},
		{AUDIT_RULES, 0, 0,
			{{0, 1, "a", "1", ROBOTS, 404, 0}, {101, 105, "a", "1", "/no/x", 200, 0},
				{205, 206, "a", "1", "/y", 200, 0}}},
		{AUDIT_ROBOTS_OBEYED, 2, 1,
			{{0, 1, "a", "1", ROBOTS, 503, 0}, {101, 105, "a", "1", "/x", 200, 0},
				{205, 206, "b", "1", ROBOTS, 200, 0}}},
		{AUDIT_TWICE, 3, 2,
			{{0, 1, "a", "1", ROBOTS, 404, 0}, {101, 105, "a", "1", "/x", 200, 0}, {205, 206, "a", "1", "/x", 200, 0}}},
		{AUDIT_RULES, 0, 0,
			{{0, 1, "a", "1", ROBOTS, 404, 0}, {101, 105, "a", "1", "/x", 500, 0}, {205, 206, "a", "1", "/x", 200, 0}}},
		{AUDIT_TWICE, 3, 1,
			{{0, 1, "a", "1", ROBOTS, 404, 0}, {101, 105, "a", "1", "/x", 200, 0},
				{205, 206, "a", "1", ROBOTS, 404, 0}}},
		{AUDIT_RETRY_AFTER, 3, 2,
			{{0, 1, "a", "1", ROBOTS, 404, 0}, {101, 105, "a", "1", "/x", 503, 2},
				{2104, 2106, "a", "1", "/y", 200, 0}}},
		{AUDIT_RULES, 0, 0,
			{{0, 1, "a", "1", ROBOTS, 404, 0}, {101, 105, "a", "1", "/x", 503, 2},
				{2105, 2106, "a", "1", "/x", 200, 0}}},
		{AUDIT_RULES, 0, 0,
			{{0, 1, "a", "1", ROBOTS, 404, 0}, {101, 105, "a", "1", "/x", 503, 2},
				{205, 206, "b", "1", ROBOTS, 404, 0}}},
	};
	static const char rules_text[] = "User-agent: *\nDisallow: /no/\n";
	struct robots *robots = robots_parse(rules_text, sizeof rules_text - 1, "lycosa");

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct audit_rules rules = {.delay = 100 * MS, .rest = 100 * MS, .at_once = 1, .robots = robots};
		struct audit *a = audit_of(&rules, cases[i].l, 3);
		const struct audit_breach *b = audit_breach(a, 0);
		assert_int_equal(b ? b->line : 0, cases[i].line);
		if (b) {
			assert_int_equal(b->rule, cases[i].rule);
			assert_int_equal(b->because, cases[i].because);
			assert_int_equal(audit_count(a, b->rule).breaches, 1);
		}
		assert_null(audit_breach(a, 1));
		audit_free(a);
	}
	robots_free(robots);
}

static void a_crawl_delay_of_robots_txt_is_asked_for(void **state)
{
	static const struct line l[] = {{0, 1, "a", "1", ROBOTS, 200, 0}, {1000, 1001, "a", "1", "/x", 200, 0},
		{6000, 6001, "a", "1", "/y", 200, 0}, {6500, 6501, "b", "1", ROBOTS, 404, 0}, {7000, 7001, "b", "1", "/x", 200, 0}};
	static const char text[] = "User-agent: lycosa\nCrawl-delay: 5\n";
	struct robots *robots = robots_parse(text, sizeof text - 1, "lycosa");
	struct audit *a = audit_of(&(struct audit_rules){.at_once = 1, .robots = robots}, l, 5);
	const struct audit_breach *b = audit_breach(a, 0);

	(void)state;
	assert_non_null(b);
	assert_int_equal(b->line, 2);
	assert_int_equal(b->us, 1000 * MS);
	assert_null(audit_breach(a, 1));
	assert_int_equal(audit_count(a, AUDIT_HOST_DELAY).least, 1000 * MS);
	audit_free(a);
	robots_free(robots);
}

/* By a look at all requests before: how many are in flight, and the times since. */
static void times_are_those_of_all_pairs(void **state)
{
	static const char *const names[] = {"a", "b", "c"};
	struct rng rng = {3};

	(void)state;
	for (int run = 0; run < 200; run++) {
		const struct audit_rules rules = {.delay = 20 * MS, .rest = 10 * MS, .at_once = 1 + (uint32_t)rng_below(&rng, 3)};
		struct line l[60];
		uint64_t busy = 0, early = 0;
		for (int i = 0; i < 60; i++) {
			l[i] = (struct line){.begin = i * 15 + (int)rng_below(&rng, 15),
				.host = names[rng_below(&rng, 3)],
				.address = "1",
				.target = ROBOTS,
				.status = 500};
			l[i].end = l[i].begin + (int)rng_below(&rng, 60);
			uint32_t flying = 0;
			int begun = INT32_MIN / 2, ended = INT32_MIN / 2;
			for (int k = 0; k < i; k++) {
				if (l[k].host != l[i].host)
					continue;
				flying += l[k].end > l[i].begin;
				begun = l[k].begin > begun ? l[k].begin : begun;
				ended = l[k].end > ended ? l[k].end : ended;
			}
			busy += flying >= rules.at_once;
			early += l[i].begin - begun < 20 || l[i].begin - ended < 10;
		}
		struct audit *a = audit_of(&rules, l, 60);
		assert_int_equal(audit_count(a, AUDIT_HOST_AT_ONCE).breaches, busy);
		assert_int_equal(audit_count(a, AUDIT_HOST_DELAY).breaches, early);
		audit_free(a);
	}
}

/* --- the log */

#define NGINX "$remote_addr - [$time_local] $msec $request_time $server_addr $host \"$request\" $status \"$http_user_agent\""

static void a_log_of_nginx_is_read_by_its_format(void **state)
{
	static const char text[] =
		"127.0.0.1 - [22/Nov/2026:09:00:00 +0000] 1763802000.250 0.050 127.0.0.3 H.test \"GET /a?b=1 HTTP/1.1\" 200 \"Wget/2\"\n"
		"\n"
		"127.0.0.1 - [22/Nov/2026:09:00:00 +0000] 1763802001.000 0.000 127.0.0.3 h.test \"GET http://h.test/c HTTP/1.1\" 503 \"-\"\n";
	struct access_log *log;
	struct access a;
	struct err_note why = {""};

	(void)state;
	assert_int_equal(access_log_open(&log, scratch_file(text, sizeof text - 1), NGINX, &why), 0);
	assert_int_equal(access_log_next(log, &a, &why), 1);
	assert_true(a.begin == 1763802000200000 && a.end == 1763802000250000);
	assert_string_equal(a.host, "h.test");
	assert_string_equal(a.address, "127.0.0.3");
	assert_string_equal(a.target, "/a?b=1");
	assert_string_equal(a.agent, "Wget/2");
	assert_int_equal(a.status, 200);
	assert_int_equal(access_log_next(log, &a, &why), 1);
	assert_int_equal(a.line, 3);
	assert_string_equal(a.target, "/c");
	assert_int_equal(access_log_next(log, &a, &why), 0);
	access_log_close(log);
}

static void what_is_no_format_or_no_line_of_it_is_told(void **state)
{
	static const char *const formats[] = {"", "$host $request", "$msec $request", "$msec $host", "$msec$host $request", "$",
		"$msec ${host} $request $", "$end_us $host $request", "$begin_us $host $request"};
	static const char *const lines[] = {"1 h", "x h GET / HTTP/1.0", "1 h GET / HTTP/1.0 more|", "-1 h GET /|",
		"1e300 h GET /|"};
	struct access_log *log;
	struct access a;
	struct err_note why;

	(void)state;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		assert_int_equal(access_log_open(&log, "/dev/null", formats[i], &why), ERR_USAGE);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		assert_int_equal(access_log_open(&log, scratch_file(lines[i], strlen(lines[i])), "$msec $host $request|$status",
					 &why),
			0);
		assert_int_equal(access_log_next(log, &a, &why), ERR_FORMAT);
		access_log_close(log);
	}
	assert_int_equal(access_log_open(&log, "/nowhere/at/all", NULL, &why), ERR_FILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_is_broken_where_it_is),
		cmocka_unit_test(a_crawl_delay_of_robots_txt_is_asked_for),
		cmocka_unit_test(times_are_those_of_all_pairs),
		cmocka_unit_test(a_log_of_nginx_is_read_by_its_format),
		cmocka_unit_test(what_is_no_format_or_no_line_of_it_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
