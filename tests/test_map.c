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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_found_again_and_begin_zeroed),
		cmocka_unit_test(key_zero_is_a_key),
		cmocka_unit_test(counts_agree_with_an_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
