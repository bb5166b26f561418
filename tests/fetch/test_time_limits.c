/* The time limits of transfers, by a clock of the test's: each of the next `hurried` waits of the fetcher's thread for its servers
 * takes `a_wait` ms of the clock, or, if that is 0, as long as the thread has asked for; and hardly any time. */
#include "tests/fetch/fetching.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <limits.h>

#define HOUR 3600000

static _Atomic int64_t ahead, a_wait; /* ms */
static _Atomic int hurried;

/* In place of the system's, also for libcurl. */
int clock_gettime(clockid_t which, struct timespec *t)
{
	static int (*real)(clockid_t, struct timespec *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	const int failed = real(which, t);
	if (which == CLOCK_MONOTONIC) {
		const int64_t ns = t->tv_nsec + ahead % 1000 * 1000000;
		t->tv_sec += ahead / 1000 + ns / 1000000000;
		t->tv_nsec = ns % 1000000000;
	}
	return failed;
}

/* In place of libcurl's. */
CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd *more, unsigned n, int ms, int *ready)
{
	static CURLMcode (*real)(CURLM *, struct curl_waitfd *, unsigned, int, int *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "curl_multi_poll");
	if (!hurried)
		return real(multi, more, n, ms, ready);
	hurried--;
	ahead += a_wait ? a_wait : ms;
	return real(multi, more, n, 1, ready);
}

static const struct web_row rows[] = {
	{"/page", .body = TWO_LINKS},
	{"/silent", .fault = WEB_SILENT},
	{"/stall", .body = TWO_LINKS, .fault = WEB_STALL},
};

static struct fetch_page *reap_at_any_time(struct fetchers *f)
{
	struct fetch_page *page;

	assert_int_equal(fetchers_reap(f, &page, INT64_MAX), 1);
	return page;
}

/* A process that was stopped for an hour wherever it waited: what the servers have sent meanwhile counts. */
static void the_time_in_which_the_crawler_was_stopped_is_not_the_servers(void **state)
{
	struct web *web = web_open(rows, 3);

	(void)state;
	a_wait = HOUR;
	for (int i = 0; i < 2; i++) {
		struct fetch_settings set = settings(1);
		set.timeout = i ? 60000 : 0;
		struct fetchers *f = start(&set);
		for (int j = 0; j < 3; j++) {
			hurried = 4;
			submit(f, 1, web_url(web, "/page"), 0);
			expect(reap_at_any_time(f), j ? PAGE_CRAWLED : PAGE_QUEUED, j ? OUTCOME_CRAWLED : OUTCOME_ROBOTS_WAIT,
				j ? 200 : 404);
		}
		hurried = 0;
		fetchers_free(f);
	}
	web_close(web);
}

/* A server that takes connections and reads nothing. */
static int hold_deaf_port(unsigned *port)
{
	const int fd = hold_closed_port(port);

	assert_int_equal(listen(fd, 16), 0);
	return fd;
}

static void each_limit_ends_a_transfer_at_its_time(void **state)
{
	/* in s */
	static const struct {
		const char *path; /* NULL: a greeting of TLS without an answer */
		int timeout, connect, first_byte, read, most;
		enum outcome outcome;
		unsigned status;
	} table[] = {
		{"/silent", 0, 400, 180, 400, 180, OUTCOME_TIMEOUT, 0},
		{"/silent", 150, 400, 400, 400, 150, OUTCOME_TIMEOUT, 0},
		{"/stall", 0, 400, 400, 180, 180, OUTCOME_TIMEOUT, 200},
		{"/stall", 150, 400, 400, 400, 150, OUTCOME_TIMEOUT, 200},
		{NULL, 0, 180, 400, 400, 180, OUTCOME_CONNECT, 0},
		{NULL, 150, 400, 400, 400, 150, OUTCOME_CONNECT, 0},
		/* each limit counts for its part of the transfer alone */
		{"/silent", 0, 60, 180, 60, 180, OUTCOME_TIMEOUT, 0},
		{"/stall", 0, 60, 60, 180, 180, OUTCOME_TIMEOUT, 200},
		{NULL, 0, 180, 60, 60, 180, OUTCOME_CONNECT, 0},
	};
	struct web *web = web_open(rows, 3);
	unsigned port;
	const int deaf = hold_deaf_port(&port);

	(void)state;
	a_wait = 0;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct fetch_settings set = settings(1);
		char url[64];
		set.no_robots = 1;
		set.tries = 2;
		set.timeout = table[i].timeout * 1000;
		set.connect_timeout = table[i].connect * 1000;
		set.first_byte_timeout = table[i].first_byte * 1000;
		set.read_timeout = table[i].read * 1000;
		snprintf(url, sizeof url, "https://127.0.0.1:%u/", port);
		struct fetchers *f = start(&set);
		const size_t asked = table[i].path ? web_count(web, table[i].path) : 0;
		submit(f, 1, table[i].path ? web_url(web, table[i].path) : url, 0);
		/* time begins to hurry when nothing comes any more */
		const int taken = table[i].path ? -1 : accept(deaf, NULL, NULL);
		while (table[i].path && (web_count(web, table[i].path) == asked || (table[i].status && !fetchers_memory(f))))
			usleep(1000);
		const int64_t begun = clock_ms();
		hurried = INT_MAX;
		struct fetch_page *page = reap_at_any_time(f);
		hurried = 0;
		/* it is looked at once a second; the machine may have stopped for a while */
		if (page->result.state != PAGE_QUEUED || page->result.outcome != table[i].outcome ||
			page->result.status != table[i].status ||
			page->result.ended - page->result.started < table[i].most * 1000 ||
			page->result.ended - begun > (table[i].most + 100) * 1000)
			fail_msg("row %zu: outcome %d, status %u after %lld ms, of which %lld since nothing came", i,
				(int)page->result.outcome, page->result.status,
				(long long)(page->result.ended - page->result.started), (long long)(page->result.ended - begun));
		fetch_page_free(page);
		fetchers_free(f);
		close(taken);
	}
	close(deaf);
	web_close(web);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_time_in_which_the_crawler_was_stopped_is_not_the_servers),
		cmocka_unit_test(each_limit_ends_a_transfer_at_its_time),
	};

	return cmocka_run_group_tests_name("time limits", tests, NULL, NULL);
}
