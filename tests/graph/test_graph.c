#include "tests/test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "graph/graph.h"

/* The slow second method: a matrix. */
static void assert_is_graph_of_arcs(const struct graph *g, uint32_t n, const uint32_t *from, const uint32_t *to, uint64_t arcs)
{
	unsigned char *matrix = mem_zero((size_t)n * n, 1);
	uint64_t distinct = 0;

	for (uint64_t a = 0; a < arcs; a++)
		matrix[(size_t)from[a] * n + to[a]] = 1;
	assert_int_equal(g->nodes, n);
	assert_int_equal(g->offset[0], 0);
	assert_true(g->flags & GRAPH_ORDERED);
	for (uint32_t u = 0; u < n; u++) {
		uint32_t k = 0;
		for (uint32_t v = 0; v < n; v++) {
			if (!matrix[(size_t)u * n + v])
				continue;
			assert_true(k < graph_outdegree(g, u));
			assert_int_equal(graph_row(g, u)[k++], v);
		}
		assert_int_equal(graph_outdegree(g, u), k);
		distinct += k;
	}
	assert_int_equal(g->arcs, distinct);
	assert_int_equal(g->offset[n], distinct);
	free(matrix);
}

static void arcs_in_any_order_become_the_same_rows(void **state)
{
	static const struct {
		uint32_t nodes;
		uint64_t arcs;
		uint32_t hubs; /* 1: any source; else sources below it only */
	} shape[] = {{1, 0, 1}, {1, 5, 1}, {2, 3, 1}, {7, 30, 1}, {60, 500, 1}, {60, 3000, 3}, {200, 100, 1}};
	struct rng r = {5};

	(void)state;
	for (int round = 0; round < 60; round++) {
		for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
			const uint32_t n = shape[s].nodes;
			const uint64_t m = shape[s].arcs;
			uint32_t *from = mem_new(m, 4), *to = mem_new(m, 4);
			struct graph g, taken;
			for (uint64_t a = 0; a < m; a++) {
				from[a] = (uint32_t)rng_below(&r, shape[s].hubs > 1 ? shape[s].hubs : n);
				to[a] = (uint32_t)rng_below(&r, n);
			}
			graph_from_arcs(&g, n, from, to, m);
			assert_is_graph_of_arcs(&g, n, from, to, m);
			graph_take_arcs(&taken, n, from, to, m);
			assert_true(graph_fingerprint(&g) == graph_fingerprint(&taken));
			/* and from its own arcs, which ascend, each given twice */
			from = mem_new(2 * g.arcs, 4);
			to = mem_new(2 * g.arcs, 4);
			uint64_t k = 0;
			for (uint32_t u = 0; u < n; u++)
				for (uint32_t i = 0; i < graph_outdegree(&g, u); i++, k += 2) {
					from[k] = from[k + 1] = u;
					to[k] = to[k + 1] = graph_row(&g, u)[i];
				}
			graph_release(&taken);
			graph_take_arcs(&taken, n, from, to, k);
			assert_true(graph_fingerprint(&g) == graph_fingerprint(&taken));
			graph_release(&g);
			graph_release(&taken);
		}
	}
}

static void a_graph_of_nothing_is_a_graph(void **state)
{
	struct graph g;

	(void)state;
	graph_from_arcs(&g, 0, NULL, NULL, 0);
	assert_int_equal(g.nodes, 0);
	assert_int_equal(g.offset[0], 0);
	graph_release(&g);
	graph_release(&g);
	assert_null(g.offset);
}

static void labels_are_found_and_others_are_not(void **state)
{
	static const uint64_t names[] = {0, 3, 7, 1000, UINT64_MAX};
	uint32_t u = 77, from[] = {0, 4}, to[] = {1, 2};
	struct graph g;

	(void)state;
	graph_from_arcs(&g, 5, from, to, 2);
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(graph_find_label(&g, i, &u), 1);
		assert_int_equal(u, i);
		assert_int_equal(graph_label(&g, i), i);
	}
	assert_int_equal(graph_find_label(&g, 5, &u), 0);
	assert_int_equal(graph_find_label(&g, UINT64_MAX, &u), 0);
	const uint64_t bare = graph_fingerprint(&g);
	graph_take_labels(&g, mem_copy(names, sizeof names));
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(graph_find_label(&g, names[i], &u), 1);
		assert_int_equal(u, i);
		assert_true(graph_label(&g, i) == names[i]);
		if (names[i] + 1 != 0)
			assert_int_equal(graph_find_label(&g, names[i] + 1, &u), 0);
	}
	assert_true(graph_fingerprint(&g) == bare);
	graph_release(&g);
}

static void fingerprints_tell_graphs_apart(void **state)
{
	static const struct {
		uint32_t nodes, from[2], to[2];
		uint64_t arcs;
	} table[] = {{1, {0}, {0}, 0}, {2, {0}, {0}, 0}, {2, {0}, {1}, 1}, {2, {1}, {0}, 1}, {3, {0}, {1}, 1},
		{3, {0, 1}, {1, 2}, 2}, {3, {0, 0}, {1, 2}, 2}};
	uint64_t print[sizeof table / sizeof *table];
	struct graph g;

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		graph_from_arcs(&g, table[i].nodes, table[i].from, table[i].to, table[i].arcs);
		print[i] = graph_fingerprint(&g);
		graph_release(&g);
		for (size_t j = 0; j < i; j++)
			assert_true(print[i] != print[j]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arcs_in_any_order_become_the_same_rows),
		cmocka_unit_test(a_graph_of_nothing_is_a_graph),
		cmocka_unit_test(labels_are_found_and_others_are_not),
		cmocka_unit_test(fingerprints_tell_graphs_apart),
	};

	return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
