#include "frontier/frontier.h"
#include "policies/policies.h"
#include "tests/test.h"

/* Pages 0..29 on host id % 3; hosts 1 and 2 have the same address where the test says so. */
static uint32_t three_hosts(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % 3;
}

static struct frontier *nine_pages(int64_t delay)
{
	static const struct opt_set none;
	static const uint32_t seeds[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
	const struct frontier_world w = {.host = three_hosts};
	const struct frontier_settings s = {.policy = &policy_bfs,
		.opts = &none,
		.batch = 100,
		.delay_ms = delay,
		.per_host = 1};
	struct frontier *f;

	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	assert_int_equal(frontier_seed(f, seeds, 9), 9);
	return f;
}

static void takes(struct frontier *f, int64_t now, int wanted)
{
	uint32_t id;

	if (wanted < 0) {
		assert_int_equal(frontier_take(f, now, &id), 0);
	} else {
		assert_int_equal(frontier_take(f, now, &id), 1);
		assert_int_equal(id, wanted);
	}
}

static void ends(struct frontier *f, uint32_t id, int64_t now, int64_t crawl_delay)
{
	const struct frontier_host_news news = {.delay = crawl_delay};

	assert_int_equal(frontier_ended(f, id,
				 &(struct frontier_end){
					 .state = PAGE_CRAWLED, .at = now, .host = &news}),
		0);
}

static void a_held_host_is_not_asked_until_it_is_let_go(void **state)
{
	struct frontier *f = nine_pages(0);
	struct frontier_counts n;
	int64_t at;
	(void)state;

	frontier_hold(f, 0);
	frontier_hold(f, 0);
	frontier_hold(f, 99);
	assert_int_equal(frontier_has_held(f), 1);
	assert_int_equal(frontier_host_state(f, 0, &at), FRONTIER_HOST_HELD);
	frontier_count(f, &n);
	assert_int_equal(n.hosts_held, 1);
	assert_int_equal(n.hosts_ready, 2);
	takes(f, 0, 1);
	takes(f, 0, 2);
	takes(f, 0, -1);
	frontier_let_go(f, 0);
	frontier_let_go(f, 0);
	takes(f, 0, 0);
	assert_int_equal(frontier_has_held(f), 0);
	frontier_free(f);
}

static void a_page_in_flight_when_its_host_is_held_ends_as_any_other(void **state)
{
	struct frontier *f = nine_pages(0);
	(void)state;

	takes(f, 0, 0);
	frontier_hold(f, 0);
	ends(f, 0, 1, -1);
	takes(f, 1, 1);
	takes(f, 1, 2);
	takes(f, 1, -1);
	assert_true(frontier_next_time(f) == FRONTIER_NEVER);
	frontier_let_go(f, 0);
	takes(f, 1, 3);
	frontier_free(f);
}

static void a_rest_that_ends_during_a_hold_is_over_after_it(void **state)
{
	struct frontier *f = nine_pages(1000);
	int64_t at;
	(void)state;

	takes(f, 0, 0);
	ends(f, 0, 10, -1);
	assert_int_equal(frontier_host_state(f, 0, &at), FRONTIER_HOST_RESTS);
	assert_int_equal(at, 1010);
	frontier_hold(f, 0);
	frontier_hold(f, 1);
	frontier_hold(f, 2);
	takes(f, 500, -1);
	frontier_let_go(f, 0);
	takes(f, 600, -1);
	takes(f, 1010, 3);
	frontier_free(f);
}

static void another_delay_holds_from_the_next_request_on(void **state)
{
	struct frontier *f = nine_pages(1000);
	(void)state;

	frontier_hold(f, 1);
	frontier_hold(f, 2);
	takes(f, 0, 0);
	ends(f, 0, 0, -1);
	frontier_set_delay(f, 10);
	takes(f, 999, -1);
	takes(f, 1000, 3);
	ends(f, 3, 1000, 50); /* its Crawl-delay is longer */
	takes(f, 1049, -1);
	takes(f, 1050, 6);
	frontier_free(f);
}

/* Each of three hosts has more pages than its pile keeps sorted. */
static void upcoming_pages_reach_behind_those_that_are_sorted(void **state)
{
	enum { PAGES = 12000 };
	static const struct opt_set none;
	static uint32_t seeds[PAGES], next[PAGES], id;
	const struct frontier_world w = {.host = three_hosts};
	const struct frontier_settings s = {.policy = &policy_backlink, .opts = &none, .batch = 100, .per_host = 1};
	struct frontier *f;
	(void)state;

	for (uint32_t i = 0; i < PAGES; i++)
		seeds[i] = i;
	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	assert_int_equal(frontier_seed(f, seeds, PAGES), PAGES);
	for (size_t most = PAGES; most >= 100; most /= 3) {
		assert_int_equal(frontier_upcoming(f, next, most), most);
		for (uint32_t i = 0; i < most; i++)
			assert_int_equal(next[i], i);
	}
	assert_int_equal(frontier_upcoming(f, next, PAGES), PAGES);
	for (uint32_t i = 0; i < PAGES; i++) {
		assert_int_equal(frontier_take(f, 0, &id), 1);
		assert_int_equal(id, next[i]);
		ends(f, id, 0, -1);
	}
	frontier_free(f);
}

static void upcoming_pages_are_those_that_are_taken(void **state)
{
	struct frontier *f = nine_pages(1000);
	uint32_t next[9];
	(void)state;

	assert_int_equal(frontier_upcoming(f, next, 9), 9);
	for (uint32_t i = 0; i < 9; i++)
		assert_int_equal(next[i], i);
	assert_int_equal(frontier_upcoming(f, next, 2), 2);
	takes(f, 0, 0);
	ends(f, 0, 50, -1);
	frontier_hold(f, 1);
	assert_int_equal(frontier_upcoming(f, next, 3), 3);
	assert_int_equal(next[0], 2); /* ready, then the rest that ends first, then the second page of 2 */
	assert_int_equal(next[1], 3);
	assert_int_equal(next[2], 5);
	frontier_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_held_host_is_not_asked_until_it_is_let_go),
		cmocka_unit_test(a_page_in_flight_when_its_host_is_held_ends_as_any_other),
		cmocka_unit_test(a_rest_that_ends_during_a_hold_is_over_after_it),
		cmocka_unit_test(another_delay_holds_from_the_next_request_on),
		cmocka_unit_test(upcoming_pages_reach_behind_those_that_are_sorted),
		cmocka_unit_test(upcoming_pages_are_those_that_are_taken),
	};

	return cmocka_run_group_tests_name("operator", tests, NULL, NULL);
}
