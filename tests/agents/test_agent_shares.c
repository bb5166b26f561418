/* An agent without pages to crawl says in its news that it is hungry; other agents then give partitions to it. These tests check
 * that an agent says so when it has had no page for a second, and never while it has pages. */
#include "tests/test.h"

#include "base/clock.h"
#include "crawler/agent/agent_shares_parts.h"

#include <dlfcn.h>
#include <time.h>

static time_t passed; /* s, by which the clocks of this program are ahead */

/* In place of the C library's, for all of the program. */
int clock_gettime(clockid_t which, struct timespec *t)
{
	static int (*real)(clockid_t, struct timespec *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	const int failed = real(which, t);
	t->tv_sec += passed;
	return failed;
}

/* Lets more time pass than an agent must have had no page to be hungry. */
static void wait_a_while(void)
{
	passed += 2;
}

/* Says whether an agent with so many pages tells that it is hungry. */
static int is_hungry(struct agent_shares *s, uint64_t queued, uint64_t in_flight)
{
	struct news news = {.queued = queued, .in_flight = in_flight};

	agent_shares_tell(s, &news);
	return news.is_hungry;
}

static void an_agent_that_has_pages_is_never_hungry(void **state)
{
	struct agent_shares *s = agent_shares_new(NULL, 0);

	(void)state;
	s->is_running = 1;
	assert_false(is_hungry(s, 4000, 5));
	wait_a_while(); /* whatever delays its next news */
	assert_false(is_hungry(s, 4000, 0));
	wait_a_while();
	assert_false(is_hungry(s, 0, 1));
	agent_shares_free(s);
}

static void an_agent_without_a_page_is_hungry_after_a_while(void **state)
{
	struct agent_shares *s = agent_shares_new(NULL, 0);

	(void)state;
	assert_false(is_hungry(s, 0, 0));
	wait_a_while();
	assert_false(is_hungry(s, 0, 0)); /* it does not run */
	s->is_running = 1;
	wait_a_while();
	assert_true(is_hungry(s, 0, 0));
	s->n_unfinished = 1; /* it reads partitions that it was given */
	assert_false(is_hungry(s, 0, 0));
	s->n_unfinished = 0;
	wait_a_while();
	assert_true(is_hungry(s, 0, 0));
	assert_false(is_hungry(s, 1, 0));
	agent_shares_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_agent_that_has_pages_is_never_hungry),
		cmocka_unit_test(an_agent_without_a_page_is_hungry_after_a_while),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
