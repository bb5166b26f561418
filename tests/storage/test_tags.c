#include "tests/test.h"

#include "base/rng.h"
#include "storage/tags.h"

/* Against a plain list; `bits` of a tag differ, so that few are many of one. */
static void compare_with_a_list(uint64_t seed, size_t n, uint32_t and, uint32_t or)
{
	struct tags t = TAGS_INIT;
	struct rng r = {seed};
	uint32_t *tag = malloc(n * sizeof *tag);
	uint8_t *found = malloc(n);
	size_t longest = 0;

	for (uint32_t i = 0; i < n; i++) {
		tag[i] = ((uint32_t)rng_next(&r) & and) | or ;
		tags_insert(&t, tag[i], i);
	}
	assert_int_equal(t.used, n);
	memset(found, 0, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t id, last = 0;
		size_t k = tags_seek(&t, tag[i]), many = 0;
		int here = 0;
		for (; (id = tags_id(&t, k, tag[i])) != TAGS_NO_ID; k++, many++) {
			assert_true(id < n && tag[id] == tag[i] && (many == 0 || id > last));
			here |= id == i;
			found[id] = 1;
			last = id;
		}
		assert_int_equal(here, 1);
		if (many > longest)
			longest = many;
		/* a tag that is not there */
		uint32_t other = tag[i] ^ 1;
		k = tags_seek(&t, other);
		id = tags_id(&t, k, other);
		assert_true(id == TAGS_NO_ID || tag[id] == other);
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal(found[i], 1);
	assert_true(t.slot[t.slots - 1] == TAGS_EMPTY);
	free(tag);
	free(found);
	tags_release(&t);
}

static void every_id_is_found_by_its_tag(void **state)
{
	(void)state;
	compare_with_a_list(1, 100000, UINT32_MAX, 0);
	compare_with_a_list(2, 1, UINT32_MAX, 0);
	compare_with_a_list(3, 65, UINT32_MAX, 0);
	/* tags that stand close, at either end, and all alike */
	compare_with_a_list(4, 3000, 0xffff, 0);
	compare_with_a_list(5, 3000, 0xffff, 0xffff0000);
	compare_with_a_list(6, 3000, 3, 0xfffffffc);
	compare_with_a_list(7, 2000, 0, 0xffffffff);
	compare_with_a_list(8, 2000, 0, 0);
}

static void an_id_costs_ten_bytes_on_average(void **state)
{
	struct tags t = TAGS_INIT;
	struct rng r = {9};
	double sum = 0;
	int samples = 0;

	(void)state;
	for (uint32_t i = 1, at = 20000; i <= 400000; i++) {
		tags_insert(&t, (uint32_t)rng_next(&r), i);
		if (i == at) { /* sizes evenly on a logarithmic scale */
			sum += (double)(t.slots * sizeof *t.slot) / i;
			samples++;
			at += at / 50;
		}
	}
	assert_true(samples > 100 && sum / samples < 10);
	tags_release(&t);
}

static void room_made_at_once_is_not_made_again(void **state)
{
	struct tags t = TAGS_INIT;
	struct rng r = {10};

	(void)state;
	tags_reserve(&t, 50000);
	const uint64_t *slot = t.slot;
	for (uint32_t i = 0; i < 50000; i++)
		tags_insert(&t, (uint32_t)rng_next(&r), i);
	assert_ptr_equal(t.slot, slot);
	tags_release(&t);
	assert_null(t.slot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_id_is_found_by_its_tag),
		cmocka_unit_test(an_id_costs_ten_bytes_on_average),
		cmocka_unit_test(room_made_at_once_is_not_made_again),
	};

	return cmocka_run_group_tests_name("tags", tests, NULL, NULL);
}
