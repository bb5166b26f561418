/* Crawled pages that are fetched once more: their hosts rest as after any request, and the pages stay as they are. */
#include "tests/test.h"

#include "frontier/frontier.h"
#include "policies/policies.h"
#include "tests/graph/graphs.h"

#define PAGES 12
#define DELAY 1000

/* Pages 0 to 5 are of host 0, the others of host 1; scope refuses page 11. */
static uint32_t host_of(void *ctx, uint32_t id)
{
	(void)ctx;
	return id / 6;
}

static int is_outside(void *ctx, uint32_t id)
{
	(void)ctx;
	return id == 11;
}

/* A frontier whose pages 0 and 6 are crawled, and whose hosts rest no more at the time *now. Pages 1 and 7 are queued. */
static struct frontier *begin(const struct policy *policy, struct opt_set *opts, int64_t *now)
{
	const struct frontier_settings set = {.policy = policy, .opts = opts, .batch = 4, .delay_ms = DELAY, .per_host = 1};
	const struct frontier_world world = {.host = host_of, .outside = is_outside};
	const uint32_t seeds[] = {0, 6};
	struct frontier *f;
	struct err_note why;
	uint32_t id;

	opt_init(opts, policy->opts, policy->name);
	if (frontier_new(&f, &set, &world, &why))
		fail_msg("%s", why.text);
	frontier_seed(f, seeds, 2);
	*now = 10000;
	for (int i = 0; i < 2; i++) {
		assert_true(frontier_take(f, *now, &id));
		const uint32_t link = id + 1;
		assert_int_equal(frontier_ended(f, id,
					 &(struct frontier_end){.state = PAGE_CRAWLED, .at = *now, .links = &link, .n_links = 1}),
			0);
	}
	*now += 2 * DELAY;
	return f;
}

static void a_visit_makes_its_host_rest_and_no_other(void **state)
{
	struct opt_set opts;
	int64_t now;
	uint32_t id;
	struct frontier *f = begin(&policy_bfs, &opts, &now);

	(void)state;
	assert_int_equal(frontier_visit_time(f, now, 0), now);
	frontier_visit(f, now, 0);
	assert_int_equal(frontier_in_flight(f), 1);
	assert_int_equal(frontier_state(f, 0), PAGE_CRAWLED);
	assert_true(frontier_visit_time(f, now, 0) > now);
	assert_true(frontier_take(f, now, &id)); /* page 1 must wait for host 0 */
	assert_int_equal(id, 7);
	assert_false(frontier_take(f, now, &id));
	frontier_visited(f, 0, &(struct frontier_end){.at = now + 50});
	assert_int_equal(frontier_in_flight(f), 1);
	assert_int_equal(frontier_visit_time(f, now + 60, 0), now + 50 + DELAY);
	assert_false(frontier_take(f, now + 49 + DELAY, &id));
	assert_true(frontier_take(f, now + 50 + DELAY, &id));
	assert_int_equal(id, 1);
	frontier_free(f);
	opt_release(&opts);
}

static void an_attempt_without_a_request_causes_no_rest(void **state)
{
	struct opt_set opts;
	int64_t now;
	struct frontier *f = begin(&policy_bfs, &opts, &now);

	(void)state;
	frontier_visit(f, now, 6);
	frontier_visited(f, 6, &(struct frontier_end){.request = FRONTIER_NOT_ASKED, .at = now + 5});
	assert_int_equal(frontier_visit_time(f, now + 5, 6), now + 5);
	frontier_hold(f, 1);
	assert_true(frontier_visit_time(f, now + 5, 6) > now + 5);
	frontier_let_go(f, 1);
	assert_int_equal(frontier_visit_time(f, now + 5, 6), now + 5);
	/* a host that is given up is not asked in this sitting */
	frontier_visit(f, now + 5, 6);
	frontier_visited(f, 6,
		&(struct frontier_end){.at = now + 6,
			.host = &(struct frontier_host_news){.delay = -1, .pause = FRONTIER_FOR_GOOD}});
	assert_true(frontier_visit_time(f, now + 7, 6) == FRONTIER_NEVER);
	frontier_free(f);
	opt_release(&opts);
}

/* For every policy that can crawl: what a visit finds is queued, and taken some time. */
static void pages_that_a_visit_has_found_are_queued_if_scope_lets_them_in(void **state)
{
	const uint32_t fresh[] = {3, 11, 9};

	(void)state;
	for (const struct policy *const *p = policies; *p; p++) {
		struct opt_set opts;
		struct frontier_counts n;
		uint8_t was_taken[PAGES] = {0};
		int64_t now;
		uint32_t id;
		if ((*p)->oracle || (*p)->needs)
			continue;
		struct frontier *f = begin(*p, &opts, &now);
		frontier_visit(f, now, 0);
		frontier_visited(f, 0, &(struct frontier_end){.at = now});
		frontier_learn(f, 0, fresh, 3);
		frontier_count(f, &n);
		assert_int_equal(n.queued, 4);
		assert_int_equal(n.crawled, 2);
		assert_int_equal(frontier_state(f, 11), PAGE_UNSEEN);
		for (int i = 0; i < 4; i++) {
			now += 2 * DELAY;
			assert_true(frontier_take(f, now, &id));
			was_taken[id] = 1;
			assert_int_equal(frontier_ended(f, id, &(struct frontier_end){.state = PAGE_CRAWLED, .at = now}), 0);
		}
		assert_true(was_taken[1] && was_taken[3] && was_taken[7] && was_taken[9]);
		frontier_free(f);
		opt_release(&opts);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_visit_makes_its_host_rest_and_no_other),
		cmocka_unit_test(an_attempt_without_a_request_causes_no_rest),
		cmocka_unit_test(pages_that_a_visit_has_found_are_queued_if_scope_lets_them_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
