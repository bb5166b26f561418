/* lab/measure/by_time.h against a count of its own. */
#include "tests/test.h"

#include "lab/measure/by_time.h"
#include "tests/graph/graphs.h"

#include <math.h>

#define PAGES 120

static void each_time_has_what_had_come_by_then(void **state)
{
	static const int64_t ms[] = {0, 5, 70, 71, 500, INT64_MAX};
	uint32_t order[PAGES];
	int64_t when[PAGES];
	struct time_point out[6];
	struct throughput hot;
	struct benchmark b;
	struct rng rng = {8};
	struct graph g;

	(void)state;
	random_graph(&g, &rng, PAGES, 5);
	benchmark_make(&b, &g, 1e-12, 1);
	rng_sample(&rng, PAGES, 90, order);
	for (int i = 0; i < 90; i++)
		when[i] = 1 + (i ? when[i - 1] : 0) + (int64_t)rng_below(&rng, 6) - 1;
	throughput_measure(&hot, &b, &g, NULL, order, 90, order, 1);
	by_time(out, &hot, order, when, 90, ms, 6);
	for (int i = 0; i < 6; i++) {
		uint32_t crawled = 0, found = 0;
		double mass = 0;
		for (int k = 0; k < 90; k++) {
			if (when[k] > ms[i])
				continue;
			crawled++;
			mass += b.rank[order[k]];
			for (int h = 0; h < PAGES / 10; h++)
				found += b.hot[h] == order[k];
		}
		assert_int_equal(out[i].ms, ms[i]);
		assert_int_equal(out[i].crawled, crawled);
		assert_true(fabs(out[i].found - found / (PAGES / 10.0)) < 1e-12);
		assert_true(fabs(out[i].mass - mass) < 1e-9);
	}
	assert_int_equal(out[5].crawled, 90);
	throughput_release(&hot);
	benchmark_release(&b);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_time_has_what_had_come_by_then),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
