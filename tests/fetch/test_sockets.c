#include "tests/test.h"
#include "tests/fetch/webtable.h"

#include "base/clock.h"
#include "fetch/sockets.h"

#include <unistd.h>

static CURL *connect_to(struct sockets *s, const char *url)
{
	CURL *easy = curl_easy_init();

	sockets_watch(s, easy);
	curl_easy_setopt(easy, CURLOPT_URL, url);
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
	assert_int_equal(curl_easy_perform(easy), CURLE_OK);
	return easy;
}

static void ask(CURL *easy, const char *request)
{
	size_t n;

	assert_int_equal(curl_easy_send(easy, request, strlen(request), &n), CURLE_OK);
	assert_int_equal(n, strlen(request));
}

/* For longer than a call may take. */
static void work(void)
{
	const int64_t until = clock_read_ns(CLOCK_THREAD_CPUTIME_ID) + (SOCKETS_HELD_MS + 50) * INT64_C(1000000);

	while (clock_read_ns(CLOCK_THREAD_CPUTIME_ID) < until)
		;
}

static void the_busiest_socket_of_a_stuck_thread_is_disconnected(void **state)
{
	static const struct web_row rows[] = {{"/flood", .body = "and so on", .fault = WEB_ENDLESS_BODY}, {"/", .body = "x"}};
	struct web *web = web_open(rows, 2);
	struct sockets s;
	char bytes[65536];
	size_t n;

	(void)state;
	sockets_init(&s);
	CURL *quiet = connect_to(&s, web_url(web, "/")), *loud = connect_to(&s, web_url(web, "/"));
	assert_int_equal(s.n, 2);
	for (int held = 0; held < 2; held++) {
		sockets_enter(&s);
		sockets_unblock(&s, pthread_self());
		ask(held ? loud : quiet, held ? "GET /flood HTTP/1.1\r\nHost: a\r\n\r\n" : "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
		if (held)
			work();
		else
			usleep(700000); /* waiting is no work */
		sockets_unblock(&s, pthread_self());
		if (held)
			assert_int_not_equal(curl_easy_recv(loud, bytes, sizeof bytes, &n), CURLE_OK);
		assert_int_equal(curl_easy_recv(quiet, bytes, held ? 5 : 10, &n), CURLE_OK);
		sockets_leave(&s);
	}
	curl_easy_cleanup(loud);
	curl_easy_cleanup(quiet);
	assert_int_equal(s.n, 0);
	sockets_release(&s);
	web_close(web);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_busiest_socket_of_a_stuck_thread_is_disconnected),
	};

	return cmocka_run_group_tests_name("sockets", tests, NULL, NULL);
}
