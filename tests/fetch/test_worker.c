#include "tests/fetch/fetching.h"

static void requests_say_who_asks_and_keep_the_connection(void **state)
{
	static const struct web_row rows[] = {
		{"/cookie", .headers = HTML "Set-Cookie: a=b; path=/\r\n", .body = "x"},
	};
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(1);
	size_t n;

	(void)state;
	set.header.at = (const char *[]){"From: me@x.test", "X-More: yes", NULL};
	struct fetchers *f = start(&set);
	for (int i = 0; i < 10; i++)
		fetch_page_free(fetch_politely(f, web_url(web, "/cookie")));
	fetchers_free(f);
	assert_int_equal(web_connections(web), 1);
	const struct web_request *request = web_requests(web, &n);
	assert_int_equal(n, 11);
	assert_string_equal(request[0].path, "/robots.txt");
	for (size_t i = 0; i < n; i++) {
		const char *head = request[i].head;
		assert_memory_equal(head, "GET /", 5);
		assert_non_null(strstr(head, "\r\nUser-Agent: testbot/1.0 (+http://x.test/)\r\n"));
		assert_non_null(strstr(head, "\r\nFrom: me@x.test\r\n"));
		assert_non_null(strstr(head, "\r\nX-More: yes\r\n"));
		assert_non_null(strstr(head, "gzip"));
		assert_null(strstr(head, "Cookie"));
		assert_null(strstr(head, "Referer"));
		assert_null(strstr(head, "Upgrade"));
	}
	web_close(web);
}

static void a_proxy_is_asked_for_everything(void **state)
{
	static const struct web_row rows[] = {{"/page", .host = "far.test", .body = "<a href=x></a>"}};
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(1);
	size_t n;

	(void)state;
	set.proxy = web_url(web, "");
	struct fetchers *f = start(&set);
	struct fetch_page *page = fetch_politely(f, "http://far.test/page");
	assert_string_equal(links_of(page, web), "http://far.test/x");
	expect(page, PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	fetchers_free(f);
	const struct web_request *request = web_requests(web, &n);
	assert_int_equal(n, 2);
	assert_memory_equal(request[1].head, "GET http://far.test/page HTTP/1.1", 33);
	web_close(web);
}

/* --- many at once, and the end */

static int numbered_page(void *ctx, const char *path, struct buf *body)
{
	unsigned n = (unsigned)strtoul(path + 1, NULL, 10);

	(void)ctx;
	if (strcmp(path, "/robots.txt") == 0)
		return 404;
	for (unsigned i = 0; i < 40; i++)
		buf_format(body, "<p><a href=/%u>%u</a> and so on", n * 7 % 101 + i * n % 13, i);
	return 200;
}

#define PAGES 400

/* digest and number of links of pages over many hosts, by id */
static void fetch_all(struct web *web, unsigned threads, unsigned parallel, uint64_t out[][3])
{
	struct fetch_settings set = settings(parallel);
	char to[64], url[128];
	unsigned next = 0, flying = 0, done = 0;

	snprintf(to, sizeof to, "::127.0.0.1:%u", web_port(web));
	set.connect_to.at = (const char *[]){to, NULL};
	set.threads = threads;
	struct fetchers *f = start(&set);
	uint32_t again[PAGES];
	unsigned n_again = 0;
	while (done < PAGES) {
		while (flying < parallel && (next < PAGES || n_again)) {
			uint32_t id = n_again ? again[--n_again] : next++;
			snprintf(url, sizeof url, "http://h%u.test/%u", id % 9, id);
			submit(f, id, url, 0);
			flying++;
		}
		struct fetch_page *page = reap(f);
		flying--;
		if (page->result.state == PAGE_QUEUED) {
			assert_int_equal(page->result.outcome, OUTCOME_ROBOTS_WAIT);
			again[n_again++] = page->result.id;
		} else {
			assert_int_equal(page->result.state, PAGE_CRAWLED);
			assert_int_equal(out[page->result.id][2], 0);
			out[page->result.id][0] = page->result.digest[0];
			out[page->result.id][1] = page->result.digest[1];
			out[page->result.id][2] = page->n;
			done++;
		}
		fetch_page_free(page);
	}
	assert_false(fetchers_reap(f, &(struct fetch_page *){NULL}, clock_ms()));
	fetchers_free(f);
}

static void many_threads_bring_what_one_brings(void **state)
{
	static uint64_t one[PAGES][3], many[PAGES][3];
	struct web *web = web_open(NULL, 0);

	(void)state;
	web_make(web, numbered_page, NULL);
	fetch_all(web, 1, 1, one);
	assert_int_equal(web_connections(web), 9);
	fetch_all(web, 4, 24, many);
	assert_memory_equal(one, many, sizeof one);
	assert_int_equal(web_count(web, "/robots.txt"), 18);
	web_close(web);
}

static void reaping_ends_when_its_time_has_come(void **state)
{
	struct fetch_settings set = settings(2);
	struct fetchers *f = start(&set);
	struct fetch_page *page;
	int64_t before = clock_ms();

	(void)state;
	assert_int_equal(fetchers_reap(f, &page, before + 60), 0);
	assert_true(clock_ms() - before >= 60);
	assert_int_equal(fetchers_reap(f, &page, 0), 0);
	assert_int_equal(fetchers_reap(f, &page, -5), 0);
	fetchers_free(f);
	fetchers_free(NULL);
}

static const struct web_row dumb[] = {
	{"/silent", .fault = WEB_SILENT},
	{"/robots.txt", .host = "dumb", .fault = WEB_SILENT},
};

/* Three kinds in flight: a page, one that waits for a robots.txt, one that waits behind it. */
static struct fetchers *start_dumb(struct web *web, unsigned parallel)
{
	static char to[64];
	static const char *rules[] = {to, NULL};
	struct fetch_settings set = settings(parallel);

	snprintf(to, sizeof to, "::127.0.0.1:%u", web_port(web));
	set.connect_to.at = rules;
	set.threads = 3;
	set.timeout = set.first_byte_timeout = set.read_timeout = 3600000; /* nothing ends by itself */
	struct fetchers *f = start(&set);
	fetch_page_free(fetch(f, "http://a.test/", 0));
	for (uint32_t id = 0; id < parallel; id++)
		submit(f, id, id % 3 ? "http://dumb.test/" : "http://a.test/silent", 0);
	while (!(web_count(web, "/silent") && web_count(web, "/robots.txt") > 1))
		usleep(10000);
	return f;
}

static void abort_brings_everything_back(void **state)
{
	struct web *web = web_open(dumb, 2);
	struct fetchers *f = start_dumb(web, 12);
	unsigned seen = 0;

	(void)state;
	fetchers_abort(f);
	for (int i = 0; i < 12; i++) {
		struct fetch_page *page = reap(f);
		seen |= 1u << page->result.id;
		expect(page, PAGE_QUEUED, OUTCOME_ABORTED, 0);
	}
	assert_int_equal(seen, 0xfff);
	fetchers_abort(f);
	expect(fetch(f, "http://a.test/silent", 0), PAGE_QUEUED, OUTCOME_ABORTED, 0);
	fetchers_free(f);
	web_close(web);
}

static void free_breaks_off_what_is_in_flight(void **state)
{
	struct web *web = web_open(dumb, 2);

	(void)state;
	fetchers_free(start_dumb(web, 12));
	/* and at once, with jobs that no thread has looked at */
	struct fetch_settings set = settings(50);
	set.timeout = set.first_byte_timeout = set.read_timeout = 3600000;
	struct fetchers *f = start(&set);
	for (uint32_t id = 0; id < 50; id++)
		submit(f, id, web_url(web, "/silent"), 0);
	fetchers_free(f);
	web_close(web);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_say_who_asks_and_keep_the_connection),
		cmocka_unit_test(a_proxy_is_asked_for_everything),
		cmocka_unit_test(many_threads_bring_what_one_brings),
		cmocka_unit_test(reaping_ends_when_its_time_has_come),
		cmocka_unit_test(abort_brings_everything_back),
		cmocka_unit_test(free_breaks_off_what_is_in_flight),
	};

	return cmocka_run_group_tests_name("worker", tests, NULL, NULL);
}
