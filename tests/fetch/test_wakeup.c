#include "tests/fetch/fetching.h"

#include <curl/curl.h>

/* In place of libcurl's: no wake-up ever arrives, as where the send that carries it fails. */
CURLMcode curl_multi_wakeup(CURLM *multi)
{
	(void)multi;
	return CURLM_WAKEUP_FAILURE;
}

static void pages_come_though_no_thread_is_woken(void **state)
{
	static const struct web_row rows[] = {{"/", .body = "here"}};
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(4);

	(void)state;
	set.threads = 2;
	set.no_robots = 1;
	struct fetchers *f = start(&set);
	usleep(100000); /* the threads sleep by now */
	for (int i = 0; i < 3; i++)
		expect(fetch(f, web_url(web, "/"), 0), PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	fetchers_abort(f);
	expect(fetch(f, web_url(web, "/"), 0), PAGE_QUEUED, OUTCOME_ABORTED, 0);
	fetchers_free(f); /* which waits for the threads to end */
	web_close(web);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_come_though_no_thread_is_woken),
	};

	return cmocka_run_group_tests_name("wake-up", tests, NULL, NULL);
}
