/* When batches end (frontier/schedule.h). */
#include "tests/test.h"

#include "frontier/schedule.h"

/* Writes the pages at which the batches of a crawl of `pages` pages end, up to `most` of them; returns how many there are. */
static uint64_t ends_of(uint64_t batch, double growth, uint64_t pages, uint64_t *end, uint64_t most)
{
	struct policy_view v = {.crawled = 0};

	schedule_begin(&v, batch, growth);
	for (v.crawled = 1; v.crawled <= pages; v.crawled++) {
		const uint64_t before = v.batches;
		const int has_ended = schedule_pass(&v, v.crawled);
		assert_int_equal(has_ended, view_batch_ended(&v));
		assert_int_equal(v.batches - before, view_batch_ended(&v));
		if (view_batch_ended(&v) && before < most)
			end[before] = v.crawled;
	}
	assert_int_equal(v.batches, schedule_batches(batch, growth, pages));
	return v.batches;
}

static void batches_end_when_the_crawl_has_grown(void **state)
{
	static const uint64_t tenth[] = {20, 22, 24, 26, 28, 30, 33, 36, 39, 42, 46, 50}, twice[] = {20, 40, 80, 160, 320, 640};
	uint64_t end[12];

	(void)state;
	assert_int_equal(ends_of(0, 0, 1000, end, 12), 44);
	assert_memory_equal(end, tenth, sizeof tenth);
	assert_int_equal(ends_of(0, 1, 1000, end, 12), 6);
	assert_memory_equal(end, twice, sizeof twice);
	/* a batch has a page at least */
	assert_int_equal(ends_of(0, 0.001, 500, end, 12), 481);
	assert_int_equal(schedule_batches(0, 0.1, 10000000), 140);
}

static void fixed_batches_have_equal_lengths(void **state)
{
	static const uint64_t sevens[] = {7, 14, 21, 28};
	uint64_t end[4];

	(void)state;
	assert_int_equal(ends_of(7, 0.1, 34, end, 4), 4); /* the growth does not count */
	assert_memory_equal(end, sevens, sizeof sevens);
}

/* As in a crawl by several agents, whose pages are heard of many at a time. */
static void a_leap_over_batches_ends_all_of_them(void **state)
{
	struct policy_view v = {.crawled = 0};

	(void)state;
	schedule_begin(&v, 0, 0);
	assert_int_equal(schedule_pass(&v, 19), 0);
	assert_int_equal(schedule_pass(&v, 31), 1);
	assert_int_equal(v.batches, 6);
	assert_int_equal(v.batch_began, 30);
	assert_int_equal(schedule_pass(&v, 32), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches_end_when_the_crawl_has_grown),
		cmocka_unit_test(fixed_batches_have_equal_lengths),
		cmocka_unit_test(a_leap_over_batches_ends_all_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
