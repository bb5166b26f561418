#include "tests/fetch/fetching.h"

#include "fetch/descriptors.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>

/* In place of the system's, for libcurl and for us: what the next calls fail with; 0: they do not. */
static _Atomic int connect_fails, socket_fails;

/* its declaration has a type of glibc's own */
int our_connect(int fd, const struct sockaddr *to, socklen_t n) __asm__("connect");

int our_connect(int fd, const struct sockaddr *to, socklen_t n)
{
	static int (*real)(int, const struct sockaddr *, socklen_t);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "connect");
	if (connect_fails && to->sa_family == AF_INET) {
		errno = connect_fails;
		return -1;
	}
	return real(fd, to, n);
}

int socket(int family, int type, int protocol)
{
	static int (*real)(int, int, int);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "socket");
	if (socket_fails && family == AF_INET) {
		errno = socket_fails;
		return -1;
	}
	return real(family, type, protocol);
}

static void troubles_of_this_machine_are_told_from_those_of_the_host(void **state)
{
	static const struct {
		int in_connect, in_socket;
		enum outcome error;
	} cases[] = {
		{ENETUNREACH, 0, OUTCOME_NO_NETWORK},
		{ENETDOWN, 0, OUTCOME_NO_NETWORK},
		{EHOSTUNREACH, 0, OUTCOME_NO_ROUTE},
		{EACCES, 0, OUTCOME_NO_ROUTE},
		{EADDRNOTAVAIL, 0, OUTCOME_NO_DESCRIPTORS},
		{ENOBUFS, 0, OUTCOME_NO_DESCRIPTORS},
		{0, EMFILE, OUTCOME_NO_DESCRIPTORS},
		{0, ENFILE, OUTCOME_NO_DESCRIPTORS},
		{0, ENOBUFS, OUTCOME_NO_DESCRIPTORS},
		{0, ENOMEM, OUTCOME_NO_DESCRIPTORS},
		{ECONNREFUSED, 0, OUTCOME_CONNECT},
	};
	static const struct web_row rows[] = {{"/", .body = "here"}};
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(1);

	(void)state;
	set.no_robots = 1;
	set.tries = 1;
	struct fetchers *f = start(&set);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const int is_local = cases[i].error != OUTCOME_CONNECT;
		connect_fails = cases[i].in_connect;
		socket_fails = cases[i].in_socket;
		/* the only try that the page has is not spent on such */
		struct fetch_page *page = fetch(f, web_url(web, "/"), 0);
		connect_fails = socket_fails = 0;
		assert_int_equal(outcome_is_local(page->result.outcome), is_local);
		assert_int_equal((page->result.not_before - page->result.ended) > 0, is_local);
		assert_int_equal(page->result.host_pause, is_local ? page->result.not_before : 0);
		expect(page, is_local ? PAGE_QUEUED : PAGE_FAILED, cases[i].error, 0);
		expect(fetch(f, web_url(web, "/"), 0), PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
		/* the next one needs a new connection */
		fetchers_free(f);
		f = start(&set);
	}
	fetchers_free(f);
	web_close(web);
}

static void a_robots_txt_waits_for_this_machine_too(void **state)
{
	static const struct web_row rows[] = {{"/", .body = "here"}};
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(1);

	(void)state;
	set.tries = 1;
	struct fetchers *f = start(&set);
	for (int i = 0; i < 3; i++) {
		connect_fails = ENETUNREACH;
		struct fetch_page *page = fetch(f, web_url(web, "/"), 0);
		connect_fails = 0;
		assert_int_equal(page->result.state, PAGE_QUEUED);
		assert_true((page->result.not_before - page->result.ended) > 0);
		if (i < 2)
			usleep((useconds_t)((page->result.not_before - page->result.ended) + 5) * 1000);
		fetch_page_free(page);
	}
	fetchers_free(f);
	web_close(web);
}

static void pages_in_flight_are_bounded_by_descriptors(void **state)
{
	struct rlimit before, few;
	struct fetch_settings set = settings(1000);

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 100;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	/* the soft limit is raised */
	assert_true(descriptors_for_connections(2) > 100 || before.rlim_max < 200);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &few), 0);
	assert_true(few.rlim_cur == before.rlim_max || few.rlim_cur == DESCRIPTORS_MOST);
	if (before.rlim_max > 2000) {
		struct fetchers *f = start(&set);
		assert_int_equal(fetchers_parallel(f), 1000);
		fetchers_free(f);
	}
	few.rlim_cur = few.rlim_max = 100; /* for good: this test is the last */
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	struct fetchers *f = start(&set);
	assert_in_range(fetchers_parallel(f), 40, 100 - DESCRIPTORS_RESERVE - 3);
	fetchers_free(f);
	assert_false(descriptors_are_gone());
	int fd, last = -1;
	while ((fd = open("/dev/null", O_RDONLY)) >= 0)
		last = fd;
	assert_true(descriptors_are_gone());
	/* as few as there are, it is at least one; and each one that is open, or kept for a thread, is one less */
	assert_int_equal(descriptors_for_connections(1), 1);
	unsigned n = 1;
	for (int more = 0; last > 2 && more < 60; more++) {
		close(last--);
		n = descriptors_for_connections(1);
		const int open_now = 100 - more - 1, kept = open_now + DESCRIPTORS_RESERVE + DESCRIPTORS_A_THREAD;
		assert_int_equal(n, kept < 100 ? 100 - kept : 1);
	}
	assert_int_equal(descriptors_for_connections(2), n - DESCRIPTORS_A_THREAD);
	while (last > 2)
		close(last--);
}

static void the_errors_that_mean_a_lack_on_this_machine_are_known(void **state)
{
	static const int lacks[] = {EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL, EAGAIN};
	(void)state;

	for (int error = 0; error < 140; error++) {
		int is_lack = 0;
		for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
			is_lack |= lacks[i] == error;
		assert_int_equal(descriptors_are_short(error), is_lack);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(troubles_of_this_machine_are_told_from_those_of_the_host),
		cmocka_unit_test(a_robots_txt_waits_for_this_machine_too),
		cmocka_unit_test(the_errors_that_mean_a_lack_on_this_machine_are_known),
		cmocka_unit_test(pages_in_flight_are_bounded_by_descriptors),
	};

	return cmocka_run_group_tests_name("descriptors", tests, NULL, NULL);
}
