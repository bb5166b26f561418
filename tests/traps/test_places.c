#include "tests/test.h"

#include "traps/places.h"

#define KEY 7u

static const struct places_limits growing = {8, 32, PLACES_GROWING, PLACES_BELIEVED},
				  waiting = {8, 32, PLACES_WAITING, PLACES_BELIEVED};

/* n pages of the place are confirmed, each of which led to `fresh` more. */
static void confirm(struct trap_places *p, uint32_t n, uint32_t fresh)
{
	while (n--)
		places_confirmed(p, KEY, &growing, &(struct places_met){3, fresh, 1, 1});
}

static void a_place_is_deferred_after_some_pages_and_skipped_after_more(void **state)
{
	struct trap_places p;
	(void)state;

	places_init(&p);
	assert_int_equal(places_state(&p, KEY, &growing), PLACE_TRUSTED);
	confirm(&p, 7, 1);
	assert_int_equal(places_state(&p, KEY, &growing), PLACE_TRUSTED);
	confirm(&p, 1, 1);
	assert_int_equal(places_state(&p, KEY, &growing), PLACE_DEFERRED);
	confirm(&p, 23, 1);
	assert_int_equal(places_state(&p, KEY, &growing), PLACE_DEFERRED);
	confirm(&p, 1, 1);
	assert_int_equal(places_state(&p, KEY, &growing), PLACE_SKIPPED);
	assert_int_equal(places_state(&p, KEY + 1, &growing), PLACE_TRUSTED);
	assert_int_equal(places_state(&p, KEY, &(struct places_limits){0, 0, PLACES_WAITING, PLACES_BELIEVED}), PLACE_TRUSTED);
	places_release(&p);
}

static void a_place_that_does_not_grow_is_not_skipped(void **state)
{
	struct trap_places p;
	(void)state;

	places_init(&p);
	confirm(&p, 16, 3);
	confirm(&p, 16, 0); /* it has grown before, but does no more */
	assert_int_equal(places_state(&p, KEY, &growing), PLACE_DEFERRED);
	confirm(&p, 1600, 0);
	assert_int_equal(places_state(&p, KEY, &growing), PLACE_DEFERRED);
	for (uint32_t id = 0; id < 16; id++) {
		const uint64_t key = KEY;
		places_meet(&p, id, &key, 1);
		places_meet(&p, id, &key, 1); /* no matter */
		confirm(&p, 1, 0);
	}
	assert_int_equal(places_state(&p, KEY, &growing), PLACE_SKIPPED);
	places_release(&p);
}

static void the_few_last_pages_of_a_place_are_not_skipped(void **state)
{
	struct trap_places p;
	(void)state;

	places_init(&p);
	confirm(&p, 32, 0);
	for (uint32_t id = 0; id < 8; id++) {
		assert_int_equal(places_state(&p, KEY, &waiting), PLACE_DEFERRED);
		places_keep(&p, KEY, id, PLACES_DEFERRED);
	}
	assert_int_equal(places_state(&p, KEY, &waiting), PLACE_SKIPPED);
	places_keep(&p, KEY, 0, PLACES_SKIPPED);
	assert_int_equal(places_state(&p, KEY, &waiting), PLACE_SKIPPED);
	places_grant(&p, 0);
	assert_int_equal(places_state(&p, KEY, &waiting), PLACE_DEFERRED);
	places_release(&p);
}

static void one_page_that_differs_frees_all_of_its_place(void **state)
{
	struct places_freed freed = {.deferred = {.n = 0}};
	struct trap_places p;
	(void)state;

	places_init(&p);
	confirm(&p, 32, 1);
	for (uint32_t id = 0; id < 100; id++)
		places_keep(&p, id < 90 ? KEY : KEY + 1, id, id % 3 ? PLACES_DEFERRED : PLACES_SKIPPED);
	assert_int_equal(p.deferred, 66);
	assert_int_equal(p.skipped, 34);
	for (uint32_t id = 0; id < 30; id++)
		places_grant(&p, id);
	places_keep(&p, KEY, 29, PLACES_DEFERRED); /* deferred once more */
	assert_int_equal(places_kept(&p, 40), PLACES_DEFERRED);
	assert_int_equal(places_kept(&p, 42), PLACES_SKIPPED);
	places_differed(&p, KEY, &growing, &freed);
	assert_int_equal(places_kept(&p, 40), PLACES_FREE);
	assert_int_equal(places_state(&p, KEY, &growing), PLACE_TRUSTED);
	assert_int_equal(freed.deferred.n, 41);
	assert_int_equal(freed.skipped.n, 20);
	for (size_t i = 0; i < freed.deferred.n; i++)
		assert_in_range(freed.deferred.id[i], 29, 89);
	assert_int_equal(p.deferred + p.skipped, 10);
	freed.deferred.n = freed.skipped.n = 0;
	places_differed(&p, KEY, &growing, &freed);
	assert_int_equal(freed.deferred.n + freed.skipped.n, 0);
	places_free(&p, 91, &freed);
	places_free(&p, 91, &freed);
	places_free(&p, 5, &freed);
	assert_int_equal(freed.deferred.n, 1);
	places_freed_release(&freed);
	places_release(&p);
}

static void a_doubted_place_is_deferred_from_the_start_until_a_page_differs(void **state)
{
	const struct places_limits doubted = {8, 10, PLACES_WAITING, PLACES_DOUBTED};
	struct places_freed freed = {.deferred = {.n = 0}};
	struct trap_places p;
	(void)state;

	places_init(&p);
	assert_int_equal(places_state(&p, KEY, &doubted), PLACE_DEFERRED);
	assert_int_equal(places_example(&p, KEY), UINT32_MAX);
	confirm(&p, 9, 1);
	assert_int_equal(places_state(&p, KEY, &doubted), PLACE_DEFERRED);
	assert_int_equal(places_example(&p, KEY), 3);
	places_differed(&p, KEY, &doubted, &freed);
	assert_int_equal(places_state(&p, KEY, &doubted), PLACE_TRUSTED);
	confirm(&p, 8, 1);
	assert_int_equal(places_state(&p, KEY, &doubted), PLACE_DEFERRED);
	confirm(&p, 2, 1);
	assert_int_equal(places_state(&p, KEY, &doubted), PLACE_DEFERRED);
	for (uint32_t id = 0; id < 2; id++)
		places_keep(&p, KEY, id, PLACES_DEFERRED);
	assert_int_equal(places_state(&p, KEY, &doubted), PLACE_SKIPPED);
	places_differed(&p, KEY + 1, &doubted, &freed); /* before any is confirmed */
	assert_int_equal(places_state(&p, KEY + 1, &doubted), PLACE_TRUSTED);
	places_freed_release(&freed);
	places_release(&p);
}

static void pages_with_bytes_of_their_own_take_back_what_copies_weighed(void **state)
{
	struct trap_places p;
	(void)state;

	places_init(&p);
	for (int i = 0; i < 10; i++) { /* two copies, and one page that differs in its bytes */
		for (int copy = 0; copy < 2; copy++)
			places_confirmed(&p, KEY, &growing, &(struct places_met){3, 1, 12, 1});
		confirm(&p, 1, 1);
	}
	assert_int_equal(places_row(&p, KEY), 30);
	assert_int_equal(places_state(&p, KEY, &growing), PLACE_DEFERRED);
	for (int copy = 0; copy < 2; copy++) /* after 30 pages of the weight 1, two of 12 are enough */
		places_confirmed(&p, KEY, &growing, &(struct places_met){3, 1, 12, 1});
	assert_int_equal(places_state(&p, KEY, &growing), PLACE_SKIPPED);
	places_release(&p);
}

/* A page of the row, and whether the row goes on behind it. */
static int goes_on(struct trap_places *p, int gain)
{
	confirm(p, 1, 1);
	return places_lean(p, KEY, gain);
}

static void a_row_lasts_while_enough_of_its_pages_reproduce(void **state)
{
	struct trap_places p;
	(void)state;

	places_init(&p);
	assert_true(goes_on(&p, 1));
	for (int i = 0; i < 7; i++)
		assert_true(goes_on(&p, 0)); /* the eighth page */
	assert_false(goes_on(&p, 0));
	for (int i = 0; i < 3000; i++)
		places_lean(&p, KEY, 1);
	for (int i = 0; i < 3000; i++)
		assert_true(goes_on(&p, 0)); /* a row of any length */
	for (int i = 0; i < 32; i++)
		assert_true(goes_on(&p, -1));
	assert_false(goes_on(&p, -1));
	places_release(&p);
}

static void about_one_page_in_sixteen_is_a_sample(void **state)
{
	unsigned n = 0;
	(void)state;

	for (uint32_t id = 0; id < 16000; id++)
		n += places_draws(id, 8) != 0;
	assert_in_range(n, 900, 1100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_is_deferred_after_some_pages_and_skipped_after_more),
		cmocka_unit_test(a_place_that_does_not_grow_is_not_skipped),
		cmocka_unit_test(the_few_last_pages_of_a_place_are_not_skipped),
		cmocka_unit_test(one_page_that_differs_frees_all_of_its_place),
		cmocka_unit_test(a_doubted_place_is_deferred_from_the_start_until_a_page_differs),
		cmocka_unit_test(pages_with_bytes_of_their_own_take_back_what_copies_weighed),
		cmocka_unit_test(a_row_lasts_while_enough_of_its_pages_reproduce),
		cmocka_unit_test(about_one_page_in_sixteen_is_a_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
