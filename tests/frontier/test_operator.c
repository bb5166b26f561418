#include "base/rng.h"
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
	const struct frontier_settings s = {.policy = &policy_bfs, .opts = &none, .batch = 100, .delay_ms = delay, .per_host = 1};
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
	} else if (!frontier_take(f, now, &id) || id != (uint32_t)wanted) {
		fail_msg("at %lld page %d is not taken", (long long)now, wanted);
	}
}

static void ends(struct frontier *f, uint32_t id, int64_t now, int64_t crawl_delay)
{
	const struct frontier_host_news news = {.delay = crawl_delay};

	assert_int_equal(frontier_ended(f, id, &(struct frontier_end){.state = PAGE_CRAWLED, .at = now, .host = &news}), 0);
}

/* Ends a page without anything learnt. */
static void end_put_away(struct frontier *f, uint32_t id)
{
	const struct frontier_end end = {.state = PAGE_FAILED, .at = 100};

	assert_int_equal(frontier_ended(f, id, &end), 0);
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
	assert_int_equal(frontier_all_rest(f, 9999), 1010);
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

/* Of hosts that may have one page in flight, and of hosts of one address, which may have one in all. */
static void upcoming_pages_of_hosts_with_pages_in_flight_are_the_last(void **state)
{
	struct frontier *f = nine_pages(1000);
	uint32_t next[9];
	(void)state;

	takes(f, 0, 0);
	assert_int_equal(frontier_upcoming(f, next, 4), 4);
	assert_int_equal(next[0], 1);
	assert_int_equal(next[1], 2);
	assert_int_equal(next[2], 3); /* of the host of the page in flight */
	takes(f, 0, 1);
	takes(f, 0, 2);
	assert_int_equal(frontier_upcoming(f, next, 9), 6);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(next[i], i + 3);
	frontier_hold(f, 0);
	assert_int_equal(frontier_upcoming(f, next, 9), 4);
	frontier_free(f);
	f = nine_pages(0);
	for (uint32_t host = 0; host < 3; host++) {
		const struct frontier_host_news news = {.delay = -1, .address = 1};
		takes(f, 0, (int)host);
		assert_int_equal(frontier_ended(f, host, &(struct frontier_end){.state = PAGE_CRAWLED, .at = 0, .host = &news}), 0);
	}
	takes(f, 0, 3);
	takes(f, 0, -1);
	assert_int_equal(frontier_upcoming(f, next, 9), 5);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(next[i], i + 4);
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

/* --- the pages that come next, and for each host the order in which they are taken */

enum { MANY = 600, HOSTS = 13 };

static uint32_t many_hosts(void *ctx, uint32_t id)
{
	(void)ctx;
	return id * 2654435761u % 97 % HOSTS;
}

/* The last pages of all are not the crawl's first choice, and hosts 3 and 4 have one address. */
static struct frontier *many_pages(const struct policy *policy, const struct opt_set *opts)
{
	static uint32_t seeds[MANY];
	const struct frontier_world w = {.host = many_hosts};
	const struct frontier_settings s = {.policy = policy, .opts = opts, .batch = 10, .per_host = 1};
	struct rng r = {5};
	struct frontier *f;

	for (uint32_t i = 0; i < MANY; i++)
		seeds[i] = i;
	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	assert_int_equal(frontier_seed(f, seeds, MANY), MANY);
	for (int i = 0; i < 60; i++) {
		uint32_t id, links[9];
		assert_int_equal(frontier_take(f, i, &id), 1);
		const struct frontier_host_news news = {.delay = -1, .address = many_hosts(NULL, id) / 2 == 2 ? 1 : 0};
		for (uint32_t k = 0; k < 9; k++)
			links[k] = k * 60 + (uint32_t)rng_below(&r, 60);
		assert_int_equal(frontier_ended(f, id,
					 &(struct frontier_end){.state = PAGE_CRAWLED,
						 .at = i,
						 .host = &news,
						 .links = links,
						 .n_links = 9}),
			0);
	}
	return f;
}

/* The pages of one host in the order in which they are taken where no other host is asked. */
static size_t drain(const struct policy *policy, const struct opt_set *opts, uint32_t host, uint32_t *ids)
{
	struct frontier *f = many_pages(policy, opts);
	size_t n = 0;

	for (uint32_t h = 0; h < HOSTS; h++)
		if (h != host)
			frontier_hold(f, h);
	while (frontier_take(f, 100, &ids[n]))
		end_put_away(f, ids[n++]);
	frontier_free(f);
	return n;
}

static void upcoming_pages_of_a_host_are_its_next_ones(void **state)
{
	static const struct policy *const some[] = {&policy_bfs, &policy_dfs, &policy_backlink, &policy_opic};
	static uint32_t of[HOSTS][MANY], next[MANY + 1];
	(void)state;

	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		struct opt_set opts;
		size_t n_of[HOSTS], most = 1;
		opt_init(&opts, some[i]->opts, some[i]->name);
		for (uint32_t h = 0; h < HOSTS; h++)
			n_of[h] = drain(some[i], &opts, h, of[h]);
		struct frontier *f = many_pages(some[i], &opts);
		for (; most <= MANY; most += most / 3 + 1) {
			const size_t hosts = most < HOSTS ? most : HOSTS, each = (most + hosts - 1) / hosts;
			size_t got[HOSTS] = {0}, all = 0;
			const size_t n = frontier_upcoming(f, next, most);
			for (size_t k = 0; k < n; k++) {
				const uint32_t h = many_hosts(NULL, next[k]);
				assert_true(got[h] < n_of[h] && got[h] < each);
				assert_int_equal(next[k], of[h][got[h]++]);
			}
			for (uint32_t h = 0; h < HOSTS; h++)
				all += n_of[h] < each ? n_of[h] : each;
			if (most >= HOSTS)
				assert_int_equal(n, all < most ? all : most);
			assert_true(n > 0 && n <= most);
		}
		/* the first one is taken first, again and again */
		for (uint32_t id; frontier_upcoming(f, next, 1) == 1; end_put_away(f, id)) {
			assert_int_equal(frontier_take(f, 100, &id), 1);
			assert_int_equal(id, next[0]);
		}
		assert_int_equal(frontier_take(f, 100, next), 0);
		frontier_free(f);
		opt_release(&opts);
	}
}

static void a_host_rests_as_long_as_its_address(void **state)
{
	struct frontier *f = nine_pages(1000);
	const struct frontier_host_news found = {.delay = -1, .address = 1}, nothing = {.delay = -1},
					pause = {.delay = -1, .pause = 5000}, over = {.delay = -1, .pause = FRONTIER_FOR_GOOD};
	int64_t at;
	(void)state;

	assert_int_equal(frontier_host_state(f, 0, &at), FRONTIER_HOST_READY);
	assert_int_equal(frontier_host_state(f, 3, &at), FRONTIER_HOST_IDLE);
	assert_true(at == FRONTIER_NEVER);
	assert_int_equal(frontier_host_rest(f, 3), 0);
	assert_int_equal(frontier_all_rest(f, 99), 0);
	for (uint32_t id = 0; id < 2; id++) {
		takes(f, 0, (int)id);
		assert_int_equal(frontier_host_state(f, id, &at), FRONTIER_HOST_IDLE);
		assert_true(at == FRONTIER_NEVER);
	}
	for (uint32_t id = 0; id < 2; id++)
		assert_int_equal(frontier_ended(f, id,
					 &(struct frontier_end){.state = PAGE_QUEUED,
						 .request = FRONTIER_NOT_ASKED,
						 .host = &found}),
			0);
	struct frontier_end end = {.state = PAGE_CRAWLED, .at = 10, .host = &nothing};
	takes(f, 0, 0);
	assert_int_equal(frontier_ended(f, 0, &end), 0);
	assert_int_equal(frontier_host_state(f, 0, &at), FRONTIER_HOST_RESTS);
	assert_int_equal(at, 1010);
	assert_int_equal(frontier_host_rest(f, 0), 1010);
	assert_int_equal(frontier_host_rest(f, 1), 1010);
	takes(f, 20, 2);
	takes(f, 1010, 1);
	end.at = 1030;
	end.host = &pause;
	assert_int_equal(frontier_ended(f, 1, &end), 0);
	/* the pause is that of host 1, the delay that of the address that it shares with host 0 */
	assert_int_equal(frontier_host_rest(f, 1), 5000);
	assert_int_equal(frontier_host_rest(f, 0), 2030);
	assert_int_equal(frontier_all_rest(f, 9999), 5000);
	assert_int_equal(frontier_all_rest(f, 5001), 5000);
	assert_int_equal(frontier_all_rest(f, 4999), 4999);
	end.host = &over;
	assert_int_equal(frontier_ended(f, 2, &end), 0);
	assert_int_equal(frontier_host_state(f, 2, &at), FRONTIER_HOST_GIVEN_UP);
	assert_true(at == FRONTIER_NEVER);
	assert_int_equal(frontier_host_rest(f, 2), 0);
	assert_int_equal(frontier_all_rest(f, 9999), 5000);
	frontier_hold(f, 2);
	frontier_hold(f, 1);
	assert_int_equal(frontier_host_state(f, 1, &at), FRONTIER_HOST_HELD);
	assert_true(frontier_has_held(f));
	frontier_let_go(f, 1);
	frontier_let_go(f, 2);
	assert_false(frontier_has_held(f));
	takes(f, 2029, -1);
	takes(f, 2030, 3);
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
		cmocka_unit_test(upcoming_pages_of_hosts_with_pages_in_flight_are_the_last),
		cmocka_unit_test(upcoming_pages_of_a_host_are_its_next_ones),
		cmocka_unit_test(a_host_rests_as_long_as_its_address),
	};

	return cmocka_run_group_tests_name("operator", tests, NULL, NULL);
}
