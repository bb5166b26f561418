#include "tests/test.h"

#include "base/map.h"
#include "base/rng.h"

struct record {
	uint64_t key;
	uint64_t value;
	char more[5];
};

static void records_are_found_again_and_begin_zeroed(void **state)
{
	struct map m;
	(void)state;

	map_init(&m, sizeof(struct record));
	assert_null(map_find(&m, 7));
	struct record *r = map_at(&m, 7);
	assert_int_equal(r->key, 7);
	assert_int_equal(r->value, 0);
	assert_int_equal(r->more[4], 0);
	r->value = 70;
	assert_int_equal(((struct record *)map_find(&m, 7))->value, 70);
	assert_ptr_equal(map_at(&m, 7), map_find(&m, 7));
	assert_null(map_find(&m, 8));
	assert_int_equal(m.used, 1);
	map_release(&m);
}

static void key_zero_is_a_key(void **state)
{
	struct map m;
	(void)state;

	map_init(&m, sizeof(struct record));
	assert_null(map_find(&m, 0));
	((struct record *)map_at(&m, 0))->value = 5;
	map_at(&m, 1);
	assert_int_equal(((struct record *)map_find(&m, 0))->value, 5);
	assert_int_equal(m.used, 2);
	map_release(&m);
}

static void counts_agree_with_an_array(void **state)
{
	enum { KEYS = 5000 };
	uint64_t counts[KEYS] = {0};
	struct rng rng = {1};
	struct map m;
	(void)state;

	map_init(&m, sizeof(struct record));
	for (int i = 0; i < 40000; i++) {
		/* keys that differ in their upper bits only, and in their lower */
		uint64_t k = rng_below(&rng, KEYS), key = k % 2 ? k << 40 : k;
		counts[k]++;
		((struct record *)map_at(&m, key))->value++;
	}
	for (uint64_t k = 0; k < KEYS; k++) {
		const struct record *r = map_find(&m, k % 2 ? k << 40 : k);
		assert_int_equal(r ? r->value : 0, counts[k]);
	}
	map_release(&m);
	assert_int_equal(m.used, 0);
	assert_null(map_find(&m, 2));
}

static void a_large_table_is_between_three_quarters_and_seven_eighths_full(void **state)
{
	struct small {
		uint32_t key[2]; /* 12 bytes: no multiple of 8 */
		uint32_t value;
	};
	struct map m;
	(void)state;

	map_init(&m, sizeof(struct small));
	for (uint32_t i = 1; i <= 200000; i++) {
		((struct small *)map_at(&m, i))->value = i;
		if (i > 2048) {
			assert_true(m.used <= map_most(m.room));
			assert_true(m.used * 4 >= m.room * 3);
		}
	}
	for (uint32_t i = 1; i <= 200000; i++)
		assert_int_equal(((struct small *)map_find(&m, i))->value, i);
	assert_null(map_find(&m, 200001));
	map_release(&m);
}

/* A search for a key that is missing would look at all records of a run if these were in no order. */
static void keys_of_one_home_push_others_aside_and_over_the_end(void **state)
{
	const uint64_t hash = 0x9e3779b97f4a7c15u;
	uint64_t inverse = 1; /* of the hash's factor, by Newton's iteration, so that the test can choose a key's home */
	struct map m;
	(void)state;

	for (int i = 0; i < 6; i++)
		inverse *= 2 - hash * inverse;
	map_init(&m, sizeof(struct record));
	for (uint64_t i = 0; i < 10; i++) /* five at the end, five in the middle, in turn */
		((struct record *)map_at(&m, ((i % 2 ? UINT64_MAX : (uint64_t)1 << 63) - i) * inverse))->value = i;
	assert_int_equal(m.room, 16);
	for (uint64_t i = 0; i < 4; i++) /* at the beginning, where records of the end lie already */
		((struct record *)map_at(&m, (i + 1) * inverse))->value = 100 + i;
	assert_int_equal(m.room, 16);
	for (uint64_t i = 0; i < 10; i++)
		assert_int_equal(((struct record *)map_find(&m, ((i % 2 ? UINT64_MAX : (uint64_t)1 << 63) - i) * inverse))->value,
			i);
	for (uint64_t i = 0; i < 4; i++)
		assert_int_equal(((struct record *)map_find(&m, (i + 1) * inverse))->value, 100 + i);
	assert_null(map_find(&m, 77 * inverse));
	assert_null(map_find(&m, (UINT64_MAX - 77) * inverse));
	map_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_found_again_and_begin_zeroed),
		cmocka_unit_test(key_zero_is_a_key),
		cmocka_unit_test(counts_agree_with_an_array),
		cmocka_unit_test(a_large_table_is_between_three_quarters_and_seven_eighths_full),
		cmocka_unit_test(keys_of_one_home_push_others_aside_and_over_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
