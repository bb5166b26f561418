#include "tests/fetch/fetching.h"

#include "fetch/robots_cache.h"

#include <unistd.h>

#define NO_PAGE "User-agent: *\nDisallow: /page\n"

/* --- the cache by itself */

static struct origin *find(struct robots_cache *c, const char *url, int64_t now)
{
	struct url u = URL_EMPTY;

	assert_int_equal(url_parse(&u, url, strlen(url), NULL), URL_OK);
	struct origin *o = robots_cache_find(c, &u, now);
	url_release(&u);
	return o;
}

static void rules_live_a_day(void **state)
{
	struct robots_cache *c = robots_cache_new("testbot", NULL);
	struct origin *o = find(c, "http://a.test/", 0);

	(void)state;
	assert_int_equal(o->standing, ORIGIN_UNKNOWN);
	assert_int_equal(o->host_delay, -1);
	robots_cache_rules(c, o, NO_PAGE, strlen(NO_PAGE), 1000);
	assert_int_equal(find(c, "http://a.test/x", 86400999)->standing, ORIGIN_KNOWN);
	assert_int_equal(find(c, "https://a.test/x", 86400999)->standing, ORIGIN_UNKNOWN);
	assert_int_equal(find(c, "http://a.test/x", 86401000)->standing, ORIGIN_UNKNOWN);
	robots_cache_no_rules(c, find(c, "http://a.test/", 86401000), 86401000);
	assert_int_equal(find(c, "http://a.test/page", 86401000)->standing, ORIGIN_KNOWN);
	robots_cache_free(c);
}

static void trouble_is_given_up_for_ten_minutes_and_an_ill_host_for_ten_seconds(void **state)
{
	struct robots_cache *c = robots_cache_new("testbot", NULL);
	struct origin *o = find(c, "http://a.test/", 0);

	(void)state;
	robots_cache_failed(o, OUTCOME_ROBOTS_WAIT, 503, 2, 1000, 50);
	assert_int_equal(find(c, "http://a.test/", 1049)->standing, ORIGIN_LATER);
	assert_int_equal(o->retry_time, 1050);
	assert_int_equal(find(c, "http://a.test/", 1050)->standing, ORIGIN_UNKNOWN);
	robots_cache_failed(o, OUTCOME_ROBOTS_UNAVAILABLE, 500, 2, 2000, 1100);
	assert_int_equal(find(c, "http://a.test/", 601099)->standing, ORIGIN_GIVEN_UP);
	assert_int_equal(o->error, OUTCOME_ROBOTS_UNAVAILABLE);
	assert_int_equal(find(c, "http://a.test/", 601100)->standing, ORIGIN_UNKNOWN);
	assert_int_equal(o->failures, 0);
	robots_cache_failed(o, OUTCOME_DNS, 0, 1, 2000, 700000);
	assert_int_equal(find(c, "http://a.test/", 709999)->standing, ORIGIN_GIVEN_UP);
	assert_int_equal(find(c, "http://a.test/", 710000)->standing, ORIGIN_UNKNOWN);
	robots_cache_failed(o, OUTCOME_ROBOTS_UNAVAILABLE, 503, 1, 2000, 800000);
	assert_int_equal(find(c, "http://a.test/", 809999)->standing, ORIGIN_GIVEN_UP);
	assert_int_equal(find(c, "http://a.test/", 810000)->standing, ORIGIN_UNKNOWN);
	robots_cache_free(c);
}

static void trouble_of_this_machine_is_waited_for_longer_and_longer(void **state)
{
	static const struct {
		int64_t now, wait;
	} rows[] = {{7, 1000}, {1006, 1000}, {1007, 1000}, {1008, 1001}, {60006, 59999}, {60007, 60000}, {60008, 60000},
		{600006, 60000}, {600007, -1},
		/* then it begins anew */
		{600008, 1000}, {605008, 5000}};
	struct robots_cache *c = robots_cache_new("testbot", NULL);
	struct origin *o = find(c, "http://a.test/", 0);

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (origin_trouble(o, rows[i].now) != rows[i].wait)
			fail_msg("at %lld", (long long)rows[i].now);
	origin_wait(o, OUTCOME_DNS, 500, 605008);
	assert_int_equal(o->error, OUTCOME_DNS);
	assert_int_equal(o->status, 0);
	assert_int_equal(o->failures, 0);
	assert_int_equal(find(c, "http://a.test/", 605507)->standing, ORIGIN_LATER);
	assert_int_equal(find(c, "http://a.test/", 605508)->standing, ORIGIN_UNKNOWN);
	robots_cache_free(c);
}

/* 300 files of 400 KB are more than the cache holds. */
static void the_least_recently_used_rules_are_forgotten(void **state)
{
	struct robots_cache *c = robots_cache_new("testbot", NULL);
	struct buf text = BUF_EMPTY;
	char url[64];

	(void)state;
	buf_text(&text, NO_PAGE);
	while (text.used < 400000)
		buf_text(&text, "# and so on and so on and so on\n");
	struct origin *busy = find(c, "http://busy.test/", 0);
	busy->users = 1;
	struct origin *asked = find(c, "http://asked.test/", 0);
	asked->standing = ORIGIN_ASKED;
	for (int i = 0; i < 300; i++) {
		snprintf(url, sizeof url, "http://h%d.test/", i);
		robots_cache_rules(c, find(c, url, 0), text.at, text.used, 0);
		find(c, "http://h0.test/", 0); /* in use all the time */
	}
	assert_int_equal(find(c, "http://h0.test/", 0)->standing, ORIGIN_KNOWN);
	assert_int_equal(find(c, "http://h299.test/", 0)->standing, ORIGIN_KNOWN);
	assert_int_equal(find(c, "http://h160.test/", 0)->standing, ORIGIN_KNOWN);
	assert_int_equal(find(c, "http://h120.test/", 0)->standing, ORIGIN_UNKNOWN);
	assert_ptr_equal(find(c, "http://busy.test/", 0), busy);
	assert_ptr_equal(find(c, "http://asked.test/", 0), asked);
	assert_int_equal(asked->standing, ORIGIN_ASKED);
	busy->users = 0;
	buf_release(&text);
	robots_cache_free(c);
}

/* --- as the fetchers use it */

static void robots_come_first_and_bounce_the_page(void **state)
{
	static const struct web_row rows[] = {
		{"/robots.txt", .headers = "Content-Type: text/plain\r\n",
			.body = "User-agent: *\nDisallow: /\nUser-agent: testbot\n"
				"Disallow: /private\nAllow: /private/but?this\nCrawl-delay: 2.5\n"},
		{"/page", .body = TWO_LINKS},
		{"/private/but?this", .body = TWO_LINKS},
	};
	struct web *web = web_open(rows, 3);
	struct fetch_settings set = settings(1);
	struct fetchers *f = start(&set);

	(void)state;
	struct fetch_page *page = fetch(f, web_url(web, "/page"), 0);
	assert_int_equal((page->result.not_before - page->result.ended), 0);
	assert_int_equal(page->result.host_delay, 2500);
	assert_true(page->result.bytes > 0);
	expect(page, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 200);
	assert_int_equal(web_count(web, "/page"), 0);
	page = fetch(f, web_url(web, "/page"), 0);
	assert_int_equal(page->result.host_delay, 2500);
	expect(page, PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	page = fetch(f, web_url(web, "/private"), 0);
	assert_int_equal(page->result.started, page->result.ended);
	expect(page, PAGE_REFUSED, OUTCOME_ROBOTS, 0);
	expect(fetch(f, web_url(web, "/private/but?that"), 0), PAGE_REFUSED, OUTCOME_ROBOTS, 0);
	expect(fetch(f, web_url(web, "/private/but?this"), 0), PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	assert_int_equal(web_count(web, "/private"), 0);
	assert_int_equal(web_count(web, "/robots.txt"), 1);
	fetchers_free(f);
	web_close(web);
}

/* What a robots.txt makes of /page. */
static const struct {
	struct web_row row[8];
	enum page_state state;
	enum outcome error;
} robots_cases[] = {
	{{{"/robots.txt", .body = NO_PAGE}}, PAGE_REFUSED, OUTCOME_ROBOTS},
	{{{"/robots.txt", .body = NO_PAGE, .fault = WEB_GZIP}}, PAGE_REFUSED, OUTCOME_ROBOTS},
	{{{"/robots.txt", .body = NO_PAGE, .fault = WEB_UNTIL_CLOSE}}, PAGE_REFUSED, OUTCOME_ROBOTS},
	{{{"/robots.txt", .status = 404, .body = NO_PAGE}}, PAGE_CRAWLED, OUTCOME_CRAWLED},
	{{{"/robots.txt", .status = 403, .body = NO_PAGE}}, PAGE_CRAWLED, OUTCOME_CRAWLED},
	{{{"/robots.txt", .status = 204}}, PAGE_CRAWLED, OUTCOME_CRAWLED},
	{{{"/robots.txt", .status = 503}}, PAGE_REFUSED, OUTCOME_ROBOTS_UNAVAILABLE},
	{{{"/robots.txt", .status = 429}}, PAGE_REFUSED, OUTCOME_ROBOTS_UNAVAILABLE},
	{{{"/robots.txt", .fault = WEB_HANG_UP}}, PAGE_FAILED, OUTCOME_BROKEN},
	{{{"/robots.txt", .body = NO_PAGE, .fault = WEB_TRUNCATED}}, PAGE_FAILED, OUTCOME_BROKEN},
	{{{"/robots.txt", .fault = WEB_SILENT}}, PAGE_FAILED, OUTCOME_TIMEOUT},
	{{{"/robots.txt", .fault = WEB_ENDLESS_HEADERS}}, PAGE_FAILED, OUTCOME_TOO_BIG},
	{{{"/robots.txt", .body = NO_PAGE "#", .fault = WEB_ENDLESS_BODY}}, PAGE_REFUSED, OUTCOME_ROBOTS},
	{{{"/robots.txt", .status = 301, .headers = "Location: /1\r\n"}, {"/1", .status = 302, .headers = "Location: /2\r\n"},
		 {"/2", .status = 307, .headers = "Location: http://localhost:{port}/3\r\n"},
		 {"/3", .status = 308, .headers = "Location: 4\r\n"}, {"/4", .status = 303, .headers = "Location: 5\r\n"},
		 {"/5", .body = NO_PAGE}},
		PAGE_REFUSED, OUTCOME_ROBOTS},
	{{{"/robots.txt", .status = 301, .headers = "Location: /1\r\n"}, {"/1", .status = 302, .headers = "Location: /2\r\n"},
		 {"/2", .status = 302, .headers = "Location: /3\r\n"}, {"/3", .status = 302, .headers = "Location: /4\r\n"},
		 {"/4", .status = 302, .headers = "Location: /5\r\n"}, {"/5", .status = 302, .headers = "Location: /6\r\n"},
		 {"/6", .body = NO_PAGE}},
		PAGE_CRAWLED, OUTCOME_CRAWLED},
	{{{"/robots.txt", .status = 301, .headers = "Location: http://127.0.0.1:1/\r\n"}}, PAGE_FAILED, OUTCOME_ROBOTS_ELSEWHERE},
	{{{"/robots.txt", .status = 301, .headers = "Location: ftp://x.test/\r\n"}}, PAGE_CRAWLED, OUTCOME_CRAWLED},
	{{{"/robots.txt", .status = 301, .headers = "Location: /1\r\n"}, {"/1", .status = 500}}, PAGE_REFUSED,
		OUTCOME_ROBOTS_UNAVAILABLE},
};

/* A server for each. */
static void robots_rules_follow_their_status(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof robots_cases / sizeof *robots_cases; i++) {
		struct web_row rows[9] = {{"/page", .body = TWO_LINKS}};
		size_t n = 1;
		for (; n < 9 && robots_cases[i].row[n - 1].path; n++)
			rows[n] = robots_cases[i].row[n - 1];
		struct web *web = web_open(rows, n);
		struct fetch_settings set = settings(1);
		set.tries = 1;
		if (rows[1].fault == WEB_SILENT)
			set.first_byte_timeout = 400;
		struct fetchers *f = start(&set);
		struct fetch_page *page = fetch(f, web_url(web, "/page"), 0);
		assert_int_equal(page->result.state, PAGE_QUEUED);
		assert_true(outcome_has(page->result.outcome, TRAIT_WAITS));
		assert_int_equal((page->result.not_before - page->result.ended), 0);
		fetch_page_free(page);
		page = fetch_politely(f, web_url(web, "/page"));
		if (page->result.state != robots_cases[i].state || page->result.outcome != robots_cases[i].error)
			fail_msg("case %zu: kind %d, error %d", i, (int)page->result.state, (int)page->result.outcome);
		fetch_page_free(page);
		fetchers_free(f);
		web_close(web);
	}
}

/* The page waits while it is asked for again, and fails for the same reason in the end. */
static void a_robots_txt_that_cannot_be_had_says_why(void **state)
{
	struct fetch_settings set = settings(1);
	static const struct web_row rows[] = {{"/robots.txt", .fault = WEB_SILENT}};
	struct web *web = web_open(rows, 1);
	char url[64];
	unsigned port;
	const int held = hold_closed_port(&port);

	(void)state;
	set.tries = 2;
	set.first_byte_timeout = 300;
	snprintf(url, sizeof url, "http://127.0.0.1:%u/page", port);
	struct fetchers *f = start(&set);
	expect(fetch(f, url, 0), PAGE_QUEUED, OUTCOME_ROBOTS_CONNECT, 0);
	expect(fetch(f, url, 0), PAGE_QUEUED, OUTCOME_ROBOTS_CONNECT, 0);
	struct fetch_page *page = fetch(f, url, 0);
	while (page->result.state == PAGE_QUEUED) {
		usleep((unsigned)(page->result.not_before - page->result.ended) * 1000);
		fetch_page_free(page);
		page = fetch(f, url, 0);
	}
	expect(page, PAGE_FAILED, OUTCOME_CONNECT, 0);
	expect(fetch(f, web_url(web, "/page"), 0), PAGE_QUEUED, OUTCOME_ROBOTS_TIMEOUT, 0);
	fetchers_free(f);
	web_close(web);
	close(held);
}

static void robots_in_trouble_are_asked_again_a_few_times(void **state)
{
	static const struct web_row rows[] = {
		{"/robots.txt", .status = 503, .headers = "Retry-After: 0\r\n", .times = 1},
		{"/robots.txt", .status = 503},
		{"/page", .body = TWO_LINKS},
	};
	struct web *web = web_open(rows, 3);
	struct fetch_settings set = settings(1);

	(void)state;
	set.tries = 3;
	struct fetchers *f = start(&set);
	struct fetch_page *page = fetch(f, web_url(web, "/page"), 0);
	assert_int_equal((page->result.not_before - page->result.ended), 0);
	expect(page, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 503);
	page = fetch(f, web_url(web, "/page"), 0); /* the second failure */
	assert_int_equal((page->result.not_before - page->result.ended), 2000);
	int64_t again = page->result.not_before;
	expect(page, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 503);
	page = fetch(f, web_url(web, "/other"), 0); /* too early: no request is made */
	assert_int_equal(page->result.started, page->result.ended);
	assert_int_equal(page->result.not_before, again);
	expect(page, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 503);
	assert_int_equal(web_count(web, "/robots.txt"), 2);
	while (clock_ms() < again)
		usleep(10000);
	page = fetch(f, web_url(web, "/page"), 0); /* the third is the last */
	assert_int_equal((page->result.not_before - page->result.ended), 0);
	expect(page, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 503);
	expect(fetch(f, web_url(web, "/page"), 0), PAGE_REFUSED, OUTCOME_ROBOTS_UNAVAILABLE, 503);
	expect(fetch(f, web_url(web, "/other"), 0), PAGE_REFUSED, OUTCOME_ROBOTS_UNAVAILABLE, 503);
	assert_int_equal(web_count(web, "/robots.txt"), 3);
	assert_int_equal(web_count(web, "/page"), 0);
	fetchers_free(f);
	web_close(web);
}

static void robots_that_heal_let_the_page_through(void **state)
{
	static const struct web_row rows[] = {
		{"/robots.txt", .status = 500, .headers = "Retry-After: 0\r\n", .times = 2},
		{"/robots.txt", .body = "User-agent: *\nDisallow: /no\nCrawl-delay: 999\n"},
		{"/page", .body = TWO_LINKS},
	};
	struct web *web = web_open(rows, 3);
	struct fetch_settings set = settings(1);

	(void)state;
	struct fetchers *f = start(&set);
	expect(fetch(f, web_url(web, "/page"), 0), PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 500);
	expect(fetch(f, web_url(web, "/page"), 0), PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 500);
	struct fetch_page *page = fetch(f, web_url(web, "/page"), 0);
	assert_int_equal(page->result.host_delay, 60000);
	expect(page, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 200);
	expect(fetch(f, web_url(web, "/page"), 0), PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	expect(fetch(f, web_url(web, "/no"), 0), PAGE_REFUSED, OUTCOME_ROBOTS, 0);
	fetchers_free(f);
	web_close(web);
}

static void pages_wait_together_for_a_robots_txt(void **state)
{
	static _Atomic int all_wait;
	static const struct web_row rows[] = {{"/robots.txt", .body = NO_PAGE, .ms = 200, .gate = &all_wait}};
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(8);
	struct fetchers *f = start(&set);
	uint64_t bytes = 0;

	(void)state;
	for (uint32_t id = 0; id < 8; id++)
		submit(f, id, web_url(web, "/x"), 0);
	all_wait = 1;
	for (uint32_t id = 0; id < 8; id++) {
		struct fetch_page *page = reap(f);
		assert_int_equal(page->result.id, id); /* in the order in which they came */
		bytes += page->result.bytes;
		expect(page, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 200);
	}
	assert_int_equal(bytes, strlen(NO_PAGE));
	assert_int_equal(web_count(web, "/robots.txt"), 1);
	fetchers_free(f);
	web_close(web);
}

static void robots_are_kept_by_origin(void **state)
{
	static const struct web_row rows[] = {
		{"/robots.txt", .host = "a.test", .body = NO_PAGE},
		{"/page", .body = TWO_LINKS},
	};
	struct web *web = web_open(rows, 2);
	struct fetch_settings set = settings(1);
	char to[64];

	(void)state;
	snprintf(to, sizeof to, "::127.0.0.1:%u", web_port(web));
	set.connect_to.at = (const char *[]){to, NULL};
	struct fetchers *f = start(&set);
	static const struct {
		const char *url;
		enum page_state state;
	} pages[] = {{"http://a.test/page", PAGE_REFUSED}, {"http://b.test/page", PAGE_CRAWLED},
		{"http://b.test:81/page", PAGE_CRAWLED}, {"http://u:p@a.test/page", PAGE_REFUSED}};
	for (size_t i = 0; i < 4; i++) {
		struct fetch_page *page = fetch_politely(f, pages[i].url);
		assert_int_equal(page->result.state, pages[i].state);
		fetch_page_free(page);
	}
	assert_int_equal(web_count(web, "/robots.txt"), 3);
	fetchers_free(f);
	web_close(web);
}

static void sitemaps_come_with_the_robots_and_have_their_entries(void **state)
{
	static _Atomic int both_wait;
	static const struct web_row rows[] = {
		{"/robots.txt", .ms = 200, .gate = &both_wait,
			.body = "Sitemap: http://127.0.0.1:{port}/map.xml\nSitemap: /list\n"
				"Sitemap: /list\nSitemap: http://[\n"},
		{"/map.xml", .headers = "Content-Type: application/xml\r\n",
			.body = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
				"<url><loc>http://127.0.0.1:{port}/a</loc></url>"
				"<url><loc>http://127.0.0.1:{port}/b</loc></url></urlset>"},
		{"/list", .headers = "Content-Type: text/plain\r\n",
			.body = "http://127.0.0.1:{port}/c\nhttp://127.0.0.1:{port}/d\n"},
		{"/other", .headers = "Content-Type: text/plain\r\n", .body = "http://127.0.0.1:{port}/e\n"},
		{"/doc.xml", .headers = "Content-Type: text/xml\r\n", .body = "<a href='/f'/>"},
	};
	static const char *const want[][2] = {{"/map.xml", "/a /b"}, {"/list", "/c /d"}, {"/other", ""}, {"/doc.xml", ""}};
	struct web *web = web_open(rows, 5);
	struct fetch_settings set = settings(2);

	(void)state;
	set.kinds |= 1u << LINK_SITEMAP;
	struct fetchers *f = start(&set);
	submit(f, 1, web_url(web, "/x"), 0);
	submit(f, 2, web_url(web, "/x"), 0);
	both_wait = 1;
	struct fetch_page *first = reap(f), *second = reap(f);
	assert_string_equal(links_of(first, web), "/map.xml /list");
	assert_int_equal(first->kinds[1], LINK_SITEMAP);
	assert_int_equal(second->n, 0);
	expect(first, PAGE_QUEUED, OUTCOME_SITEMAPS, 200);
	expect(second, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 200);
	for (size_t i = 0; i < 4; i++) {
		struct fetch_page *page = fetch(f, web_url(web, want[i][0]), 0);
		assert_string_equal(links_of(page, web), want[i][1]);
		expect(page, PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	}
	fetchers_free(f);
	web_close(web);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_live_a_day),
		cmocka_unit_test(trouble_is_given_up_for_ten_minutes_and_an_ill_host_for_ten_seconds),
		cmocka_unit_test(trouble_of_this_machine_is_waited_for_longer_and_longer),
		cmocka_unit_test(the_least_recently_used_rules_are_forgotten),
		cmocka_unit_test(robots_come_first_and_bounce_the_page),
		cmocka_unit_test(robots_rules_follow_their_status),
		cmocka_unit_test(a_robots_txt_that_cannot_be_had_says_why),
		cmocka_unit_test(robots_in_trouble_are_asked_again_a_few_times),
		cmocka_unit_test(robots_that_heal_let_the_page_through),
		cmocka_unit_test(pages_wait_together_for_a_robots_txt),
		cmocka_unit_test(robots_are_kept_by_origin),
		cmocka_unit_test(sitemaps_come_with_the_robots_and_have_their_entries),
	};

	return cmocka_run_group_tests_name("robots cache", tests, NULL, NULL);
}
