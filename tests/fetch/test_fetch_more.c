#include "tests/fetch/fetching.h"

#include "fetch/body_memory.h"
#include "fetch/page_command.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define XML  "Content-Type: text/xml\r\n"
#define TAG  "\"v1-gzip\""
#define DATE "Sun, 06 Nov 1994 08:49:37 GMT"

static void a_page_that_has_not_changed_is_not_sent_again(void **state)
{
	static const struct web_row rows[] = {
		{"/", .when = "\r\nIf-None-Match: " TAG "\r\nIf-Modified-Since: " DATE "\r\n", .status = 304,
			.headers = "ETag: " TAG "\r\n"},
		{"/", .headers = HTML "ETag: " TAG "\r\nLast-Modified: " DATE "\r\n", .body = TWO_LINKS},
		{"/always", .status = 304},
		{"/odd", .headers = HTML "ETag: no quotes\r\nLast-Modified: yesterday\r\n", .body = "x"},
	};
	struct web *web = web_open(rows, sizeof rows / sizeof *rows);
	struct fetch_settings set = settings(1);

	(void)state;
	set.no_robots = 1;
	set.header.at = (const char *[]){"X-More: yes", NULL};
	struct fetchers *f = start(&set);
	struct fetch_page *page = fetch(f, web_url(web, "/"), 0), *again;
	assert_int_equal(page->result.status, 200);
	assert_int_equal(page->result.validators.modified, 784111777);
	assert_int_equal(page->result.validators.etag_length, strlen(TAG));
	assert_memory_equal(page->result.validators.etag, TAG, strlen(TAG));
	for (int i = 0; i < 2; i++) {
		const char *url = web_url(web, "/");
		fetchers_submit(f,
			&(struct fetch_request){.id = 1, .url = url, .n = strlen(url), .since = page->result.validators});
		again = reap(f);
		assert_int_equal(again->result.state, PAGE_CRAWLED);
		assert_int_equal(again->result.status, 304);
		assert_int_equal(again->n, 0);
		assert_int_equal(again->result.digest[0] | again->result.digest[1], 0);
		assert_int_equal(again->result.validators.modified, 0);
		assert_memory_equal(again->result.validators.etag, TAG, strlen(TAG));
		fetch_page_free(again);
		/* the next request of the same handle says nothing of it */
		expect(fetch(f, web_url(web, "/always"), 0), PAGE_FAILED, OUTCOME_STATUS, 304);
	}
	fetch_page_free(page);
	page = fetch(f, web_url(web, "/odd"), 0);
	assert_int_equal(page->result.validators.modified, 0);
	assert_int_equal(page->result.validators.etag_length, 0);
	fetch_page_free(page);
	fetchers_free(f);
	size_t n;
	const struct web_request *request = web_requests(web, &n);
	assert_int_equal(n, 6);
	for (size_t i = 0; i < n; i++) {
		const int asks = strstr(request[i].head, "\r\nIf-") != NULL;
		assert_int_equal(asks, i == 1 || i == 3);
		assert_non_null(strstr(request[i].head, "\r\nX-More: yes\r\n"));
	}
	web_close(web);
}

/* A redirect to another host, and to another port of the same, is a request of its own. */
static void secrets_are_told_to_nobody_else(void **state)
{
	static const struct web_row rows[] = {
		{"/robots.txt", .host = "mine.test", .status = 302, .headers = "Location: http://other.test:{port}/robots.txt\r\n"},
		{"/in", .status = 302, .headers = "Location: http://other.test:{port}/out\r\n"},
		{"/out", .body = TWO_LINKS},
	};
	struct web *web = web_open(rows, 3);
	struct fetch_settings set = settings(1);
	char path[128], text[128], to[64];
	struct credentials *c;
	size_t n;

	(void)state;
	snprintf(path, sizeof path, "%s/auth", scratch());
	FILE *file = fopen(path, "w");
	fprintf(file, "http://mine.test:%u basic me:secret\n", web_port(web));
	fclose(file);
	char jar[160];
	snprintf(jar, sizeof jar, "%s.jar", path);
	file = fopen(jar, "w");
	fputs("mine.test\tTRUE\t/\tFALSE\t0\tsid\tsecret\n", file);
	fclose(file);
	assert_int_equal(credentials_read(&c, path, jar, NULL), 0);
	snprintf(to, sizeof to, "::127.0.0.1:%u", web_port(web));
	set.connect_to.at = (const char *[]){to, NULL};
	set.credentials = c;
	struct fetchers *f = start(&set);
	snprintf(text, sizeof text, "http://mine.test:%u/in", web_port(web));
	struct fetch_page *page = fetch_politely(f, text);
	assert_int_equal(page->result.state, PAGE_REDIRECTED);
	struct fetch_page *next = fetch_politely(f, page->text);
	assert_int_equal(next->result.state, PAGE_CRAWLED);
	fetch_page_free(page);
	fetch_page_free(next);
	snprintf(text, sizeof text, "http://mine.test:%u/out", web_port(web) ^ 1);
	fetch_page_free(fetch_politely(f, text));
	fetchers_free(f);
	credentials_free(c);
	const struct web_request *request = web_requests(web, &n);
	static const int told[] = {1, 0, 1, 0, 0, 0, 0, 0};
	assert_int_equal(n, sizeof told / sizeof *told);
	for (size_t i = 0; i < n; i++) {
		const char *head = request[i].head;
		assert_int_equal(strstr(head, "Authorization: Basic bWU6c2VjcmV0\r\n") != NULL, told[i]);
		const int below = strstr(head, "\r\nHost: mine.test") != NULL;
		assert_int_equal(strstr(head, "Cookie: sid=secret\r\n") != NULL, below);
	}
	web_close(web);
}

static void what_pages_say_of_links_has_switches(void **state)
{
	static const struct web_row rows[] = {
		{"/rel", .body = "<a rel=nofollow href=/a></a><a href=/b></a>"},
		{"/meta", .body = "<meta name=robots content=nofollow><a href=/a></a>"},
		{"/tag", .headers = HTML "X-Robots-Tag: nofollow\r\n", .body = "<a href=/a></a>"},
		{"/canon", .body = "<link rel=canonical href=/c><a href=/a></a>"},
		{"/self", .body = "<link rel=canonical href=/self#x><a href=/a></a>"},
		{"/noindex", .body = "<meta name=robots content=noindex><a href=/a></a>"},
	};
	static const struct {
		unsigned heed;
		const char *links[6];
	} cases[] = {
		{0, {"/a /b", "/a", "/a", "/a", "/a", "/a"}},
		{HEED_NOFOLLOW, {"/b", "/a", "/a", "/a", "/a", "/a"}},
		{HEED_META_ROBOTS, {"/a /b", "", "/a", "/a", "/a", "/a"}},
		{HEED_ROBOTS_TAG, {"/a /b", "/a", "", "/a", "/a", "/a"}},
		{HEED_CANONICAL, {"/a /b", "/a", "/a", "/a /c", "/a", "/a"}},
		{15, {"/b", "", "", "/a /c", "/a", "/a"}},
	};
	struct web *web = web_open(rows, 6);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fetch_settings set = settings(1);
		set.no_robots = 1;
		set.heed = cases[i].heed;
		struct fetchers *f = start(&set);
		for (size_t k = 0; k < 6; k++) {
			struct fetch_page *page = fetch(f, web_url(web, rows[k].path), 0);
			assert_string_equal(links_of(page, web), cases[i].links[k]);
			if (page->n == 2 && k == 3)
				assert_int_equal(page->kinds[1], LINK_CANONICAL);
			fetch_page_free(page);
		}
		fetchers_free(f);
	}
	web_close(web);
}

static void feeds_and_xhtml_have_links_and_all_pass_the_rules(void **state)
{
	static const struct web_row rows[] = {
		{"/rss", .headers = "Content-Type: application/rss+xml; charset=utf-8\r\n",
			.body = "<rss><channel><link>/top</link><item><title>1</title>"
				"<link>/1?utm_source=rss</link></item></channel></rss>"},
		{"/atom", .headers = "Content-Type: application/atom+xml\r\n",
			.body = "<feed xmlns='http://www.w3.org/2005/Atom'><entry>"
				"<link rel='alternate' href='/2'/></entry></feed>"},
		{"/xhtml", .headers = "Content-Type: application/xhtml+xml\r\n",
			.body = "<?xml version='1.0'?><html><script/><a href='/3?a&amp;b'/></html>"},
		{"/xml", .headers = "Content-Type: application/xml\r\n",
			.body = "<rss><channel><item><link>/4</link></item></channel></rss>"},
		{"/moved", .status = 301, .headers = "Location: /5?gclid=7&x\r\n"},
	};
	static const char *const links[] = {"/1", "/2", "/3?a&b", "/4", "/5?x"};
	struct web *web = web_open(rows, 5);
	struct fetch_settings set = settings(1);

	(void)state;
	set.no_robots = 1;
	set.rules = 1u << URL_RULE_TRACKING;
	struct fetchers *f = start(&set);
	for (size_t i = 0; i < 5; i++) {
		struct fetch_page *page = fetch(f, web_url(web, rows[i].path), 0);
		assert_string_equal(links_of(page, web), links[i]);
		if (i < 2)
			assert_int_equal(page->kinds[0], LINK_FEED);
		fetch_page_free(page);
	}
	fetchers_free(f);
	web_close(web);
}

static void limits_are_kept_apart(void **state)
{
	static const struct web_row rows[] = {
		{"/packed", .body = TWO_LINKS, .repeat = 2000, .fault = WEB_GZIP},
		{"/plain", .body = TWO_LINKS, .repeat = 100},
		{"/headers",
			.headers = HTML "X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"
					"X-B: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n",
			.body = "x"},
	};
	static const struct {
		const char *path;
		uint64_t max_body, max_unpacked;
		size_t max_headers;
		enum outcome error;
	} cases[] = {
		{"/packed", 4000, 1 << 20, 4096, OUTCOME_CRAWLED},
		{"/packed", 100, 1 << 20, 4096, OUTCOME_TOO_BIG},
		{"/packed", 4000, 70000, 4096, OUTCOME_TOO_BIG},
		{"/plain", 5000, 1 << 20, 4096, OUTCOME_CRAWLED},
		{"/plain", 3000, 1 << 20, 4096, OUTCOME_TOO_BIG},
		{"/plain", 5000, 3000, 4096, OUTCOME_TOO_BIG},
		{"/headers", 4000, 4000, 4096, OUTCOME_CRAWLED},
		{"/headers", 4000, 4000, 120, OUTCOME_TOO_BIG},
	};
	struct web *web = web_open(rows, 3);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fetch_settings set = settings(1);
		set.no_robots = 1;
		set.max_filesize = cases[i].max_body;
		set.max_unpacked = cases[i].max_unpacked;
		set.max_headers = cases[i].max_headers;
		set.tries = 1;
		struct fetchers *f = start(&set);
		struct fetch_page *page = fetch(f, web_url(web, cases[i].path), 0);
		if (page->result.outcome != cases[i].error)
			fail_msg("case %zu: error %d", i, (int)page->result.outcome);
		fetch_page_free(page);
		fetchers_free(f);
	}
	web_close(web);
}

#define BIG (1u << 20)

/* Takes and gives memory over and over; returns itself where the bound was passed. */
static void *take_and_give(void *ctx)
{
	struct body_memory *m = ctx;
	void *passed = NULL;

	for (size_t i = 0; i < 200000; i++) {
		if (!body_memory_take(m, 600 + i % 2))
			continue;
		if (atomic_load(&m->used) > m->most)
			passed = m;
		body_memory_give(m, 600 + i % 2);
	}
	return passed;
}

static void threads_that_take_memory_at_once_keep_the_bound(void **state)
{
	struct body_memory m = {.most = 1000};
	pthread_t thread[2];

	(void)state;
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, take_and_give, &m), 0);
	for (size_t i = 0; i < 2; i++) {
		void *passed;
		pthread_join(thread[i], &passed);
		assert_null(passed);
	}
	assert_int_equal(m.used, 0);
	assert_true(body_memory_take(&m, 1000));
	assert_false(body_memory_take(&m, 1));
}

/* A robots.txt of which half has come takes memory, too. */
static void bodies_of_robots_txt_count(void **state)
{
	static const struct web_row rows[] = {
		{"/robots.txt", .body = "Disallow: /0123456789abcdef\n", .repeat = 2000, .fault = WEB_STALL}};
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(1);
	const int64_t end = clock_ms() + PATIENCE * slowness();

	(void)state;
	set.tries = 1;
	set.timeout = set.read_timeout = PATIENCE;
	struct fetchers *f = start(&set);
	submit(f, 0, web_url(web, "/page"), 0);
	while (!fetchers_memory(f))
		assert_true(clock_ms() < end);
	fetchers_abort(f);
	fetch_page_free(reap(f));
	while (fetchers_memory(f)) /* the page comes back first */
		assert_true(clock_ms() < end);
	fetchers_free(f);
	web_close(web);
}

/* Forty pages of a megabyte at once, plain and packed, in four megabytes. */
static void bodies_in_flight_have_a_bound_in_sum(void **state)
{
	static const struct web_row rows[] = {{"/plain", .body = "0123456789abcdef", .repeat = BIG / 16},
		{"/packed", .body = "0123456789abcdef", .repeat = BIG / 16, .fault = WEB_GZIP}};
	struct web *web = web_open(rows, 2);
	struct fetch_settings set = settings(40);
	unsigned flying = 0, came = 0;
	uint64_t most = 0;

	(void)state;
	set.no_robots = 1;
	set.threads = 2;
	set.max_memory = 4 * BIG;
	struct fetchers *f = start(&set);
	for (uint32_t id = 0; id < 40; id++, flying++)
		submit(f, id, web_url(web, id % 2 ? "/plain" : "/packed"), 0);
	for (int64_t end = clock_ms() + PATIENCE * slowness(); came < 40;) {
		struct fetch_page *page;
		if (fetchers_memory(f) > most)
			most = fetchers_memory(f);
		if (!fetchers_reap(f, &page, clock_ms() + 1)) {
			assert_true(clock_ms() < end);
			continue;
		}
		came += page->result.state == PAGE_CRAWLED;
		if (page->result.state == PAGE_QUEUED) {
			assert_int_equal(page->result.outcome, OUTCOME_NO_DESCRIPTORS);
			submit(f, page->result.id, web_url(web, page->result.id % 2 ? "/plain" : "/packed"), 0);
		} else {
			assert_int_equal(page->result.state, PAGE_CRAWLED);
		}
		fetch_page_free(page);
	}
	/* the bound, and a buffer for each of the two threads, which doubled last at a megabyte; without a
	 * bound it would be forty and more */
	assert_in_range(most, 1, 4 * BIG + 2 * 2 * BIG);
	assert_int_equal(fetchers_memory(f), 0);
	fetchers_free(f);
	web_close(web);
}

/* Forty pages of a megabyte, all of which wait for the command of the first: their bodies have the same bound. */
static void bodies_that_wait_for_a_command_count(void **state)
{
	static const struct web_row rows[] = {{"/plain", .body = "0123456789abcdef", .repeat = BIG / 16}};
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(40);
	const int64_t end = clock_ms() + PATIENCE * slowness();
	char dir[64], command[300];
	unsigned came = 0;

	(void)state;
	set.no_robots = 1;
	set.threads = 2;
	set.max_memory = 4 * BIG;
	strcpy(dir, scratch());
	signal(SIGPIPE, SIG_IGN); /* as the program does: the command does not read its page */
	snprintf(command, sizeof command, "until [ -e %s/go ]; do sleep 0.05; done", dir);
	assert_int_equal(runner_new(&set.runner, command, 0, NULL), 0);
	struct fetchers *f = start(&set);
	for (uint32_t id = 0; id < 40; id++)
		submit(f, id, web_url(web, "/plain"), 0);
	/* half of the memory is in use, and nothing makes room */
	for (int64_t held = 0; held < 1000; held += 20) {
		assert_true(clock_ms() < end);
		held = fetchers_memory(f) >= 2 * BIG ? held : 0;
		usleep(20000);
		/* the bound; and of each of the two threads a buffer, which doubled last at a megabyte, and a page made of it */
		assert_in_range(fetchers_memory(f), 0, 4 * BIG + 2 * 3 * BIG);
	}
	snprintf(command, sizeof command, "%s/go", dir);
	assert_int_equal(close(creat(command, 0600)), 0);
	while (came < 40) {
		struct fetch_page *page = reap(f);
		came += page->result.state == PAGE_CRAWLED;
		if (page->result.state == PAGE_QUEUED) /* it has waited for memory */
			submit(f, page->result.id, web_url(web, "/plain"), 0);
		fetch_page_free(page);
		assert_true(clock_ms() < end);
	}
	assert_in_range(fetchers_memory(f), 0, 2 * 2 * BIG);
	fetchers_free(f);
	page_service_free(set.runner);
	web_close(web);
}

static void add_maps(struct buf *body, unsigned first, unsigned n)
{
	buf_text(body, "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>");
	for (unsigned i = 0; i < n; i++)
		buf_format(body, "<sitemap><loc>http://127.0.0.1:{port}/map%u.xml</loc></sitemap>", first + i);
	buf_text(body, "</sitemapindex>");
}

/* A hundred sitemaps of a site may be named by indexes, and these are no indexes themselves. */
static void indexes_of_sitemaps_come_to_an_end(void **state)
{
	struct buf first = BUF_EMPTY, second = BUF_EMPTY;
	struct fetch_settings set = settings(1);
	static const struct {
		const char *path;
		uint32_t n;
	} steps[] = {{"/a.xml", 60}, {"/map7.xml", 0}, {"/b.xml", 60 + 40}, {"/a.xml", 60}};

	(void)state;
	add_maps(&first, 0, 60);
	add_maps(&second, 0, 150);
	const struct web_row rows[] = {{"/a.xml", .headers = XML, .body = first.at}, {"/b.xml", .headers = XML, .body = second.at},
		{"/map7.xml", .headers = XML, .body = second.at},
		{"/list.xml", .headers = XML,
			.body = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
				"<url><loc>http://127.0.0.1:{port}/next</loc></url></urlset>"}};
	struct web *web = web_open(rows, 4);
	set.no_robots = 1;
	set.kinds |= 1u << LINK_SITEMAP;
	struct fetchers *f = start(&set);
	for (size_t i = 0; i < 4; i++) {
		struct fetch_page *page = fetch(f, web_url(web, steps[i].path), 0);
		assert_int_equal(page->n, steps[i].n);
		fetch_page_free(page);
	}
	/* nor are lists read for ever */
	for (uint32_t i = 4; i < 203; i++) {
		struct fetch_page *page = fetch(f, web_url(web, "/list.xml"), 0);
		assert_int_equal(page->n, i < 200);
		fetch_page_free(page);
	}
	fetchers_free(f);
	web_close(web);
	buf_release(&first);
	buf_release(&second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_that_has_not_changed_is_not_sent_again),
		cmocka_unit_test(secrets_are_told_to_nobody_else),
		cmocka_unit_test(what_pages_say_of_links_has_switches),
		cmocka_unit_test(feeds_and_xhtml_have_links_and_all_pass_the_rules),
		cmocka_unit_test(limits_are_kept_apart),
		cmocka_unit_test(threads_that_take_memory_at_once_keep_the_bound),
		cmocka_unit_test(bodies_of_robots_txt_count),
		cmocka_unit_test(bodies_in_flight_have_a_bound_in_sum),
		cmocka_unit_test(bodies_that_wait_for_a_command_count),
		cmocka_unit_test(indexes_of_sitemaps_come_to_an_end),
	};

	return cmocka_run_group_tests_name("fetch more", tests, NULL, NULL);
}
