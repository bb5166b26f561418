#include "tests/test.h"

#include "base/rng.h"
#include "graph/kernels/scc.h"
#include "tests/graph/graphs.h"

/* Against mutual reachability by Warshall's closure. */
static void components_are_classes_of_mutual_reachability(void **state)
{
	struct rng rng = {8};

	(void)state;
	for (int round = 0; round < 400; round++) {
		uint32_t n = 1 + (uint32_t)rng_below(&rng, 30), component[30], next = 0;
		unsigned char reach[30][30] = {{0}};
		struct graph g;
		random_graph(&g, &rng, n, (uint32_t)rng_below(&rng, 4));
		for (uint32_t u = 0; u < n; u++) {
			reach[u][u] = 1;
			for (uint32_t i = 0; i < graph_outdegree(&g, u); i++)
				reach[u][graph_row(&g, u)[i]] = 1;
		}
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t i = 0; i < n; i++)
				for (uint32_t j = 0; j < n; j++)
					reach[i][j] |= reach[i][k] & reach[k][j];
		uint32_t count = scc(&g, component);
		for (uint32_t u = 0; u < n; u++) {
			for (uint32_t v = 0; v < n; v++)
				assert_int_equal(component[u] == component[v], reach[u][v] && reach[v][u]);
			/* numbered by their smallest node */
			assert_true(component[u] <= next);
			next += component[u] == next;
		}
		assert_int_equal(count, next);
		graph_release(&g);
	}
}

static void a_long_cycle_and_a_long_chain_do_not_overflow(void **state)
{
	enum { N = 300000 };
	uint32_t *from = mem_new(N, 4), *to = mem_new(N, 4), *component = mem_new(N, 4);
	struct graph g;

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		from[i] = i;
		to[i] = (i + 1) % N;
	}
	graph_from_arcs(&g, N, from, to, N);
	assert_int_equal(scc(&g, component), 1);
	graph_release(&g);
	graph_from_arcs(&g, N, from, to, N - 1);
	assert_int_equal(scc(&g, component), N);
	assert_int_equal(component[N - 1], N - 1);
	graph_release(&g);
	free(from);
	free(to);
	free(component);
}

/* Groups of nodes, a cycle each, links between groups only from a lower to a higher: the groups are
 * the components. Large enough for the search that starts with the core, which the first group is
 * where it holds most nodes, and which there is none of where all groups are small. Ids are mixed.
 */
static void large_graphs_have_their_components(void **state)
{
	enum { N = 600000 };
	uint32_t *id = mem_new(N, sizeof *id), *group = mem_new(N, sizeof *group);
	uint32_t *from = mem_new(2 * N, sizeof *from), *to = mem_new(2 * N, sizeof *to);
	uint32_t *component = mem_new(N, sizeof *component), *of_group = mem_new(N, sizeof *of_group);
	struct rng rng = {21};

	(void)state;
	for (int round = 0; round < 3; round++) {
		uint32_t groups = 0, arcs = 0, next = 0;
		struct graph g;
		rng_sample(&rng, N, N, id);
		for (uint32_t begin = 0; begin < N; groups++) {
			uint32_t size = 1 + (uint32_t)rng_below(&rng, 9);
			if (round < 2 && groups == (round ? 5000 : 0))
				size = N / 3 * 2;
			if (size > N - begin)
				size = N - begin;
			for (uint32_t i = begin; i < begin + size; i++) {
				group[id[i]] = groups;
				from[arcs] = id[i];
				to[arcs++] = id[i + 1 < begin + size ? i + 1 : begin];
				from[arcs] = id[i];
				to[arcs++] = id[begin + rng_below(&rng, N - begin)];
			}
			begin += size;
		}
		graph_from_arcs(&g, N, from, to, arcs);
		assert_int_equal(scc(&g, component), groups);
		memset(of_group, 0xff, N * sizeof *of_group);
		for (uint32_t v = 0; v < N; v++) {
			if (of_group[group[v]] == UINT32_MAX)
				of_group[group[v]] = next++;
			assert_int_equal(component[v], of_group[group[v]]);
		}
		graph_release(&g);
	}
	free(id);
	free(group);
	free(from);
	free(to);
	free(component);
	free(of_group);
}

/* Large, with a node of most links that nothing is to be found from: none at all, and a star's. */
static void large_graphs_need_no_core(void **state)
{
	enum { N = 500000 };
	uint32_t *from = mem_zero(N, sizeof *from), *to = mem_new(N, sizeof *to);
	uint32_t *component = mem_new(N, sizeof *component);

	(void)state;
	for (uint32_t i = 0; i < N; i++)
		to[i] = i;
	for (uint32_t arcs = 0; arcs <= N; arcs += N) {
		struct graph g;
		graph_from_arcs(&g, N, from, to, arcs);
		assert_int_equal(scc(&g, component), N);
		for (uint32_t v = 0; v < N; v++)
			assert_int_equal(component[v], v);
		graph_release(&g);
	}
	free(from);
	free(to);
	free(component);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(components_are_classes_of_mutual_reachability),
		cmocka_unit_test(large_graphs_have_their_components),
		cmocka_unit_test(large_graphs_need_no_core),
		cmocka_unit_test(a_long_cycle_and_a_long_chain_do_not_overflow),
	};

	return cmocka_run_group_tests_name("scc", tests, NULL, NULL);
}
