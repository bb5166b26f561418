/* What an agent may conclude from the order in which its watch shows changes, and what its address book makes of it. */
#include "tests/test.h"

#include "agents/address_book.h"
#include "agents/leases.h"
#include "agents/member.h"

#include <stdlib.h>
#include <string.h>

#define REST 50 /* ms */
#define KEY  BOOK_KEY "00000000000000000000000000000001"

static const unsigned char ip[16] = {[15] = 1};

/* The watch of an agent begins anew, and shows that another agent holds the address before it shows that agent's news. */
static void an_agent_that_has_heard_nothing_for_long_takes_no_address_before_it_has_heard_all(void **state)
{
	struct leases *l = leases_new(0, 1000);
	struct address_book *b = book_new(0, REST);
	struct book_write write;

	(void)state;
	leases_wrote(l, 1, 1000);
	leases_heard(l, 0, 1, 0, 1001);
	leases_heard(l, 1, 2, 0, 1002);
	/* the server is away until 20000; the watch begins again, and both agents are sure of their leases again: the other one by
	 * news of revision 3 and 9 */
	leases_wrote(l, 5, 20000);
	book_lapse(b, 5);
	leases_listen(l, 20005);
	book_learn(b, KEY, "1 -1 0", 6, 4, 20010);
	assert_false(book_ask(b, ip, 20011));
	assert_true(book_next(b, 20011, l, &write)); /* it wishes for the address, and that is all */
	assert_int_equal(write.holder, 1);
	/* its own news come before those of the other one, whose revision 3 the watch does not show any more */
	leases_heard(l, 0, 5, 0, 20012);
	assert_false(leases_is_over(l, 1, 4));
	assert_false(leases_hears(l, 20013, 0));
	leases_heard(l, 1, 9, 0, 20014);
	leases_wrote(l, 11, 20015);
	leases_heard(l, 0, 11, 0, 20016);
	assert_true(leases_hears(l, 20016, 0));
	assert_false(leases_is_over(l, 1, 4));
	/* nothing more comes of the other one */
	leases_wrote(l, 12, 20014 + NEWS_LOST_MS);
	leases_heard(l, 0, 12, 0, 20014 + NEWS_LOST_MS + 1);
	assert_true(leases_is_over(l, 1, 4));
	assert_false(leases_is_over(l, 1, 12));
	book_free(b);
	free(l);
}

static void an_address_that_was_handed_over_before_a_lapse_is_written_again(void **state)
{
	struct leases *l = leases_new(0, 1000);
	struct address_book *b = book_new(0, REST);
	struct book_write write;

	(void)state;
	book_learn(b, KEY, "1 0 0", 5, 7, 1000);
	/* revision 8 gives it the address; the agent is away, sure of its lease again by revision 9, and sees 8 only then */
	book_lapse(b, 9);
	book_learn(b, KEY, "0 -1 200", 8, 8, 20000);
	assert_false(book_ask(b, ip, 20001));
	assert_true(book_next(b, 20001, l, &write));
	assert_int_equal(write.revision, 8);
	write.revision = 12;
	assert_false(book_wrote(b, &write, 1, 20002));
	assert_false(book_ask(b, ip, 20003));
	assert_false(book_ask(b, ip, 20199)); /* the longer rest counts */
	assert_true(book_ask(b, ip, 20200));
	book_free(b);
	free(l);
}

static void an_agent_that_has_left_is_over_as_soon_as_that_is_certain(void **state)
{
	struct leases *l = leases_new(0, 1000);

	(void)state;
	leases_listen(l, 1000);
	leases_heard(l, 1, 7, 1, 1001);
	assert_false(leases_is_over(l, 1, 5));
	leases_wrote(l, 8, 1002);
	leases_heard(l, 0, 8, 0, 1003);
	assert_true(leases_is_over(l, 1, 5));
	assert_false(leases_is_over(l, 1, 9));          /* what was written later may be of a process that was started again */
	assert_true(leases_is_over(l, NEWS_AGENTS, 5)); /* no such agent can be */
	free(l);
}

static void in_a_lease_one_renewal_may_fail_however_many_agents_there_are(void **state)
{
	static const struct {
		unsigned agents;
		int64_t ms;
	} table[] = {{1, NEWS_MS}, {NEWS_FEW, NEWS_MS}, {12, 3000}, {16, 4000}, {48, 4000}, {NEWS_AGENTS, 4000}};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		assert_int_equal(news_ms(table[i].agents), table[i].ms);
	for (unsigned n = 1; n <= NEWS_AGENTS; n++)
		assert_true(2 * news_ms(n) <= NEWS_LOST_MS - MEMBER_MARGIN_MS && news_ms(n) <= news_ms(n + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_a_lease_one_renewal_may_fail_however_many_agents_there_are),
		cmocka_unit_test(an_agent_that_has_heard_nothing_for_long_takes_no_address_before_it_has_heard_all),
		cmocka_unit_test(an_address_that_was_handed_over_before_a_lapse_is_written_again),
		cmocka_unit_test(an_agent_that_has_left_is_over_as_soon_as_that_is_certain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
