/* Our kernels beside igraph's, on generated graphs and, where it is there, on a crawled one. */
#include "tests/test.h"

#ifndef HAVE_IGRAPH

static void kernels_agree_with_igraph(void **state)
{
	(void)state;
	skip_because("built without igraph (Debian: libigraph-dev)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_agree_with_igraph)};

	return cmocka_run_group_tests_name("igraph", tests, NULL, NULL);
}

#else

#include "base/mem.h"
#include "graph/kernels/bfs.h"
#include "graph/kernels/degrees.h"
#include "graph/formats/format.h"
#include "graph/kernels/generate.h"
#include "graph/kernels/hits.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/scc.h"

#include <igraph.h>
#include <math.h>

static void copy_graph(const struct graph *g, igraph_t *copy)
{
	igraph_vector_int_t ends;

	assert_int_equal(igraph_vector_int_init(&ends, (igraph_integer_t)(2 * g->arcs)), 0);
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			VECTOR(ends)[2 * a] = u;
			VECTOR(ends)[2 * a + 1] = g->target[a];
		}
	}
	assert_int_equal(igraph_create(copy, &ends, g->nodes, IGRAPH_DIRECTED), 0);
	igraph_vector_int_destroy(&ends);
}

static void assert_near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%.17g is not within %g of %.17g", got, within, want);
}

/* PRPACK gives the mass of dangling pages to all alike, as we do. */
static void compare_pagerank(const struct graph *g, const igraph_t *copy)
{
	static void (*const way[])(const struct graph *, struct pagerank *, double *) = {pagerank, pagerank_solve};
	double *rank = mem_new(g->nodes, sizeof *rank);
	igraph_vector_t want;

	assert_int_equal(igraph_vector_init(&want, 0), 0);
	assert_int_equal(igraph_pagerank(copy, IGRAPH_PAGERANK_ALGO_PRPACK, &want, NULL, igraph_vss_all(), IGRAPH_DIRECTED, 0.85,
				 NULL, NULL),
		0);
	for (int k = 0; k < 2; k++) {
		struct pagerank p = PAGERANK_DEFAULT;
		way[k](g, &p, rank);
		for (uint32_t v = 0; v < g->nodes; v++)
			assert_near(rank[v], VECTOR(want)[v], 1e-9 / g->nodes + 1e-7 * rank[v]);
	}
	igraph_vector_destroy(&want);
	free(rank);
}

static double greatest(const double *value, uint32_t n)
{
	double most = 0.0;

	for (uint32_t v = 0; v < n; v++)
		most = value[v] > most ? value[v] : most;
	return most;
}

/* igraph's are the limits: ours after as many iterations as it takes. */
static void compare_hits(const struct graph *g, const igraph_t *copy)
{
	double *hub = mem_new(g->nodes, sizeof *hub);
	double *authority = mem_new(g->nodes, sizeof *authority);
	igraph_vector_t hubs, authorities;
	igraph_arpack_options_t options;
	struct hits h;

	igraph_arpack_options_init(&options);
	assert_int_equal(igraph_vector_init(&hubs, 0), 0);
	assert_int_equal(igraph_vector_init(&authorities, 0), 0);
	assert_int_equal(igraph_hub_and_authority_scores(copy, &hubs, &authorities, NULL, 1, NULL, &options), 0);
	hits_init(&h, g, 1);
	hits_run(&h, 2000, NULL, hub, authority);
	hits_release(&h);
	const double most_hub = greatest(hub, g->nodes), most = greatest(authority, g->nodes);
	for (uint32_t v = 0; v < g->nodes; v++) {
		assert_near(hub[v] / most_hub, VECTOR(hubs)[v], 1e-6);
		assert_near(authority[v] / most, VECTOR(authorities)[v], 1e-6);
	}
	igraph_vector_destroy(&hubs);
	igraph_vector_destroy(&authorities);
	free(hub);
	free(authority);
}

/* The same partition, whatever the names of its parts. */
static void compare_components(const struct graph *g, const igraph_t *copy)
{
	uint32_t *component = mem_new(g->nodes, sizeof *component);
	igraph_vector_int_t member;
	igraph_integer_t parts;

	assert_int_equal(igraph_vector_int_init(&member, 0), 0);
	assert_int_equal(igraph_connected_components(copy, &member, NULL, &parts, IGRAPH_STRONG), 0);
	assert_int_equal(scc(g, component), parts);
	igraph_integer_t *name = mem_new((size_t)parts, sizeof *name);
	for (igraph_integer_t i = 0; i < parts; i++)
		name[i] = -1;
	for (uint32_t v = 0; v < g->nodes; v++) {
		if (name[component[v]] < 0)
			name[component[v]] = VECTOR(member)[v];
		assert_int_equal(name[component[v]], VECTOR(member)[v]);
	}
	igraph_vector_int_destroy(&member);
	free(component);
	free(name);
}

/* Links of a page to itself are no in-links of ours, and two of igraph's degrees. */
static void compare_degrees(const struct graph *g, const igraph_t *copy)
{
	uint32_t *in = mem_new(g->nodes, sizeof *in);
	igraph_vector_int_t want;

	assert_int_equal(igraph_vector_int_init(&want, 0), 0);
	assert_int_equal(igraph_degree(copy, &want, igraph_vss_all(), IGRAPH_IN, IGRAPH_NO_LOOPS), 0);
	degrees_in(g, in, 1);
	for (uint32_t v = 0; v < g->nodes; v++)
		assert_int_equal(in[v], VECTOR(want)[v]);
	igraph_vector_int_destroy(&want);
	free(in);
}

static void compare_levels(const struct graph *g, const igraph_t *copy, uint32_t seed)
{
	uint32_t *level = mem_new(g->nodes, sizeof *level);
	igraph_matrix_t far;
	struct bfs b;

	assert_int_equal(igraph_matrix_init(&far, 0, 0), 0);
	assert_int_equal(igraph_distances(copy, &far, igraph_vss_1(seed), igraph_vss_all(), IGRAPH_OUT), 0);
	bfs_run(&b, g, &seed, 1);
	bfs_levels(&b, level);
	for (uint32_t v = 0; v < g->nodes; v++) {
		if (level[v] == BFS_UNREACHED)
			assert_true(isinf(MATRIX(far, 0, v)));
		else
			assert_true(MATRIX(far, 0, v) == level[v]);
	}
	bfs_release(&b);
	igraph_matrix_destroy(&far);
	free(level);
}

static void compare_average(const struct graph *g, const igraph_t *copy)
{
	struct bfs_distance d = BFS_DISTANCE_DEFAULT;
	igraph_real_t average, apart;

	assert_int_equal(igraph_average_path_length(copy, &average, &apart, IGRAPH_DIRECTED, 1), 0);
	d.sources = g->nodes;
	bfs_distance(g, &d);
	assert_near(d.average, average, 1e-12 * average);
	assert_true((double)d.pairs == (double)g->nodes * (g->nodes - 1) - apart);
}

static void generated_graphs_agree(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		const struct generate p = {1500, 4.0 + 3.0 * (double)seed, 0.7, 0.14, 0.05, seed};
		struct graph g;
		igraph_t copy;
		generate(&p, &g);
		copy_graph(&g, &copy);
		compare_pagerank(&g, &copy);
		compare_hits(&g, &copy);
		compare_components(&g, &copy);
		compare_degrees(&g, &copy);
		compare_levels(&g, &copy, (uint32_t)seed);
		compare_average(&g, &copy);
		igraph_destroy(&copy);
		graph_release(&g);
	}
}

static void a_crawled_graph_agrees(void **state)
{
	const struct graph_load load = {.threads = 1};
	struct err_note why;
	struct graph g;
	igraph_t copy;

	(void)state;
	assert_int_equal(graph_open(shared("data/cs-stanford/cs-stanford.txt.gz"), &load, &g, NULL, &why), 0);
	copy_graph(&g, &copy);
	compare_pagerank(&g, &copy);
	compare_components(&g, &copy);
	compare_degrees(&g, &copy);
	compare_levels(&g, &copy, 0);
	igraph_destroy(&copy);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generated_graphs_agree),
		cmocka_unit_test(a_crawled_graph_agrees),
	};

	return cmocka_run_group_tests_name("igraph", tests, NULL, NULL);
}

#endif
