/* Depths and windows of a crawl, on the worked example and against slow second methods. */
#include "tests/test.h"

#include "lab/measure/throughput.h"
#include "tests/graph/graphs.h"

#include <math.h>

/* The order of bfs on the worked example. */
static const uint32_t bfs[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static void measured(struct graph *g, struct benchmark *b)
{
	benchmark_make(b, g, 1e-13, 1);
}

static void the_worked_depths_come_out(void **state)
{
	static const struct depth_level want[] = {{1, .207611}, {3, .071323}, {6, .079702}, {2, .050102}};
	struct graph g;
	struct benchmark b;
	struct depth_level *level;
	uint32_t seed = 0;

	(void)state;
	g12(&g);
	measured(&g, &b);
	assert_int_equal(depth_profile(&level, 100, &g, &b, bfs, 12, &seed, 1), 4);
	for (int d = 0; d < 4; d++) {
		assert_int_equal(level[d].pages, want[d].pages);
		assert_true(fabs(level[d].rank - want[d].rank) < 5e-7);
	}
	free(level);
	/* the last level takes what is deeper */
	assert_int_equal(depth_profile(&level, 2, &g, &b, bfs, 12, &seed, 1), 2);
	assert_int_equal(level[1].pages, 11);
	assert_true(fabs(level[1].rank - (1 - b.rank[0]) / 11) < 1e-12);
	free(level);
	benchmark_release(&b);
	graph_release(&g);
}

/* A chain that is crawled from its far end has nothing but its seed to stand on. */
static void pages_that_nothing_led_to_have_no_depth(void **state)
{
	static const uint32_t from[] = {0, 1, 2}, to[] = {1, 2, 3}, order[] = {3, 0, 2, 1};
	struct graph g;
	struct benchmark b;
	struct depth_level *level;
	uint32_t seed = 0;

	(void)state;
	graph_from_arcs(&g, 4, from, to, 3);
	measured(&g, &b);
	assert_int_equal(depth_profile(&level, 100, &g, &b, order, 4, &seed, 1), 2);
	assert_int_equal(level[0].pages, 1);
	assert_int_equal(level[1].pages, 1);
	free(level);
	assert_int_equal(depth_profile(&level, 100, &g, &b, order, 0, &seed, 1), 0);
	free(level);
	benchmark_release(&b);
	graph_release(&g);
}

/* The depth of v by going through the whole order for each page: that of the first page crawled
 * that links to it, plus one. */
static uint32_t slow_depth(const struct graph *g, const uint32_t *order, uint32_t n, uint32_t v, uint32_t seed)
{
	if (v == seed)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < graph_outdegree(g, order[i]); j++)
			if (graph_row(g, order[i])[j] == v)
				return slow_depth(g, order, i, order[i], seed) + 1;
	return UINT32_MAX / 2;
}

/* Some order that a crawl could take: any page that is queued comes next. */
static uint32_t crawl_anyhow(const struct graph *g, struct rng *rng, uint32_t seed, uint32_t *order)
{
	uint32_t queued[64] = {seed}, n = 1, m = 0;
	unsigned char seen[64] = {0};

	seen[seed] = 1;
	while (n) {
		uint32_t at = (uint32_t)rng_below(rng, n), u = queued[at];
		queued[at] = queued[--n];
		order[m++] = u;
		for (uint32_t j = 0; j < graph_outdegree(g, u); j++) {
			uint32_t v = graph_row(g, u)[j];
			if (!seen[v])
				queued[n++] = v;
			seen[v] = 1;
		}
	}
	return m;
}

static void depths_and_windows_agree_with_the_slow_way(void **state)
{
	struct rng rng = {21};

	(void)state;
	for (int round = 0; round < 40; round++) {
		struct graph g;
		struct benchmark b;
		struct depth_level *level;
		uint32_t order[64], seed = (uint32_t)rng_below(&rng, 64), size = 1 + (uint32_t)round % 9;
		double *mean, rank_sum = 0, window_sum = 0;
		random_graph(&g, &rng, 64, 2);
		measured(&g, &b);
		uint32_t m = crawl_anyhow(&g, &rng, seed, order);
		uint32_t n = depth_profile(&level, 100, &g, &b, order, m, &seed, 1), pages = 0;
		for (uint32_t d = 0; d < n; d++) {
			double sum = 0;
			uint32_t count = 0;
			for (uint32_t i = 0; i < m; i++)
				if (slow_depth(&g, order, i, order[i], seed) == d) {
					sum += b.rank[order[i]];
					count++;
				}
			assert_int_equal(level[d].pages, count);
			assert_true(fabs(level[d].rank * count - sum) < 1e-14);
			pages += count;
			rank_sum += sum;
		}
		assert_int_equal(pages, m);
		uint32_t windows = window_means(&mean, size, &b, order, m);
		assert_int_equal(windows, (m + size - 1) / size);
		for (uint32_t w = 0; w < windows; w++)
			window_sum += mean[w] * (w + 1 < windows ? size : m - w * size);
		assert_true(fabs(window_sum - rank_sum * 64) < 1e-10);
		assert_true(fabs(mean[0] - (size == 1 ? b.rank[seed] * 64 : mean[0])) < 1e-15);
		free(mean);
		free(level);
		benchmark_release(&b);
		graph_release(&g);
	}
}

static void windows_of_the_worked_example_come_out(void **state)
{
	struct graph g;
	struct benchmark b;
	double *mean;

	(void)state;
	g12(&g);
	measured(&g, &b);
	/* from the worked mass: .4216 after 4 pages, .7783 after 8 */
	assert_int_equal(window_means(&mean, 4, &b, bfs, 12), 3);
	assert_true(fabs(mean[0] - .4216 * 3) < 2e-4);
	assert_true(fabs(mean[1] - (.7783 - .4216) * 3) < 4e-4);
	assert_true(fabs(mean[2] - (1 - .7783) * 3) < 2e-4);
	free(mean);
	assert_int_equal(window_means(&mean, 5, &b, bfs, 12), 3);
	assert_true(fabs(mean[2] - (1 - .8998) / 2 * 12) < 6e-4);
	free(mean);
	assert_int_equal(window_means(&mean, 5, &b, bfs, 0), 0);
	free(mean);
	benchmark_release(&b);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worked_depths_come_out),
		cmocka_unit_test(pages_that_nothing_led_to_have_no_depth),
		cmocka_unit_test(depths_and_windows_agree_with_the_slow_way),
		cmocka_unit_test(windows_of_the_worked_example_come_out),
	};

	return cmocka_run_group_tests_name("depth", tests, NULL, NULL);
}
