#include "tests/test.h"
#include "tests/graph/shapes.h"

#include "graph/kernels/scc.h"

/* The slow second method: labels sink along every arc, both ways, until none does. */
static uint32_t sinking_labels(const struct graph *g, uint32_t *label)
{
	uint32_t count = 0;
	int changed = 1;

	for (uint32_t v = 0; v < g->nodes; v++)
		label[v] = v;
	while (changed) {
		changed = 0;
		for (uint32_t u = 0; u < g->nodes; u++) {
			for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
				const uint32_t v = g->target[a];
				const uint32_t least = label[u] < label[v] ? label[u] : label[v];
				changed |= label[u] != label[v];
				label[u] = label[v] = least;
			}
		}
	}
	for (uint32_t v = 0; v < g->nodes; v++)
		label[v] = label[v] == v ? count++ : label[label[v]];
	return count;
}

static void components_are_where_labels_come_to_rest(void **state)
{
	enum { N = 200 };
	struct rng r = {3};
	uint32_t got[N], want[N];

	(void)state;
	for (uint32_t round = 0; round < 200; round++) {
		const uint32_t n = 1 + (uint32_t)rng_below(&r, N);
		struct graph g;
		shape_random(&g, n, (uint64_t)n * (round % 7) / 4, round % 3 ? 0 : 3, &r);
		const uint32_t count = components(&g, got);
		assert_int_equal(count, sinking_labels(&g, want));
		assert_memory_equal(got, want, n * sizeof *got);
		graph_release(&g);
	}
}

static void shapes_are_in_one_piece_or_in_all(void **state)
{
	void (*const shape[])(struct graph *, uint32_t) = {shape_clique, shape_cycle, shape_path, shape_star_in, shape_empty};
	uint32_t component[30];
	struct graph g;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		shape[i](&g, 30);
		assert_int_equal(components(&g, component), shape[i] == shape_empty ? 30 : 1);
		assert_int_equal(component[29], shape[i] == shape_empty ? 29 : 0);
		graph_release(&g);
	}
	shape_empty(&g, 0);
	assert_int_equal(components(&g, component), 0);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(components_are_where_labels_come_to_rest),
		cmocka_unit_test(shapes_are_in_one_piece_or_in_all),
	};

	return cmocka_run_group_tests_name("components", tests, NULL, NULL);
}
