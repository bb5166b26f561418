#include "tests/test.h"
#include "tests/graph/shapes.h"

#include "graph/kernels/hits.h"

#include <math.h>

static void near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%.17g is not within %g of %.17g", got, within, want);
}

static void run(const struct graph *g, unsigned iterations, const uint8_t *dead, double *hub, double *authority)
{
	struct hits h;

	hits_init(&h, g, 1);
	hits_run(&h, iterations, dead, hub, authority);
	hits_release(&h);
}

static void cliques_cycles_and_stars_have_their_closed_form(void **state)
{
	double hub[16], authority[16];
	struct graph g;

	(void)state;
	shape_clique(&g, 16);
	run(&g, 60, NULL, hub, authority);
	for (int v = 0; v < 16; v++) {
		near(hub[v], 0.25, 1e-15);
		near(authority[v], 0.25, 1e-15);
	}
	graph_release(&g);
	shape_cycle(&g, 16);
	run(&g, 60, NULL, hub, authority);
	for (int v = 0; v < 16; v++) {
		near(hub[v], 0.25, 1e-15);
		near(authority[v], 0.25, 1e-15);
	}
	graph_release(&g);
	shape_star_in(&g, 10);
	run(&g, 60, NULL, hub, authority);
	near(authority[0], 1.0, 1e-15);
	near(hub[0], 0.0, 0.0);
	for (int v = 1; v < 10; v++) {
		near(authority[v], 0.0, 0.0);
		near(hub[v], 1.0 / 3.0, 1e-15);
	}
	graph_release(&g);
}

static void without_arcs_all_is_zero(void **state)
{
	double hub[5], authority[5];
	struct graph g;

	(void)state;
	shape_empty(&g, 5);
	run(&g, 60, NULL, hub, authority);
	for (int v = 0; v < 5; v++)
		assert_true(hub[v] == 0.0 && authority[v] == 0.0);
	graph_release(&g);
}

static void divide_by_norm(double *x, uint32_t n)
{
	double square = 0.0;

	for (uint32_t v = 0; v < n; v++)
		square += x[v] * x[v];
	for (uint32_t v = 0; v < n && square > 0.0; v++)
		x[v] /= sqrt(square);
}

/* The slow second method: the definition, arc by arc. */
static void plain(const struct graph *g, unsigned iterations, const uint8_t *dead, double *hub, double *authority)
{
	const uint32_t n = g->nodes;

	for (uint32_t v = 0; v < n; v++)
		hub[v] = !dead[v];
	for (unsigned i = 0; i < iterations; i++) {
		memset(authority, 0, n * sizeof *authority);
		for (uint32_t u = 0; u < n; u++)
			for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
				if (!dead[u] && !dead[g->target[a]])
					authority[g->target[a]] += hub[u];
		divide_by_norm(authority, n);
		memset(hub, 0, n * sizeof *hub);
		for (uint32_t u = 0; u < n; u++)
			for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
				if (!dead[u] && !dead[g->target[a]])
					hub[u] += authority[g->target[a]];
		divide_by_norm(hub, n);
	}
}

static void values_are_those_of_the_definition_also_with_nodes_removed(void **state)
{
	enum { N = 300 };
	double hub[N], authority[N], want_hub[N], want_authority[N];
	uint8_t dead[N];
	struct rng r = {4};

	(void)state;
	for (unsigned round = 0; round < 12; round++) {
		struct graph g;
		shape_random(&g, N, N * (1 + round), round % 2 ? 0 : 9, &r);
		for (uint32_t v = 0; v < N; v++)
			dead[v] = round > 3 && rng_below(&r, 4) == 0;
		plain(&g, 1 + round * 5, dead, want_hub, want_authority);
		run(&g, 1 + round * 5, dead, hub, authority);
		for (uint32_t v = 0; v < N; v++) {
			near(hub[v], want_hub[v], 1e-13);
			near(authority[v], want_authority[v], 1e-13);
		}
		graph_release(&g);
	}
}

/* Rows in document order give the same bits as ascending ones. */
static void the_order_of_links_in_a_row_does_not_matter(void **state)
{
	enum { N = 200 };
	double hub[2][N], authority[2][N];
	struct rng r = {6};
	struct graph g, mixed;

	(void)state;
	shape_random(&g, N, N * 6, 0, &r);
	uint64_t *offset = mem_copy(g.offset, (N + 1) * sizeof *offset);
	uint32_t *target = mem_copy(g.target, g.arcs * sizeof *target);
	for (uint32_t u = 0; u < N; u++) {
		for (uint64_t a = offset[u], z = offset[u + 1]; a + 1 < z; a++, z--) {
			const uint32_t t = target[a];
			target[a] = target[z - 1];
			target[z - 1] = t;
		}
	}
	graph_take_rows(&mixed, N, offset, target, 0);
	run(&g, 60, NULL, hub[0], authority[0]);
	run(&mixed, 60, NULL, hub[1], authority[1]);
	assert_memory_equal(hub[0], hub[1], sizeof hub[0]);
	assert_memory_equal(authority[0], authority[1], sizeof authority[0]);
	graph_release(&g);
	graph_release(&mixed);
}

static void threads_change_no_bit(void **state)
{
	enum { N = 30000 };
	struct rng r = {7};
	double *hub = mem_new(2 * N, sizeof *hub), *authority = mem_new(2 * N, sizeof *authority);
	struct graph g;

	(void)state;
	shape_random(&g, N, 8 * N, 40, &r);
	for (unsigned threads = 1; threads < 4; threads++) {
		struct hits h;
		const size_t at = threads == 1 ? 0 : N;
		hits_init(&h, &g, threads);
		hits_run(&h, 10, NULL, hub + at, authority + at);
		hits_release(&h);
		if (threads > 1) {
			assert_memory_equal(hub, hub + N, N * sizeof *hub);
			assert_memory_equal(authority, authority + N, N * sizeof *authority);
		}
	}
	graph_release(&g);
	free(hub);
	free(authority);
}

/* The worked example: links within a host dropped, 21 remain. */
static void the_golden_graph_has_its_values(void **state)
{
	static const struct {
		uint32_t node;
		double hub, authority;
	} want[] = {{0, .591467, 0}, {1, .591467, 0}, {2, .427185, 0}, {3, 0, .661059}, {4, 0, .562257}, {5, 0, .470451},
		{6, .282935, 0}, {7, .072125, 0}, {8, .072125, 0}, {9, 0, .149174}, {10, 0, .057368}, {12, .020033, 0},
		{13, .164283, 0}};
	FILE *arcs = fopen(shared("examples/h14.txt"), "r");
	FILE *hosts = fopen(shared("examples/h14.hosts"), "r");
	char host[14][32], line[80];
	double hub[14], authority[14];
	unsigned u, v;
	struct shape a = {0};
	struct graph g;

	(void)state;
	assert_non_null(arcs);
	assert_non_null(hosts);
	for (u = 0; u < 14; u++)
		assert_int_equal(fscanf(hosts, "%31s", host[u]), 1);
	while (fgets(line, sizeof line, arcs))
		if (sscanf(line, "%u %u", &u, &v) == 2 && strcmp(host[u], host[v]) != 0)
			shape_add(&a, u, v);
	fclose(arcs);
	fclose(hosts);
	shape_end(&a, 14, &g);
	assert_int_equal(g.arcs, 21);
	run(&g, 60, NULL, hub, authority);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		near(hub[want[i].node], want[i].hub, want[i].hub > 0 ? 5e-7 : 1e-4);
		near(authority[want[i].node], want[i].authority, want[i].authority > 0 ? 5e-7 : 1e-1);
	}
	graph_release(&g);
}

static void keys_are_relative_to_the_greatest(void **state)
{
	static const double value[] = {0.5, 0.25, 0.0, 0.5 - 1e-12, 1e-9};
	static const uint64_t want[] = {1000000000, 500000000, 0, 1000000000, 2};
	static const double none[] = {0.0, 0.0};
	uint64_t key[5];

	(void)state;
	hits_keys(value, 5, key);
	assert_memory_equal(key, want, sizeof want);
	hits_keys(none, 2, key);
	assert_true(key[0] == 0 && key[1] == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cliques_cycles_and_stars_have_their_closed_form),
		cmocka_unit_test(without_arcs_all_is_zero),
		cmocka_unit_test(values_are_those_of_the_definition_also_with_nodes_removed),
		cmocka_unit_test(the_order_of_links_in_a_row_does_not_matter),
		cmocka_unit_test(threads_change_no_bit),
		cmocka_unit_test(the_golden_graph_has_its_values),
		cmocka_unit_test(keys_are_relative_to_the_greatest),
	};

	return cmocka_run_group_tests_name("hits", tests, NULL, NULL);
}
