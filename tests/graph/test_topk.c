#include "tests/test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "graph/kernels/topk.h"

static const uint64_t *sort_key;

static int best_first(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (sort_key[x] != sort_key[y])
		return sort_key[x] > sort_key[y] ? -1 : 1;
	return (x > y) - (x < y);
}

/* Against a comparison sort, with keys of few and of many digits, few and many of them equal. */
static void the_best_are_those_of_a_sort(void **state)
{
	static const uint64_t spread[] = {1, 2, 100, 4096, 1u << 22, 1ull << 40, UINT64_MAX};
	static const uint64_t base[] = {0, 12345, 1ull << 52};
	struct rng r = {9};

	(void)state;
	for (size_t i = 0; i < 7 * 3 * 3; i++) {
		const uint32_t n = 1 + (uint32_t)rng_below(&r, i % 3 ? 3000 : 10);
		uint64_t *key = mem_new(n, sizeof *key);
		uint32_t *want = mem_new(n, sizeof *want), *top = mem_new(n, sizeof *top);
		for (uint32_t v = 0; v < n; v++) {
			key[v] = base[i / 7 % 3] + rng_below(&r, spread[i % 7]);
			want[v] = v;
		}
		sort_key = key;
		qsort(want, n, sizeof *want, best_first);
		for (uint32_t k = 0; k <= n; k += 1 + k) {
			memset(top, 0xff, n * sizeof *top);
			topk(key, n, k, top);
			assert_memory_equal(top, want, k * sizeof *top);
			if (k < n)
				assert_true(top[k] == UINT32_MAX);
		}
		topk(key, n, n, top);
		assert_memory_equal(top, want, n * sizeof *top);
		free(key);
		free(want);
		free(top);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_are_those_of_a_sort),
	};

	return cmocka_run_group_tests_name("topk", tests, NULL, NULL);
}
