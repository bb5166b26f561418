#include "tests/test.h"
#include "tests/graph/shapes.h"

#include "graph/kernels/degrees.h"

static void degrees_count_all_links_but_those_to_oneself(void **state)
{
	struct rng r = {1};

	(void)state;
	for (uint32_t n = 1; n < 60; n += 4) {
		uint32_t in[60], out[60], want_in[60] = {0}, want_out[60] = {0};
		struct graph g;
		shape_random(&g, n, n * 5, 2, &r);
		for (uint32_t u = 0; u < n; u++) {
			for (uint64_t a = g.offset[u]; a < g.offset[u + 1]; a++) {
				if (g.target[a] == u)
					continue;
				want_in[g.target[a]]++;
				want_out[u]++;
			}
		}
		for (unsigned threads = 1; threads < 4; threads++) {
			memset(in, 0xff, sizeof in);
			memset(out, 0xff, sizeof out);
			degrees_in(&g, in, threads);
			degrees_out(&g, out, threads);
			assert_memory_equal(in, want_in, n * sizeof *in);
			assert_memory_equal(out, want_out, n * sizeof *out);
		}
		graph_release(&g);
	}
}

static void threads_change_no_degree(void **state)
{
	enum { N = 60000 };
	struct rng r = {2};
	uint32_t *one = mem_new(N, sizeof *one), *many = mem_new(N, sizeof *many);
	struct graph g;

	(void)state;
	shape_random(&g, N, 5 * N, 0, &r);
	for (unsigned threads = 1; threads < 5; threads++) {
		degrees_in(&g, threads > 1 ? many : one, threads);
		if (threads > 1)
			assert_memory_equal(one, many, N * sizeof *one);
	}
	graph_release(&g);
	free(one);
	free(many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(degrees_count_all_links_but_those_to_oneself),
		cmocka_unit_test(threads_change_no_degree),
	};

	return cmocka_run_group_tests_name("degrees", tests, NULL, NULL);
}
