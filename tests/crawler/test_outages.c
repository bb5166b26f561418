/* crawler/knowledge/outages.c: what counts as an outage, how long hosts back off, and when they are given up. */
#include "crawler/knowledge/outages.h"
#include "tests/test.h"

#define GIVE_UP 60000

/* A host that has an address of its own, at port 80; at port 443; at an address with others. */
#define AT(n)               ((struct endpoint){.host = (n), .address = 100 + (n), .port = 80})
#define AT_443(n)           ((struct endpoint){.host = (n), .address = 100 + (n), .port = 443})
#define BESIDE(n, address_) ((struct endpoint){.host = (n), .address = (address_), .port = 80})

static void a_host_that_never_answered_is_the_fetchers_affair(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	for (int i = 0; i < 50; i++)
		assert_int_equal(outages_failed(o, AT(7), OUTCOME_CONNECT, i, i, &until), 0);
	assert_int_equal(outages_room(o, 16, 0, 100), 16);
	outages_free(o);
}

static void a_known_host_backs_off_twice_as_long_after_each_failure(void **state)
{
	static const int64_t backoff[] = {1000, 2000, 4000, 8000, 16000, 30000, 30000};
	struct outages *o = outages_new(INT64_MAX);
	int64_t now = 5000, until = 0;

	(void)state;
	outages_answered(o, AT(3), now);
	for (size_t i = 0; i < sizeof backoff / sizeof *backoff; i++) {
		assert_int_equal(outages_failed(o, AT(3), OUTCOME_CONNECT, now, now, &until), 1);
		assert_int_equal(until - now, backoff[i]);
		now = until;
	}
	outages_answered(o, AT(3), now);
	assert_int_equal(outages_failed(o, AT(3), OUTCOME_DNS, now, now, &until), 1);
	assert_int_equal(until - now, backoff[0]);
	outages_free(o);
}

static void requests_of_one_round_are_one_failure(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t first = 0, until = 0;

	(void)state;
	outages_answered(o, AT(0), 0);
	assert_int_equal(outages_failed(o, AT(0), OUTCOME_CONNECT, 10, 20, &first), 1);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(outages_failed(o, AT(0), OUTCOME_CONNECT, 15, 25 + i, &until), 1);
		assert_int_equal(until, first);
	}
	outages_free(o);
}

static void the_network_is_gone_when_known_hosts_fail_in_a_row_and_back_at_the_first_answer(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, AT(0), 0);
	assert_int_equal(outages_failed(o, AT(1), OUTCOME_CONNECT, 10, 10, &until), 0);
	assert_int_equal(outages_failed(o, AT(0), OUTCOME_CONNECT, 11, 11, &until), 1);
	assert_int_equal(outages_room(o, 16, 3, 12), 16);
	/* the third: from now on a page of a host that never answered is not at fault either */
	assert_int_equal(outages_failed(o, AT(2), OUTCOME_CONNECT, 12, 12, &until), 1);
	assert_int_equal(outages_room(o, 16, 0, 13), 0);
	assert_int_equal(outages_next_probe(o), 12 + OUTAGE_PROBE_MS);
	assert_int_equal(outages_room(o, 16, 0, 12 + OUTAGE_PROBE_MS), 1);
	assert_int_equal(outages_room(o, 16, 1, 12 + OUTAGE_PROBE_MS), 0);
	outages_answered(o, AT(2), 3000);
	assert_int_equal(outages_room(o, 16, 5, 3000), 16);
	assert_int_equal(outages_next_probe(o), INT64_MAX);
	outages_free(o);
}

static void answers_in_between_are_no_outage(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, AT(0), 0);
	outages_answered(o, AT(1), 0);
	for (int i = 1; i < 100; i++) {
		assert_int_equal(outages_failed(o, AT(1), OUTCOME_CONNECT, i * 100, i * 100, &until), 1);
		outages_answered(o, AT(0), i * 100 + 50);
		assert_int_equal(outages_room(o, 16, 0, i * 100 + 60), 16);
	}
	outages_free(o);
}

static void dead_hosts_that_never_answered_are_no_outage_however_many(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, AT(0), 0);
	for (uint32_t i = 1; i < 100; i++)
		assert_int_equal(outages_failed(o, AT(i), OUTCOME_DNS_LATER, i, i, &until), 0);
	assert_int_equal(outages_room(o, 16, 0, 101), 16);
	assert_int_equal(outages_failed(o, AT(7), OUTCOME_NO_NETWORK, 102, 102, &until), 1);
	assert_int_equal(outages_room(o, 16, 0, 103), 0);
	outages_free(o);
}

static void silence_beyond_patience_is_given_up(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t now = 0, until = 0;

	(void)state;
	outages_answered(o, AT(0), 0);
	outages_answered(o, AT(1), 0);
	for (int i = 0; i < 20 && until < OUTAGE_FOR_GOOD; i++) {
		assert_int_equal(outages_failed(o, AT(1), OUTCOME_CONNECT, now, now, &until), 1);
		outages_answered(o, AT(0), now + 1);
		assert_int_equal(outages_silent(o), until < OUTAGE_FOR_GOOD);
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
	outages_answered(o, AT(0), 0);
	for (int i = 0; i < 1000 && !outages_over(o); i++) {
		assert_int_equal(outages_failed(o, AT(0), OUTCOME_CONNECT, now, now, &until), 1);
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
	outages_answered(o, AT(0), 0);
	outages_answered(o, AT(1), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(outages_failed(o, AT(1), OUTCOME_CONNECT, i * 40000, i * 40000, &until), 1);
	outages_answered(o, AT(0), 200000);
	assert_int_equal(outages_failed(o, AT(1), OUTCOME_CONNECT, 200001, 200001, &until), 1);
	assert_true(until < OUTAGE_FOR_GOOD);
	outages_free(o);
}

static void a_host_that_answers_at_one_port_is_not_known_at_another(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, AT(4), 0);
	for (int i = 0; i < 20; i++)
		assert_int_equal(outages_failed(o, AT_443(4), OUTCOME_CONNECT, i, i, &until), 0);
	assert_int_equal(outages_failed(o, AT(4), OUTCOME_CONNECT, 30, 30, &until), 1);
	outages_free(o);
}

static void an_address_backs_off_once_two_of_its_hosts_have_failed_in_a_row(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	for (uint32_t host = 0; host < 5; host++)
		outages_answered(o, BESIDE(host, 9), 0);
	outages_answered(o, BESIDE(7, 8), 0);
	assert_int_equal(outages_failed(o, BESIDE(0, 9), OUTCOME_CONNECT, 10, 10, &until), 1);
	assert_int_equal(outages_backs_off(o, BESIDE(1, 9), 11, &until), 0);
	assert_int_equal(outages_failed(o, BESIDE(1, 9), OUTCOME_CONNECT, 20, 20, &until), 1);
	/* from now on none of them is asked, and one that never answered is not at fault either */
	for (uint32_t host = 0; host < 6; host++) {
		assert_int_equal(outages_backs_off(o, BESIDE(host, 9), 21, &until), 1);
		assert_int_equal(until, 20 + OUTAGE_FIRST_BACKOFF);
	}
	assert_int_equal(outages_failed(o, BESIDE(6, 9), OUTCOME_CONNECT, 15, 25, &until), 1);
	assert_int_equal(outages_backs_off(o, BESIDE(7, 8), 21, &until), 0);
	outages_answered(o, BESIDE(7, 8), 30);
	/* twice as long after the next, and no more after an answer */
	assert_int_equal(outages_backs_off(o, BESIDE(2, 9), 2000, &until), 0);
	assert_int_equal(outages_failed(o, BESIDE(2, 9), OUTCOME_CONNECT, 2000, 2001, &until), 1);
	assert_int_equal(outages_backs_off(o, BESIDE(3, 9), 2002, &until), 1);
	assert_int_equal(until, 2001 + 2 * OUTAGE_FIRST_BACKOFF);
	outages_answered(o, BESIDE(4, 9), 2003);
	assert_int_equal(outages_backs_off(o, BESIDE(3, 9), 2004, &until), 0);
	outages_free(o);
}

static void names_that_are_not_resolved_say_nothing_of_an_address(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, BESIDE(0, 9), 0);
	for (int i = 1; i < 10; i++) {
		assert_int_equal(outages_failed(o, BESIDE(0, 9), OUTCOME_DNS, i * 9999, i * 9999, &until), 1);
		outages_answered(o, BESIDE(1, 8), i * 9999 + 1);
	}
	assert_int_equal(outages_backs_off(o, BESIDE(2, 9), 90000, &until), 0);
	outages_free(o);
}

static void an_address_beyond_patience_is_given_up_with_all_its_hosts(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t now = 0, until = 0;

	(void)state;
	for (uint32_t host = 0; host < 100; host++)
		outages_answered(o, BESIDE(host, 9), 0);
	outages_answered(o, BESIDE(100, 8), 0);
	/* a different host each time: none of them fails three times */
	for (uint32_t host = 0; host < 50 && now < 2 * GIVE_UP; host++) {
		outages_failed(o, BESIDE(host, 9), OUTCOME_CONNECT, now, now, &until);
		outages_answered(o, BESIDE(100, 8), now + 1);
		if (outages_backs_off(o, BESIDE(99, 9), now + 2, &until) && until == OUTAGE_FOR_GOOD)
			break;
		now = until > now ? until : now + 2;
	}
	assert_in_range(now, GIVE_UP, GIVE_UP + OUTAGE_LONGEST_BACKOFF);
	assert_int_equal(outages_backs_off(o, BESIDE(98, 9), now + 3, &until), 1);
	assert_true(until == OUTAGE_FOR_GOOD);
	assert_int_equal(outages_given_up(o), 2);
	assert_int_equal(outages_backs_off(o, BESIDE(100, 8), now + 3, &until), 0);
	outages_free(o);
}

static void a_page_that_alone_is_answered_503_is_at_fault_itself(void **state)
{
	struct outages *o = outages_new(GIVE_UP);

	(void)state;
	for (int64_t now = 0; now < 100000; now += 10000) {
		int64_t until = now;
		assert_int_equal(outages_busy(o, AT(1), 7, now, now, &until), 0);
		assert_int_equal(until - now, OUTAGE_FIRST_BACKOFF);
		outages_answered(o, AT(1), now + 1);
	}
	/* and so is the last page of a host, since no other page tells more */
	for (int64_t now = 200000; now < 210000; now += 1000) {
		int64_t until = now;
		assert_int_equal(outages_busy(o, AT(1), 7, now, now, &until), 0);
	}
	outages_free(o);
}

static void pages_that_are_answered_503_one_after_another_are_the_hosts_fault_for_a_time(void **state)
{
	static const int64_t backoff[] = {1000, 2000, 4000, 8000, 16000, 30000, 30000};
	struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
	int64_t now = 5000;

	(void)state;
	outages_answered(o, AT(3), now);
	for (uint32_t i = 0; i < 40; i++) {
		const int is_host = outages_busy(o, AT(3), i % 2, now, now, &(int64_t){now});
		assert_int_equal(is_host, i > 0 && now - 5000 < OUTAGE_BUSY_MS);
		int64_t until = now;
		(void)outages_busy(o, AT(3), i % 2, now, now, &until);
		if (now - 5000 < OUTAGE_BUSY_MS)
			assert_int_equal(until - now, backoff[i < 6 ? i : 6]);
		else
			assert_int_equal(until, now);
		now = until > now ? until : now + 30000;
	}
	/* another host, another port and an answer are no part of it */
	int64_t until = now;
	assert_int_equal(outages_busy(o, AT_443(3), 50, now, now, &until), 0);
	assert_int_equal(outages_busy(o, AT(4), 51, now, now, &until), 0);
	outages_answered(o, AT(3), now);
	assert_int_equal(outages_busy(o, AT(3), 52, now, now, &until), 0);
	assert_int_equal(outages_busy(o, AT(3), 53, now, now, &until), 1);
	/* where the answer says so, the host is left alone for longer */
	until = now + 77777;
	assert_int_equal(outages_busy(o, AT(3), 54, now, now, &until), 1);
	assert_int_equal(until, now + 77777);
	assert_int_equal(outages_given_up(o), 0);
	outages_free(o);
}

static void a_busy_host_is_no_outage_of_the_network(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, AT(0), 0);
	for (int i = 0; i < OUTAGE_FAILURES; i++)
		outages_failed(o, AT(0), OUTCOME_CONNECT, 10, 10, &until);
	assert_int_equal(outages_room(o, 16, 0, 20), 0);
	(void)outages_busy(o, AT(1), 5, 1000, 1000, &until);
	assert_int_equal(outages_room(o, 16, 0, 1000), 16);
	assert_int_equal(outages_silent(o), 1); /* host 0 alone */
	outages_free(o);
}

static void a_probe_asks_also_where_an_address_backs_off(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, BESIDE(0, 9), 0);
	for (int i = 0; i < OUTAGE_FAILURES; i++)
		outages_failed(o, BESIDE(0, 9), OUTCOME_CONNECT, i * 40000, i * 40000, &until);
	assert_int_equal(outages_room(o, 16, 0, 90000), 1);
	assert_int_equal(outages_backs_off(o, BESIDE(1, 9), 80001, &until), 0);
	outages_free(o);
}

static void what_an_earlier_request_told_is_not_counted_again(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0, rested = 0;

	(void)state;
	outages_answered(o, AT(1), 0);
	assert_int_equal(outages_failed_before(o, AT(1), 10, &until), 0);
	assert_int_equal(outages_failed(o, AT(1), OUTCOME_ROBOTS_CONNECT, 20, 20, &rested), 1);
	for (int i = 0; i < 50; i++) {
		assert_int_equal(outages_failed_before(o, AT(1), 21 + i, &until), 1);
		assert_int_equal(until, rested);
	}
	assert_int_equal(outages_room(o, 16, 0, 100), 16);
	assert_int_equal(outages_silent(o), 1);
	outages_answered(o, AT(1), 200);
	assert_int_equal(outages_silent(o), 0);
	assert_int_equal(outages_failed_before(o, AT(1), 201, &until), 0);
	outages_free(o);
}

/* A host that is dead from the first was asked while the network was gone: that excused it then, and not for ever. */
static void an_outage_of_the_network_excuses_a_dead_host_no_longer_than_it_lasts(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	outages_answered(o, AT(1), 0);
	for (int i = 0; i < OUTAGE_FAILURES; i++)
		assert_int_equal(outages_failed(o, AT(1), OUTCOME_DNS, 10 + i, 10 + i, &until), 1);
	assert_int_equal(outages_failed(o, AT(2), OUTCOME_ROBOTS_DNS, 2000, 2000, &until), 1);
	assert_int_equal(outages_failed_before(o, AT(2), 2001, &until), 1);
	outages_answered(o, AT(1), 3000);
	assert_int_equal(outages_failed(o, AT(2), OUTCOME_ROBOTS_DNS, 4000, 4000, &until), 0);
	assert_int_equal(outages_failed_before(o, AT(2), 4001, &until), 0);
	outages_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_that_never_answered_is_the_fetchers_affair),
		cmocka_unit_test(an_outage_of_the_network_excuses_a_dead_host_no_longer_than_it_lasts),
		cmocka_unit_test(a_known_host_backs_off_twice_as_long_after_each_failure),
		cmocka_unit_test(requests_of_one_round_are_one_failure),
		cmocka_unit_test(the_network_is_gone_when_known_hosts_fail_in_a_row_and_back_at_the_first_answer),
		cmocka_unit_test(answers_in_between_are_no_outage),
		cmocka_unit_test(dead_hosts_that_never_answered_are_no_outage_however_many),
		cmocka_unit_test(silence_beyond_patience_is_given_up),
		cmocka_unit_test(an_outage_beyond_patience_ends_the_sitting),
		cmocka_unit_test(the_time_of_an_outage_is_not_held_against_a_host),
		cmocka_unit_test(a_host_that_answers_at_one_port_is_not_known_at_another),
		cmocka_unit_test(an_address_backs_off_once_two_of_its_hosts_have_failed_in_a_row),
		cmocka_unit_test(names_that_are_not_resolved_say_nothing_of_an_address),
		cmocka_unit_test(an_address_beyond_patience_is_given_up_with_all_its_hosts),
		cmocka_unit_test(what_an_earlier_request_told_is_not_counted_again),
		cmocka_unit_test(a_page_that_alone_is_answered_503_is_at_fault_itself),
		cmocka_unit_test(pages_that_are_answered_503_one_after_another_are_the_hosts_fault_for_a_time),
		cmocka_unit_test(a_busy_host_is_no_outage_of_the_network),
		cmocka_unit_test(a_probe_asks_also_where_an_address_backs_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
