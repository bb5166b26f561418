#include "tests/test.h"
#include "tests/graph/shapes.h"

/* The slow second method: every pair is looked up in both. */
static int has_arc(const struct graph *g, uint32_t u, uint32_t v)
{
	int found = 0;

	for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
		found += g->target[a] == v;
	return found;
}

static void every_arc_is_turned_round(void **state)
{
	struct rng r = {11};

	(void)state;
	for (uint32_t n = 1; n < 40; n += 3) {
		struct graph g, t;
		shape_random(&g, n, (uint64_t)n * 4, n % 2 ? 3 : 0, &r);
		graph_transpose(&g, &t, 1);
		assert_int_equal(t.nodes, n);
		assert_int_equal(t.arcs, g.arcs);
		assert_true(t.flags & GRAPH_ORDERED);
		for (uint32_t u = 0; u < n; u++)
			for (uint32_t v = 0; v < n; v++)
				assert_int_equal(has_arc(&g, u, v), has_arc(&t, v, u));
		graph_release(&t);
		graph_release(&g);
	}
}

static void twice_is_the_graph_itself_for_any_number_of_threads(void **state)
{
	struct rng r = {5};
	struct graph g, once, t, back;
	uint64_t label[] = {0};

	(void)state;
	shape_random(&g, 50000, 600000, 0, &r);
	g.label = label; /* passed on, never read */
	graph_transpose(&g, &once, 1);
	for (unsigned threads = 1; threads <= 5; threads++) {
		graph_transpose(&g, &t, threads);
		assert_same_graph(&t, &once);
		graph_transpose(&t, &back, threads);
		assert_same_graph(&back, &g);
		assert_ptr_equal(back.label, label);
		graph_release(&t);
		graph_release(&back);
	}
	graph_release(&once);
	graph_release(&g);
}

static void rows_ascend_even_where_those_of_the_graph_do_not(void **state)
{
	uint64_t *offset = mem_new(4, sizeof *offset);
	uint32_t *target = mem_new(5, sizeof *target);
	static const uint64_t rows[] = {0, 3, 4, 5};
	static const uint32_t order[] = {2, 0, 1, 2, 0};
	static const uint64_t want_rows[] = {0, 2, 3, 5};
	static const uint32_t want[] = {0, 2, 0, 0, 1};
	struct graph g, t;

	(void)state;
	memcpy(offset, rows, sizeof rows);
	memcpy(target, order, sizeof order);
	graph_take_rows(&g, 3, offset, target, 0);
	graph_transpose(&g, &t, 1);
	assert_memory_equal(t.offset, want_rows, sizeof want_rows);
	assert_memory_equal(t.target, want, sizeof want);
	assert_true(t.flags & GRAPH_ORDERED);
	graph_release(&t);
	graph_release(&g);
}

static void nothing_turned_round_is_nothing(void **state)
{
	struct graph g, t;

	(void)state;
	for (uint32_t n = 0; n < 3; n++) {
		shape_empty(&g, n);
		graph_transpose(&g, &t, 4);
		assert_same_graph(&t, &g);
		graph_release(&t);
		graph_release(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_arc_is_turned_round),
		cmocka_unit_test(twice_is_the_graph_itself_for_any_number_of_threads),
		cmocka_unit_test(rows_ascend_even_where_those_of_the_graph_do_not),
		cmocka_unit_test(nothing_turned_round_is_nothing),
	};

	return cmocka_run_group_tests_name("transpose", tests, NULL, NULL);
}
