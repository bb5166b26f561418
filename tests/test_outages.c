/* crawler/outages.c: what counts as an outage, how long hosts back off, and when they are given up. */
#include "crawler/outages.h"
#include "tests/test.h"

#define GIVE_UP 60000

static void a_host_that_never_answered_is_the_fetchers_affair(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	for (int i = 0; i < 50; i++)
		assert_int_equal(outages_failed(o, 7, OUTCOME_CONNECT, i, i, &until), 0);
	assert_int_equal(outages_room(o, 16, 0, 100), 16);
	outages_free(o);
}

static void a_known_host_backs_off_twice_as_long_after_each_failure(void **state)
{
	static const int64_t backoff[] = {1000, 2000, 4000, 8000, 16000, 30000, 30000};
	struct outages *o = outages_new(INT64_MAX);
	int64_t now = 5000, until = 0;

	(void)state;
	outages_answered(o, 3, now);
	for (size_t i = 0; i < sizeof backoff / sizeof *backoff; i++) {
		assert_int_equal(outages_failed(o, 3, OUTCOME_CONNECT, now, now, &until), 1);
		assert_int_equal(until - now, backoff[i]);
		now = until;
	}
	outages_answered(o, 3, now);
	assert_int_equal(outages_failed(o, 3, OUTCOME_DNS, now, now, &until), 1);
	assert_int_equal(until - now, backoff[0]);
	outages_free(o);
}

static void requests_of_one_round_are_one_failure(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t first = 0, until = 0;

	(void)state;
	outages_answered(o, 0, 0);
	assert_int_equal(outages_failed(o, 0, OUTCOME_CONNECT, 10, 20, &first), 1);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(outages_failed(o, 0, OUTCOME_CONNECT, 15, 25 + i, &until), 1);
		assert_int_equal(until, first);
	}
	outages_free(o);
}

static void the_network_is_gone_when_known_hosts_fail_in_a_row_and_back_at_the_first_answer(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, 0, 0);
	assert_int_equal(outages_failed(o, 1, OUTCOME_CONNECT, 10, 10, &until), 0);
	assert_int_equal(outages_failed(o, 0, OUTCOME_CONNECT, 11, 11, &until), 1);
	assert_int_equal(outages_room(o, 16, 3, 12), 16);
	/* the third: from now on a page of a host that never answered is not at fault either */
	assert_int_equal(outages_failed(o, 2, OUTCOME_CONNECT, 12, 12, &until), 1);
	assert_int_equal(outages_room(o, 16, 0, 13), 0);
	assert_int_equal(outages_next_probe(o), 12 + OUTAGE_PROBE_MS);
	assert_int_equal(outages_room(o, 16, 0, 12 + OUTAGE_PROBE_MS), 1);
	assert_int_equal(outages_room(o, 16, 1, 12 + OUTAGE_PROBE_MS), 0);
	outages_answered(o, 2, 3000);
	assert_int_equal(outages_room(o, 16, 5, 3000), 16);
	assert_int_equal(outages_next_probe(o), INT64_MAX);
	outages_free(o);
}

static void answers_in_between_are_no_outage(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, 0, 0);
	outages_answered(o, 1, 0);
	for (int i = 1; i < 100; i++) {
		assert_int_equal(outages_failed(o, 1, OUTCOME_CONNECT, i * 100, i * 100, &until), 1);
		outages_answered(o, 0, i * 100 + 50);
		assert_int_equal(outages_room(o, 16, 0, i * 100 + 60), 16);
	}
	outages_free(o);
}

static void dead_hosts_that_never_answered_are_no_outage_however_many(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, 0, 0);
	for (uint32_t i = 1; i < 100; i++)
		assert_int_equal(outages_failed(o, i, OUTCOME_DNS_LATER, i, i, &until), 0);
	assert_int_equal(outages_room(o, 16, 0, 101), 16);
	assert_int_equal(outages_failed(o, 7, OUTCOME_NO_NETWORK, 102, 102, &until), 1);
	assert_int_equal(outages_room(o, 16, 0, 103), 0);
	outages_free(o);
}

static void silence_beyond_patience_is_given_up(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t now = 0, until = 0;

	(void)state;
	outages_answered(o, 0, 0);
	outages_answered(o, 1, 0);
	for (int i = 0; i < 20 && until < OUTAGE_FOR_GOOD; i++) {
		assert_int_equal(outages_failed(o, 1, OUTCOME_CONNECT, now, now, &until), 1);
		outages_answered(o, 0, now + 1);
		if (until < OUTAGE_FOR_GOOD)
			now = until;
	}
	assert_true(until == OUTAGE_FOR_GOOD);
	assert_in_range(now, GIVE_UP, GIVE_UP + OUTAGE_LONGEST_BACKOFF);
	assert_int_equal(outages_given_up(o), 1);
	assert_false(outages_over(o));
	outages_free(o);
}

static void an_outage_beyond_patience_ends_the_sitting(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t now = 0, until = 0;

	(void)state;
	outages_answered(o, 0, 0);
	for (int i = 0; i < 1000 && !outages_over(o); i++) {
		assert_int_equal(outages_failed(o, 0, OUTCOME_CONNECT, now, now, &until), 1);
		now = outages_next_probe(o) < INT64_MAX ? outages_next_probe(o) : until;
	}
	assert_true(outages_over(o));
	assert_in_range(now, GIVE_UP, GIVE_UP + OUTAGE_LONGEST_BACKOFF);
	assert_int_equal(outages_room(o, 16, 0, now), 0);
	outages_free(o);
}

static void the_time_of_an_outage_is_not_held_against_a_host(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, 0, 0);
	outages_answered(o, 1, 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(outages_failed(o, 1, OUTCOME_CONNECT, i * 40000, i * 40000, &until), 1);
	outages_answered(o, 0, 200000);
	assert_int_equal(outages_failed(o, 1, OUTCOME_CONNECT, 200001, 200001, &until), 1);
	assert_true(until < OUTAGE_FOR_GOOD);
	outages_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_that_never_answered_is_the_fetchers_affair),
		cmocka_unit_test(a_known_host_backs_off_twice_as_long_after_each_failure),
		cmocka_unit_test(requests_of_one_round_are_one_failure),
		cmocka_unit_test(the_network_is_gone_when_known_hosts_fail_in_a_row_and_back_at_the_first_answer),
		cmocka_unit_test(answers_in_between_are_no_outage),
		cmocka_unit_test(dead_hosts_that_never_answered_are_no_outage_however_many),
		cmocka_unit_test(silence_beyond_patience_is_given_up),
		cmocka_unit_test(an_outage_beyond_patience_ends_the_sitting),
		cmocka_unit_test(the_time_of_an_outage_is_not_held_against_a_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
