/* The one table of outcomes. */
#include "tests/test.h"

#include "base/outcome.h"

static void each_outcome_has_a_word_of_its_own(void **state)
{
	unsigned n = 0;

	(void)state;
	for (unsigned a = 0; a < OUTCOMES; a = outcome_next(a), n++) {
		assert_true(*outcome_word(a) && *outcome_sentence(a));
		for (unsigned b = 0; b < a; b = outcome_next(b))
			assert_string_not_equal(outcome_word(a), outcome_word(b));
	}
	assert_true(n > 40);
	assert_string_equal(outcome_word(OUTCOMES + 1), "unknown");
	assert_string_equal(outcome_word(OUTCOMES - 1), "unknown");
}

static void what_is_a_try_was_asked_and_what_waits_is_none(void **state)
{
	(void)state;
	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o)) {
		assert_true(!outcome_has(o, TRAIT_TRY) || outcome_has(o, TRAIT_ASKED));
		if (outcome_has(o, TRAIT_WAITS)) {
			assert_int_equal(outcome_state(o), PAGE_QUEUED);
			assert_false(outcome_has(o, TRAIT_TRY));
		}
		if (outcome_state(o) == PAGE_REFUSED)
			assert_false(outcome_has(o, TRAIT_ASKED));
	}
}

static void a_page_is_queued_again_only_for_what_may_pass(void **state)
{
	(void)state;
	assert_true(outcome_may_leave(OUTCOME_TIMEOUT, PAGE_FAILED));
	assert_true(outcome_may_leave(OUTCOME_TIMEOUT, PAGE_QUEUED));
	assert_false(outcome_may_leave(OUTCOME_TIMEOUT, PAGE_REFUSED));
	assert_false(outcome_may_leave(OUTCOME_TYPE, PAGE_QUEUED));
	assert_false(outcome_may_leave(OUTCOME_ROBOTS, PAGE_QUEUED));
	assert_true(outcome_may_leave(OUTCOME_ADDRESS, PAGE_QUEUED));
	assert_string_equal(outcome_event(OUTCOME_TIMEOUT, PAGE_QUEUED), "retry");
	assert_string_equal(outcome_event(OUTCOME_DEFERRED, PAGE_QUEUED), "put-off");
	assert_string_equal(outcome_event(OUTCOME_ADDRESS, PAGE_QUEUED), "put-back");
	assert_string_equal(outcome_event(OUTCOME_ROBOTS, PAGE_REFUSED), "refused");
}

/* As lycosa before format 2 wrote them. */
static void stores_of_format_1_are_understood(void **state)
{
	static const struct {
		unsigned state, error;
		enum outcome means;
	} rows[] = {{PAGE_CRAWLED, 0, OUTCOME_CRAWLED}, {PAGE_REDIRECTED, 0, OUTCOME_REDIRECTED}, {PAGE_FAILED, 0, OUTCOME_STATUS},
		{PAGE_FAILED, 4, OUTCOME_TIMEOUT}, {PAGE_QUEUED, 0, OUTCOME_STATUS}, {PAGE_QUEUED, 8, OUTCOME_ROBOTS_WAIT},
		{PAGE_QUEUED, 15, OUTCOME_ADDRESS}, {PAGE_REFUSED, 0, OUTCOME_ROBOTS},
		{PAGE_REFUSED, 8, OUTCOME_ROBOTS_UNAVAILABLE}, {PAGE_REFUSED, 10, OUTCOME_BUDGET},
		{PAGE_REFUSED, 11, OUTCOME_OLD_TRAP}, {PAGE_REFUSED, 12, OUTCOME_OLD_SCOPE}, {PAGE_FAILED, 14, OUTCOME_TYPE}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(outcome_of_format_1(rows[i].state, rows[i].error), rows[i].means);
	/* what is written now is read as it is */
	for (unsigned o = 16; o < OUTCOMES; o = outcome_next(o))
		assert_int_equal(outcome_of_format_1(outcome_state(o), o), o);
	assert_int_equal(outcome_of_refusal_1(0), OUTCOME_NONE);
	assert_int_equal(outcome_of_refusal_1(1), OUTCOME_HOST);
	assert_int_equal(outcome_of_refusal_1(14), OUTCOME_DUPLICATE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_outcome_has_a_word_of_its_own),
		cmocka_unit_test(what_is_a_try_was_asked_and_what_waits_is_none),
		cmocka_unit_test(a_page_is_queued_again_only_for_what_may_pass),
		cmocka_unit_test(stores_of_format_1_are_understood),
	};

	return cmocka_run_group_tests_name("outcome", tests, NULL, NULL);
}
