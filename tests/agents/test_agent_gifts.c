/* When an agent says that it needs pages of others. */
#include "tests/test.h"

#include "base/clock.h"
#include "crawler/agent/agent_shares_parts.h"

static void pages_last_as_long_as_the_speed_says(void **state)
{
	(void)state;
	assert_int_equal(agent_gifts_duration(&(struct news){.queued = 30, .speed = 10000}), 3000); /* 10 pages a second */
	assert_int_equal(agent_gifts_duration(&(struct news){.queued = 0, .speed = 10000}), 0);
	assert_true(agent_gifts_duration(&(struct news){.queued = 1, .speed = 0}) == INT64_MAX);
	assert_true(agent_gifts_duration(&(struct news){.queued = UINT64_MAX, .speed = 1}) == INT64_MAX);
}

static void an_agent_is_hungry_before_its_pages_end(void **state)
{
	const int64_t now = clock_ms();
	const struct {
		int64_t idle_since, lasts;
		int is_fed, is_hungry;
	} table[] = {
		{now, 60000, 1, 0}, {now, 1000, 1, 1}, {now, 1000, 0, 0}, /* it is paused, or gets pages already */
		{now - 600000, INT64_MAX, 1, 1},                          /* it has had none for long */
		{now, INT64_MAX, 1, 0}, /* it has crawled nothing lately, and has pages: they wait for their hosts */
		{0, 1000, 1, 0},        /* it has not looked yet */
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct agent_shares s = {.idle_since = table[i].idle_since,
			.lasts = table[i].lasts,
			.is_fed = table[i].is_fed};
		/* a machine that stops for a second makes the first agent idle for so long */
		const int is_needed = agent_gifts_are_needed(&s);
		if (table[i].is_hungry || clock_ms() - now < 500)
			assert_int_equal(is_needed, table[i].is_hungry);
	}
}

static void logs_are_awaited_if_one_has_no_page_and_another_has_some_to_give(void **state)
{
	struct neighbour of[3] = {{0}};
	struct agent_shares s = {.of = of, .agents = 3, .is_fed = 1, .queued = 10, .lasts = 60000};

	(void)state;
	of[1] = (struct neighbour){.is_live = 1, .is_hungry = 1};
	of[2] = (struct neighbour){.is_live = 1, .queued = 5000, .lasts = 60000};
	assert_true(agent_gifts_are_awaited(&s));
	of[2].lasts = 100; /* its pages are crawled before a gift could arrive */
	assert_false(agent_gifts_are_awaited(&s));
	s.queued = 1000;
	assert_true(agent_gifts_are_awaited(&s));
	of[1].queued = 7;
	assert_false(agent_gifts_are_awaited(&s));
	assert_true(agent_shares_has_hungry(&s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_last_as_long_as_the_speed_says),
		cmocka_unit_test(an_agent_is_hungry_before_its_pages_end),
		cmocka_unit_test(logs_are_awaited_if_one_has_no_page_and_another_has_some_to_give),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
