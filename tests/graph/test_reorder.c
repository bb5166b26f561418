/* A copy of a graph in another order: its links, and what kernels find on it. */
#include "tests/test.h"
#include "tests/graph/shapes.h"

#include "graph/kernels/hits.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/reorder.h"

#include <math.h>

static int compare_ids(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Each row of the copy, its ids translated back, has the links of the node that it copies. */
static void assert_copy(const struct reorder *r, const struct graph *g)
{
	uint8_t *is_there = mem_zero(g->nodes + 1, 1);

	assert_int_equal(r->graph.nodes, g->nodes);
	assert_int_equal(r->graph.arcs, g->arcs);
	for (uint32_t i = 0; i < g->nodes; i++) {
		const uint32_t u = r->order[i], n = graph_outdegree(g, u), *row = graph_row(g, u);
		assert_int_equal(is_there[u], 0);
		is_there[u] = 1;
		assert_int_equal(graph_outdegree(&r->graph, i), n);
		uint32_t *back = mem_new(n, sizeof *back);
		for (uint32_t k = 0; k < n; k++)
			back[k] = r->order[graph_row(&r->graph, i)[k]];
		qsort(back, n, sizeof *back, compare_ids);
		assert_memory_equal(back, row, n * sizeof *back);
		free(back);
	}
	free(is_there);
}

static void a_copy_has_the_same_links_for_any_number_of_threads(void **state)
{
	struct rng rng = {5};
	struct graph g;
	struct reorder r, other;

	(void)state;
	for (uint32_t n = 0; n < 3000; n = n * 3 + 1) {
		if (n)
			shape_random(&g, n, 5 * (uint64_t)n, 0, &rng);
		else
			shape_empty(&g, 0);
		reorder_make(&r, &g, 1);
		reorder_make(&other, &g, 3);
		assert_copy(&r, &g);
		assert_memory_equal(r.order, other.order, n * sizeof *r.order);
		assert_memory_equal(r.graph.target, other.graph.target, g.arcs * sizeof *r.order);
		reorder_release(&r);
		reorder_release(&other);
		graph_release(&g);
	}
}

static void values_go_into_the_order_of_the_copy_and_back(void **state)
{
	double by_id[300], value[300], back[300];
	struct rng rng = {7};
	struct graph g;
	struct reorder r;

	(void)state;
	shape_random(&g, 300, 900, 0, &rng);
	reorder_make(&r, &g, 1);
	for (uint32_t v = 0; v < 300; v++)
		by_id[v] = v;
	reorder_values(&r, by_id, value);
	for (uint32_t i = 0; i < 300; i++)
		assert_true(value[i] == r.order[i]);
	reorder_back(&r, value, back);
	assert_memory_equal(back, by_id, sizeof back);
	reorder_release(&r);
	graph_release(&g);
}

#define N (REORDER_NODES + 5)

/* Node v links to the next ones; `stride`, which is odd, spreads the neighbours over all ids. */
static void make_ring(struct graph *g, uint32_t stride)
{
	uint64_t *offset = mem_new((size_t)N + 1, sizeof *offset);
	uint32_t *target = mem_new(2 * (size_t)N, sizeof *target);

	for (uint32_t v = 0; v < N; v++) {
		const uint32_t a = (uint32_t)(((uint64_t)v + stride) % N);
		const uint32_t b = (uint32_t)(((uint64_t)v * (v % 7 ? 1 : 2) + 2 * (uint64_t)stride) % N);
		offset[v] = 2 * (uint64_t)v;
		target[2 * (size_t)v] = a < b ? a : b;
		target[2 * (size_t)v + 1] = a < b ? b : a;
		assert_int_not_equal(a, b);
	}
	offset[N] = 2 * (uint64_t)N;
	graph_take_rows(g, N, offset, target, GRAPH_ORDERED);
}

static void only_large_graphs_without_locality_and_many_passes_pay(void **state)
{
	struct rng rng = {1};
	struct graph near, far, small;

	(void)state;
	make_ring(&near, 1);
	make_ring(&far, 400009);
	shape_random(&small, 1000, 5000, 0, &rng);
	assert_int_equal(reorder_pays(&near, 60), 0);
	assert_int_equal(reorder_pays(&far, 60), 1);
	assert_int_equal(reorder_pays(&far, REORDER_PASSES - 1), 0);
	assert_int_equal(reorder_pays(&small, 60), 0);
	far.flags |= GRAPH_BOUNDED;
	assert_int_equal(reorder_pays(&far, 60), 0);
	far.flags &= ~(unsigned)GRAPH_BOUNDED;
	graph_release(&near);
	graph_release(&far);
	graph_release(&small);
}

/* The defining equation, node by node. */
static double residual(const struct graph *g, const double *x, double damping)
{
	double *y = mem_new(N, sizeof *y), sum = 0.0;

	for (uint32_t v = 0; v < N; v++)
		y[v] = (1.0 - damping) / N;
	for (uint32_t u = 0; u < N; u++)
		for (uint32_t k = 0; k < graph_outdegree(g, u); k++)
			y[graph_row(g, u)[k]] += damping * x[u] / graph_outdegree(g, u);
	for (uint32_t v = 0; v < N; v++)
		sum += fabs(y[v] - x[v]);
	free(y);
	return sum;
}

static void pagerank_of_a_graph_without_locality_solves_its_equation(void **state)
{
	static void (*const way[])(const struct graph *, struct pagerank *, double *) = {pagerank, pagerank_solve};
	double *rank = mem_new(N, sizeof *rank), *other = mem_new(N, sizeof *other);
	struct graph g;

	(void)state;
	make_ring(&g, 400009);
	for (size_t i = 0; i < 2; i++) {
		struct pagerank p = PAGERANK_DEFAULT;
		p.tolerance = 1e-8;
		assert_int_equal(reorder_pays(&g, 50), 1);
		way[i](&g, &p, rank);
		assert_true(p.change < 1e-8);
		assert_true(residual(&g, rank, p.damping) <= 1e-8 * (1 + 1e-6));
		p.threads = 3;
		p.warm = NULL;
		way[i](&g, &p, other);
		assert_memory_equal(rank, other, N * sizeof *rank);
	}
	struct pagerank p = PAGERANK_DEFAULT;
	p.tolerance = 1e-3;
	p.warm = other;
	pagerank(&g, &p, rank);
	assert_int_equal(p.sweeps, 1);
	assert_true(p.warm == other);
	graph_release(&g);
	free(rank);
	free(other);
}

static void hits_of_a_graph_without_locality_is_that_of_its_definition(void **state)
{
	double *hub = mem_new(N, sizeof *hub), *authority = mem_new(N, sizeof *authority);
	double *want = mem_zero(N, sizeof *want), square = 0.0;
	uint8_t *dead = mem_zero(N, 1);
	struct graph g;
	struct hits h;

	(void)state;
	make_ring(&g, 400009);
	for (uint32_t v = 0; v < N; v += 11)
		dead[v] = 1;
	hits_init(&h, &g, 2);
	assert_non_null(h.order);
	hits_run(&h, 1, dead, hub, authority);
	for (uint32_t u = 0; u < N; u++)
		for (uint32_t k = 0; !dead[u] && k < graph_outdegree(&g, u); k++)
			want[graph_row(&g, u)[k]] += !dead[graph_row(&g, u)[k]];
	for (uint32_t v = 0; v < N; v++)
		square += want[v] * want[v];
	for (uint32_t v = 0; v < N; v++)
		assert_true(fabs(authority[v] - want[v] / sqrt(square)) < 1e-15);
	hits_release(&h);
	graph_release(&g);
	free(hub);
	free(authority);
	free(want);
	free(dead);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_has_the_same_links_for_any_number_of_threads),
		cmocka_unit_test(values_go_into_the_order_of_the_copy_and_back),
		cmocka_unit_test(only_large_graphs_without_locality_and_many_passes_pay),
		cmocka_unit_test(pagerank_of_a_graph_without_locality_solves_its_equation),
		cmocka_unit_test(hits_of_a_graph_without_locality_is_that_of_its_definition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
