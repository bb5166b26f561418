/* The oracle with the map, on a graph made by hand, and against a search of the whole graph before each page. */
#include "lab/study/oracle.h"
#include "tests/test.h"
#include "tests/graph/graphs.h"

#include <string.h>

#define MOST 90
#define FAR  64
#define NONE UINT32_MAX

static uint32_t rank_of[MOST], steps[MOST];
static unsigned char is_taken[MOST];

/* Writes the steps to each page, by sweeps over all links until nothing changes. */
static void search(const struct graph *g, const uint32_t *seeds, size_t n_seeds)
{
	int changed = 1;

	for (uint32_t v = 0; v < g->nodes; v++)
		steps[v] = is_taken[v] == 1 ? 0 : NONE;
	for (size_t i = 0; i < n_seeds; i++)
		if (!is_taken[seeds[i]])
			steps[seeds[i]] = 1;
	while (changed) {
		changed = 0;
		for (uint32_t u = 0; u < g->nodes; u++)
			for (uint32_t k = 0; steps[u] < FAR && k < graph_outdegree(g, u); k++) {
				const uint32_t v = graph_row(g, u)[k];
				if (!is_taken[v] && steps[u] + 1 < steps[v]) {
					steps[v] = steps[u] + 1;
					changed = 1;
				}
			}
	}
}

/* Returns the page of the lowest rank among those that lead to v in one step less. */
static uint32_t before(const struct graph *g, uint32_t v)
{
	uint32_t best = NONE;

	for (uint32_t u = 0; u < g->nodes; u++)
		for (uint32_t k = 0; k < graph_outdegree(g, u); k++)
			if (graph_row(g, u)[k] == v && !is_taken[u] && steps[u] == steps[v] - 1 &&
				(best == NONE || rank_of[u] < rank_of[best]))
				best = u;
	return best;
}

static uint32_t next_page(const struct graph *g, uint32_t n)
{
	uint32_t goal = NONE;

	for (uint32_t v = 0; v < g->nodes; v++) {
		if (is_taken[v] || steps[v] == NONE)
			continue;
		const int hot = rank_of[v] <= n + steps[v], goal_hot = goal != NONE && rank_of[goal] <= n + steps[goal];
		if (goal == NONE || hot > goal_hot || (hot == goal_hot && hot && steps[v] < steps[goal]) ||
			(hot == goal_hot && (!hot || steps[v] == steps[goal]) && rank_of[v] < rank_of[goal]))
			goal = v;
	}
	while (goal != NONE && steps[goal] > 1)
		goal = before(g, goal);
	return goal;
}

static void check(const struct graph *g, const uint8_t *outside, const uint32_t *seeds, size_t n_seeds)
{
	struct benchmark b;
	uint32_t order[MOST], n = 0, next;

	benchmark_make(&b, g, 1e-12, 1);
	for (uint32_t i = 0; i < g->nodes; i++)
		rank_of[b.hot[i]] = i + 1;
	for (uint32_t v = 0; v < g->nodes; v++)
		is_taken[v] = outside && outside[v] ? 2 : 0;
	const uint32_t taken = map_order(g, &b, outside, seeds, n_seeds, order);
	search(g, seeds, n_seeds);
	while ((next = next_page(g, n)) != NONE) {
		assert_true(n < taken);
		assert_int_equal(order[n++], next);
		is_taken[next] = 1;
		search(g, seeds, n_seeds);
	}
	assert_int_equal(n, taken);
	benchmark_release(&b);
}

static void the_oracle_goes_where_searches_of_the_whole_graph_lead(void **state)
{
	struct rng rng = {5};

	(void)state;
	for (int round = 0; round < 60; round++) {
		const uint32_t n = 10 + (uint32_t)rng_below(&rng, MOST - 10);
		uint32_t seeds[4];
		uint8_t outside[MOST] = {0};
		struct graph g;
		if (round % 2)
			site_graph(&g, &rng, n);
		else
			random_graph(&g, &rng, n, 1 + (uint32_t)rng_below(&rng, 3));
		rng_sample(&rng, n, 4, seeds);
		for (uint32_t v = 0; round % 3 == 0 && v < n; v++)
			outside[v] = rng_below(&rng, 8) == 0;
		check(&g, round % 3 ? NULL : outside, seeds, 1 + (size_t)rng_below(&rng, 4));
		graph_release(&g);
	}
}

/* 0 leads to 1, and by 2 and 3 to 4, to which all other pages link: three steps that no page of low rank keeps from being hot. */
static void the_way_to_a_hot_page_is_crawled(void **state)
{
	static const uint32_t from[] = {0, 0, 2, 3, 5, 6, 7, 8, 9, 1}, to[] = {1, 2, 3, 4, 4, 4, 4, 4, 4, 5};
	static const uint32_t want[] = {0, 2, 3, 4};
	struct graph g;
	struct benchmark b;
	uint32_t order[10], seed = 0;

	(void)state;
	graph_from_arcs(&g, 10, from, to, 10);
	benchmark_make(&b, &g, 1e-12, 1);
	assert_int_equal(b.hot[0], 4);
	assert_int_equal(map_order(&g, &b, NULL, &seed, 1, order), 6);
	assert_memory_equal(order, want, sizeof want);
	benchmark_release(&b);
	graph_release(&g);
	/* a page farther away than the oracle looks is found on the way */
	uint32_t chain[2][89];
	for (uint32_t i = 0; i < 89; i++)
		chain[1][i] = (chain[0][i] = i) + 1;
	graph_from_arcs(&g, 90, chain[0], chain[1], 89);
	check(&g, NULL, &seed, 1);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oracle_goes_where_searches_of_the_whole_graph_lead),
		cmocka_unit_test(the_way_to_a_hot_page_is_crawled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
