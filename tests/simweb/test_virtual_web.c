/* simweb/virtual_web.h: what is drawn has the distribution asked for. The bounds are four standard deviations wide, and
 * the draws are the same in every run. */
#include "tests/test.h"

#include "simweb/virtual_web.h"

#include <math.h>

#define HOSTS 10000

static double share_below(const struct virtual_web *w, double ms)
{
	unsigned n = 0;

	for (uint32_t h = 0; h < HOSTS; h++)
		n += w->host[h].latency < ms;
	return n / (double)HOSTS;
}

static void half_of_the_hosts_are_faster_than_the_median(void **state)
{
	const struct virtual_web_settings set = {.seed = 5, .latency = {200, 0.8}};
	struct virtual_web w;

	(void)state;
	virtual_web_init(&w, &set, HOSTS);
	assert_true(fabs(share_below(&w, 200) - 0.5) < 0.02);
	assert_true(fabs(share_below(&w, 200 * exp(0.8)) - 0.8413) < 0.015);
	assert_true(fabs(share_below(&w, 200 / exp(1.6)) - 0.0228) < 0.006);
	virtual_web_release(&w);
}

static void a_page_takes_its_bytes_times_the_hosts_rate(void **state)
{
	const struct virtual_web_settings set = {.latency = {100, 0}, .bandwidth = {1000, 0}, .size = {3000, 0}};
	struct virtual_web w;

	(void)state;
	virtual_web_init(&w, &set, 3);
	assert_int_equal(virtual_web_bytes(&w, 7), 3000);
	assert_int_equal(virtual_web_ms(&w, 2, 3000), 3100);
	assert_int_equal(virtual_web_ms(&w, 2, 0), 100);
	virtual_web_release(&w);
}

static void a_host_is_silent_for_its_share_of_the_time(void **state)
{
	const struct virtual_web_settings set = {.seed = 1, .outage = 0.2, .outage_ms = 60000};
	struct virtual_web w;
	unsigned silent = 0, turns = 0, looks = 0;

	(void)state;
	virtual_web_init(&w, &set, 50);
	for (uint32_t h = 0; h < 50; h++) {
		int was = virtual_web_answers(&w, h, 0);
		for (int64_t now = 0; now < 864000000; now += 10000, looks++) {
			const int answers = virtual_web_answers(&w, h, now);
			silent += !answers;
			turns += answers != was;
			was = answers;
		}
	}
	assert_true(fabs(silent / (double)looks - 0.2) < 0.01);
	/* an outage and the time to the next one take 5 minutes on average; some are too short to be seen */
	assert_true(turns > 50 * 2880 * 2 * 0.85 && turns < 50 * 2880 * 2 * 1.02);
	virtual_web_release(&w);
}

static void shares_and_addresses_are_those_asked_for(void **state)
{
	const struct virtual_web_settings set =
		{.seed = 9, .addresses = 7, .crawl_delay = 0.3, .crawl_delay_ms = 5000, .disallow = 0.1, .dead = 0.05};
	struct virtual_web w;
	unsigned delays = 0, disallowed = 0, dead = 0;

	(void)state;
	virtual_web_init(&w, &set, HOSTS);
	for (uint32_t h = 0; h < HOSTS; h++) {
		assert_int_equal(virtual_web_address(&w, h), 1 + h % 7);
		delays += virtual_web_crawl_delay(&w, h) == 5000;
		assert_true(virtual_web_crawl_delay(&w, h) == 5000 || virtual_web_crawl_delay(&w, h) == -1);
		disallowed += (unsigned)virtual_web_disallows(&w, h);
		dead += !virtual_web_answers(&w, h, 1000000);
	}
	assert_true(abs((int)delays - 3000) < 190);
	assert_true(abs((int)disallowed - 1000) < 120);
	assert_true(abs((int)dead - 500) < 90);
	virtual_web_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_of_the_hosts_are_faster_than_the_median),
		cmocka_unit_test(a_page_takes_its_bytes_times_the_hosts_rate),
		cmocka_unit_test(a_host_is_silent_for_its_share_of_the_time),
		cmocka_unit_test(shares_and_addresses_are_those_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
