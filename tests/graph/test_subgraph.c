#include "tests/graph/graphs.h"
#include "tests/test.h"

#include "graph/kernels/bfs.h"
#include "graph/formats/names.h"
#include "graph/memory/subgraph.h"

static const struct graph_space roomy = {0}, tiny = {.memory = 1};

static int has_arc(const struct graph *g, uint32_t u, uint32_t v)
{
	for (uint32_t i = 0; i < graph_outdegree(g, u); i++)
		if (graph_row(g, u)[i] == v)
			return 1;
	return 0;
}

/* Every pair of nodes, one by one. */
static void a_part_has_the_arcs_between_its_nodes(void **state)
{
	struct rng rng = {41};

	(void)state;
	for (int round = 0; round < 30; round++) {
		const uint32_t n = 1 + (uint32_t)rng_below(&rng, 60);
		uint8_t *keep = mem_zero(n, 1);
		uint32_t *id = mem_new(n, sizeof *id), kept = 0;
		struct err_note why;
		struct graph g, part;
		random_graph(&g, &rng, n, 5);
		for (uint32_t u = 0; u < n; u++)
			kept += keep[u] = round == 0 ? 1 : round == 1 ? 0 : (uint8_t)rng_below(&rng, 2);
		assert_int_equal(graph_subgraph(&g, keep, round % 3 ? &roomy : &tiny, &part, id, &why), 0);
		assert_int_equal(part.nodes, kept);
		for (uint32_t i = 0; i < kept; i++) {
			assert_true(keep[id[i]] && (!i || id[i] > id[i - 1]));
			assert_true(graph_label(&part, i) == id[i]);
			for (uint32_t k = 0; k < kept; k++)
				assert_int_equal(has_arc(&part, i, k), has_arc(&g, id[i], id[k]));
		}
		graph_release(&part);
		graph_release(&g);
		free(keep);
		free(id);
	}
}

static void labels_of_a_part_are_those_of_the_whole(void **state)
{
	static const uint8_t keep[12] = {1, 0, 1, 1, 0, 1};
	uint64_t *label = mem_new(12, sizeof *label);
	struct err_note why;
	struct graph g, part, again;

	(void)state;
	g12(&g);
	for (uint64_t i = 0; i < 12; i++)
		label[i] = i * i + 5;
	graph_take_labels(&g, label);
	assert_int_equal(graph_subgraph(&g, keep, &roomy, &part, NULL, &why), 0);
	assert_int_equal(part.nodes, 4);
	assert_int_equal(graph_label(&part, 3), 30);
	static const uint8_t last[4] = {0, 0, 0, 1};
	assert_int_equal(graph_subgraph(&part, last, &roomy, &again, NULL, &why), 0);
	assert_int_equal(graph_label(&again, 0), 30);
	graph_release(&again);
	graph_release(&part);
	graph_release(&g);
}

static void relabelling_is_a_permutation_of_nodes_and_arcs(void **state)
{
	struct rng rng = {42};

	(void)state;
	for (int round = 0; round < 30; round++) {
		const uint32_t n = 1 + (uint32_t)rng_below(&rng, 60);
		uint32_t *order = mem_new(n, sizeof *order), *back = mem_new(n, sizeof *back);
		struct err_note why;
		struct graph g, other, again;
		random_graph(&g, &rng, n, 5);
		rng_sample(&rng, n, n, order);
		for (uint32_t i = n - 1; i > 0; i--) {
			const uint32_t k = (uint32_t)rng_below(&rng, i + 1), swap = order[i];
			order[i] = order[k];
			order[k] = swap;
		}
		for (uint32_t i = 0; i < n; i++)
			back[order[i]] = i;
		assert_int_equal(graph_relabel(&g, order, round % 3 ? &roomy : &tiny, &other, &why), 0);
		assert_int_equal(other.arcs, g.arcs);
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t k = 0; k < n; k++)
				assert_int_equal(has_arc(&other, i, k), has_arc(&g, order[i], order[k]));
		assert_int_equal(graph_relabel(&other, back, &roomy, &again, &why), 0);
		assert_true(graph_fingerprint(&again) == graph_fingerprint(&g));
		graph_release(&again);
		graph_release(&other);
		graph_release(&g);
		free(order);
		free(back);
	}
}

/* As graph/kernels/bfs.h finds them, as far as the seeds reach. */
static void discovery_is_breadth_first_and_finds_all(void **state)
{
	struct rng rng = {43};

	(void)state;
	for (int round = 0; round < 50; round++) {
		const uint32_t n = 1 + (uint32_t)rng_below(&rng, 80), m = (uint32_t)rng_below(&rng, 4);
		uint32_t *order = mem_new(n, sizeof *order), seeds[4] = {0};
		uint8_t *seen = mem_zero(n, 1);
		struct graph g;
		struct bfs b;
		random_graph(&g, &rng, n, 2);
		for (uint32_t i = 0; i < m; i++)
			seeds[i] = (uint32_t)rng_below(&rng, n);
		graph_discovery(&g, seeds, m, order);
		bfs_run(&b, &g, seeds, m);
		assert_memory_equal(order, b.order, b.reached * sizeof *order);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(seen[order[i]]++, 0);
		bfs_release(&b);
		graph_release(&g);
		free(order);
		free(seen);
	}
}

static void without_seeds_discovery_begins_at_the_least_node_left(void **state)
{
	static const uint32_t from[] = {1, 3, 4, 4}, to[] = {4, 0, 2, 1};
	static const uint32_t want[] = {0, 1, 4, 2, 3}, seeded[] = {3, 0, 2, 1, 4};
	static const uint32_t seeds[] = {3, 2, 3};
	uint32_t order[5];
	struct graph g;

	(void)state;
	graph_from_arcs(&g, 5, from, to, 4);
	graph_discovery(&g, NULL, 0, order);
	assert_memory_equal(order, want, sizeof want);
	graph_discovery(&g, seeds, 3, order);
	static const uint32_t by_seeds[] = {3, 2, 0, 1, 4};
	assert_memory_equal(order, by_seeds, sizeof by_seeds);
	static const uint32_t first[] = {3, 0, 3, 2};
	graph_first(&g, first, 4, order);
	assert_memory_equal(order, seeded, sizeof seeded);
	graph_release(&g);
}

static void names_follow_their_nodes(void **state)
{
	static const char text[] = "http://b/1\nhttp://a/2\nhttp://b/0\n\nhttp://a/1\n";
	static const uint32_t id[] = {4, 0, 3, 1}, sorted[] = {3, 4, 1, 2, 0};
	uint32_t order[5];
	struct names all, part;
	struct err_note why;

	(void)state;
	assert_int_equal(names_from_urls(&all, scratch_file(text, sizeof text - 1), 5, &why), 0);
	names_pick(&all, id, 4, &part);
	assert_int_equal(part.nodes, 4);
	assert_int_equal(part.hosts, 3);
	for (uint32_t i = 0; i < 4; i++) {
		assert_string_equal(names_url(&part, i), names_url(&all, id[i]));
		assert_string_equal(names_host(&part, i), names_host(&all, id[i]));
	}
	assert_int_equal(part.host[0], part.host[3]);
	names_order(&all, order);
	assert_memory_equal(order, sorted, sizeof sorted);
	names_release(&part);
	names_release(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_part_has_the_arcs_between_its_nodes),
		cmocka_unit_test(labels_of_a_part_are_those_of_the_whole),
		cmocka_unit_test(relabelling_is_a_permutation_of_nodes_and_arcs),
		cmocka_unit_test(discovery_is_breadth_first_and_finds_all),
		cmocka_unit_test(without_seeds_discovery_begins_at_the_least_node_left),
		cmocka_unit_test(names_follow_their_nodes),
	};

	return cmocka_run_group_tests_name("subgraph", tests, NULL, NULL);
}
