#include "tests/test.h"
#include "tests/graph/shapes.h"

#include "graph/kernels/bfs.h"

#include <math.h>
#include <string.h>

#define FAR 1000u

/* The slow second method: Floyd and Warshall's distances between all pairs. */
static void all_distances(const struct graph *g, uint32_t *d)
{
	const uint32_t n = g->nodes;

	for (uint32_t u = 0; u < n; u++)
		for (uint32_t v = 0; v < n; v++)
			d[u * n + v] = u == v ? 0 : FAR;
	for (uint32_t u = 0; u < n; u++)
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			if (g->target[a] != u)
				d[u * n + g->target[a]] = 1;
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t u = 0; u < n; u++)
			for (uint32_t v = 0; v < n; v++)
				if (d[u * n + k] + d[k * n + v] < d[u * n + v])
					d[u * n + v] = d[u * n + k] + d[k * n + v];
}

static void levels_are_distances_from_the_nearest_seed(void **state)
{
	enum { N = 50 };
	struct rng r = {1};
	uint32_t distance[N * N], level[N], seeds[6];

	(void)state;
	for (uint32_t round = 0; round < 40; round++) {
		const uint32_t n = 1 + (uint32_t)rng_below(&r, N), k = (uint32_t)rng_below(&r, 6);
		struct graph g;
		struct bfs b;
		shape_random(&g, n, n * (1 + round % 3), round % 2 ? 2 : 0, &r);
		all_distances(&g, distance);
		for (uint32_t i = 0; i < k; i++)
			seeds[i] = (uint32_t)rng_below(&r, n); /* repeats happen */
		bfs_run(&b, &g, seeds, k);
		bfs_levels(&b, level);
		uint32_t reached = 0, deepest = 0;
		for (uint32_t v = 0; v < n; v++) {
			uint32_t want = FAR;
			for (uint32_t i = 0; i < k; i++)
				if (distance[seeds[i] * n + v] < want)
					want = distance[seeds[i] * n + v];
			assert_int_equal(level[v], want == FAR ? BFS_UNREACHED : want);
			reached += want != FAR;
			if (want != FAR && want + 1 > deepest)
				deepest = want + 1;
		}
		assert_int_equal(b.reached, reached);
		assert_int_equal(b.levels, deepest);
		assert_int_equal(b.begin[b.levels], reached);
		bfs_release(&b);
		graph_release(&g);
	}
}

static void nodes_are_found_seeds_first_then_row_by_row(void **state)
{
	static const uint32_t seeds[] = {4, 2, 4};
	static const uint32_t from[] = {4, 4, 2, 2, 0, 5}, to[] = {4, 5, 0, 5, 1, 3};
	static const uint32_t want[] = {4, 2, 5, 0, 3, 1};
	struct graph g;
	struct bfs b;

	(void)state;
	graph_from_arcs(&g, 7, from, to, 6);
	bfs_run(&b, &g, seeds, 3);
	assert_int_equal(b.reached, 6);
	assert_memory_equal(b.order, want, sizeof want);
	bfs_release(&b);
	graph_release(&g);
}

/* In the sequence of graphs levels are followed, gathered, and neither has all of the nodes. */
static void both_ways_find_the_same_levels(void **state)
{
	static const struct {
		uint32_t nodes, arcs, near;
	} graphs[] = {{1, 0, 0}, {63, 600, 0}, {64, 640, 20}, {65, 1300, 0}, {500, 700, 2}, {4000, 80000, 0}, {4000, 9000, 0},
		{9000, 90000, 900}};
	struct rng r = {9};
	uint32_t level[9000], want[9000], gathered = 0;

	(void)state;
	for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
		const uint32_t seeds[2] = {(uint32_t)rng_below(&r, graphs[i].nodes), 0};
		struct graph g, reverse;
		struct bfs a, b;
		shape_random(&g, graphs[i].nodes, graphs[i].arcs, graphs[i].near, &r);
		graph_transpose(&g, &reverse, 1);
		bfs_run(&a, &g, seeds, 2);
		bfs_run_both_ways(&b, &g, &reverse, seeds, 2);
		bfs_levels(&a, want);
		bfs_levels(&b, level);
		assert_memory_equal(level, want, graphs[i].nodes * sizeof *want);
		assert_int_equal(a.reached, b.reached);
		assert_int_equal(a.levels, b.levels);
		assert_memory_equal(a.begin, b.begin, (a.levels + 1) * sizeof *a.begin);
		gathered += memcmp(a.order, b.order, a.reached * sizeof *a.order) != 0;
		bfs_release(&a);
		bfs_release(&b);
		graph_release(&reverse);
		graph_release(&g);
	}
	assert_true(gathered >= 3);
}

static void paths_and_cycles_and_cliques_have_known_distances(void **state)
{
	static const struct {
		void (*shape)(struct graph *, uint32_t);
		uint32_t n;
		uint64_t pairs;
		double average;
		uint32_t longest;
	} known[] = {
		{shape_empty, 9, 0, 0.0, 0},
		{shape_empty, 1, 0, 0.0, 0},
		{shape_clique, 9, 72, 1.0, 1},
		{shape_cycle, 9, 72, 4.5, 8},
		{shape_path, 9, 36, 10.0 / 3.0, 8},
		{shape_star_in, 9, 8, 1.0, 1},
		{shape_star_both, 9, 72, 128.0 / 72.0, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct graph g;
		known[i].shape(&g, known[i].n);
		for (unsigned threads = 1; threads < 4; threads++) {
			struct bfs_distance d = BFS_DISTANCE_DEFAULT; /* more samples than nodes: all */
			d.threads = threads;
			bfs_distance(&g, &d);
			assert_true(d.pairs == known[i].pairs);
			assert_true(fabs(d.average - known[i].average) < 1e-14);
			assert_int_equal(d.longest, known[i].longest);
		}
		graph_release(&g);
	}
}

static void a_sample_is_near_the_whole_and_the_same_for_any_threads(void **state)
{
	struct rng r = {5};
	struct graph g;
	struct bfs_distance all = BFS_DISTANCE_DEFAULT, some = BFS_DISTANCE_DEFAULT, again;

	(void)state;
	shape_random(&g, 2000, 8000, 0, &r);
	all.sources = 2000;
	bfs_distance(&g, &all);
	bfs_distance(&g, &some);
	again = some;
	again.threads = 3;
	bfs_distance(&g, &again);
	assert_true(again.pairs == some.pairs && again.average == some.average);
	assert_true(fabs(some.average - all.average) < 0.3);
	assert_true(some.longest <= all.longest);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_are_distances_from_the_nearest_seed),
		cmocka_unit_test(nodes_are_found_seeds_first_then_row_by_row),
		cmocka_unit_test(both_ways_find_the_same_levels),
		cmocka_unit_test(paths_and_cycles_and_cliques_have_known_distances),
		cmocka_unit_test(a_sample_is_near_the_whole_and_the_same_for_any_threads),
	};

	return cmocka_run_group_tests_name("bfs", tests, NULL, NULL);
}
