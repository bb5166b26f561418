#include "tests/test.h"
#include "tests/graph/shapes.h"

#include "graph/kernels/generate.h"

static void assert_rows_ascend(const struct graph *g)
{
	assert_int_equal(g->offset[0], 0);
	assert_int_equal(g->offset[g->nodes], g->arcs);
	for (uint32_t u = 0; u < g->nodes; u++) {
		const uint32_t *t = graph_row(g, u), n = graph_outdegree(g, u);
		for (uint32_t i = 0; i < n; i++)
			assert_true(t[i] < g->nodes && (i == 0 || t[i - 1] < t[i]));
	}
}

/* The share of arcs whose ends are of one host. */
static double intra_share(const struct graph *g, const struct names *names)
{
	uint64_t intra = 0;

	for (uint32_t u = 0; u < g->nodes; u++)
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			intra += names->host[u] == names->host[g->target[a]];
	return g->arcs ? (double)intra / (double)g->arcs : 0.0;
}

static void assert_within(double got, double want, double by)
{
	if (!(got >= want - by && got <= want + by))
		fail_msg("%g is not within %g of %g", got, by, want);
}

static void figures_are_as_asked(void **state)
{
	static const struct generate asked[] = {
		{10000, 10.0, 0.89, 0.14, 0.01, 1},
		{10000, 3.0, 0.5, 0.4, 0.2, 2},
		{20000, 15.0, 0.95, 0.0, 0.0, 3},
		{12000, 1.0, 0.89, 0.14, 0.05, 4},
		{30000, 16.1, 0.75, 0.3, 0.27, 5},
		{10000, 40.0, 0.89, 0.14, 0.01, 6},
	};

	(void)state;
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		const double n = asked[i].nodes;
		uint32_t dangling = 0, loops = 0;
		struct graph g;
		struct names names;
		generate(&asked[i], &g);
		generate_names(&asked[i], &names);
		assert_rows_ascend(&g);
		assert_within((double)g.arcs / n / asked[i].arcs_per_node, 1.0, 0.02);
		assert_within(intra_share(&g, &names), asked[i].intra_host, 0.01);
		for (uint32_t u = 0; u < g.nodes; u++) {
			dangling += graph_outdegree(&g, u) == 0;
			for (uint64_t a = g.offset[u]; a < g.offset[u + 1]; a++)
				loops += g.target[a] == u;
		}
		assert_within(dangling / n, asked[i].dangling, 0.015);
		assert_within(loops / n, asked[i].self_loops, 0.01);
		graph_release(&g);
		names_release(&names);
	}
}

static void any_parameters_give_a_graph(void **state)
{
	static const uint32_t nodes[] = {1, 2, 3, 7, 63, 64, 100, 1000};
	static const double arcs[] = {1e-6, 1.0, 5.0, 50.0, 2000.0};
	static const double share[] = {0.0, 0.5, 1.0};

	(void)state;
	for (size_t i = 0; i < 8 * 5 * 3 * 3 * 3; i++) {
		struct generate p = {nodes[i % 8], arcs[i / 8 % 5], share[i / 40 % 3], share[i / 120 % 3], share[i / 360 % 3], i};
		struct graph g;
		struct names names;
		if (p.nodes == 1000 && p.arcs_per_node > 50.0 && p.rng_seed % 3)
			continue; /* a million arcs: a few will do */
		generate(&p, &g);
		generate_names(&p, &names);
		assert_int_equal(g.nodes, p.nodes);
		assert_rows_ascend(&g);
		if (p.dangling == 1.0)
			assert_int_equal(g.arcs, 0);
		if (g.arcs && (p.intra_host == 0.0 || p.intra_host == 1.0))
			assert_true(intra_share(&g, &names) == p.intra_host);
		graph_release(&g);
		names_release(&names);
	}
}

struct tally {
	const struct graph *g;
	uint32_t next, stop;
};

static int same_row(void *ctx, uint32_t u, const uint32_t *target, uint32_t n)
{
	struct tally *t = ctx;

	assert_int_equal(u, t->next++);
	assert_int_equal(n, graph_outdegree(t->g, u));
	if (n)
		assert_memory_equal(target, graph_row(t->g, u), n * sizeof *target);
	return t->next == t->stop ? -7 : 0;
}

static void rows_are_those_of_the_graph_and_can_be_stopped(void **state)
{
	struct generate p = GENERATE_DEFAULT;
	struct graph g;

	(void)state;
	generate(&p, &g);
	struct tally t = {&g, 0, 0};
	assert_int_equal(generate_rows(&p, same_row, &t), 0);
	assert_int_equal(t.next, p.nodes);
	t = (struct tally){&g, 0, 500};
	assert_int_equal(generate_rows(&p, same_row, &t), -7);
	assert_int_equal(t.next, 500);
	graph_release(&g);
}

/* Pinned: on any machine, by any compiler. */
static void the_same_parameters_give_the_same_graph_everywhere(void **state)
{
	static const struct {
		struct generate parameters;
		uint64_t arcs, fingerprint;
	} known[] = {
		{GENERATE_DEFAULT, 9966, 0x94fbc0b82d13d9c8},
		{{50000, 12.0, 0.5, 0.3, 0.2, 77}, 600351, 0x2e0b33730fd780ba},
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct graph g;
		generate(&known[i].parameters, &g);
		assert_true(g.arcs == known[i].arcs);
		assert_true(graph_fingerprint(&g) == known[i].fingerprint);
		graph_release(&g);
	}
}

static void names_number_the_pages_of_each_host(void **state)
{
	struct generate p = GENERATE_DEFAULT;
	struct names names;
	uint32_t page = 0;
	char want[64];

	(void)state;
	generate_names(&p, &names);
	assert_int_equal(names.nodes, p.nodes);
	assert_true(names.hosts > 5);
	for (uint32_t v = 0; v < p.nodes; v++) {
		if (v && names.host[v] != names.host[v - 1]) {
			assert_int_equal(names.host[v], names.host[v - 1] + 1);
			page = 0;
		}
		snprintf(want, sizeof want, "h%u.test", names.host[v]);
		assert_string_equal(names_host(&names, v), want);
		snprintf(want, sizeof want, "http://h%u.test/%u", names.host[v], page++);
		assert_string_equal(names_url(&names, v), want);
	}
	assert_int_equal(names.host[p.nodes - 1] + 1, names.hosts);
	names_release(&names);
}

/* A thousandth of the pages as seeds, drawn at random, must lead to most others. */
static void most_pages_are_reachable_from_a_few(void **state)
{
	struct generate p = {50000, 12.0, 0.89, 0.14, 0.01, 9};
	struct rng r = {1};
	struct graph g;
	uint32_t seeds[50], *queue = mem_new(p.nodes, sizeof *queue), head = 0, tail = 0;
	unsigned char *seen = mem_zero(p.nodes, 1);

	(void)state;
	generate(&p, &g);
	rng_sample(&r, p.nodes, 50, seeds);
	for (int i = 0; i < 50; i++) {
		seen[seeds[i]] = 1;
		queue[tail++] = seeds[i];
	}
	while (head < tail) {
		const uint32_t u = queue[head++];
		for (uint64_t a = g.offset[u]; a < g.offset[u + 1]; a++) {
			if (!seen[g.target[a]]++)
				queue[tail++] = g.target[a];
			seen[g.target[a]] = 1;
		}
	}
	assert_true(tail > p.nodes / 10 * 8);
	free(queue);
	free(seen);
	graph_release(&g);
}

static void degrees_have_long_tails_both_ways(void **state)
{
	struct generate p = {50000, 12.0, 0.89, 0.14, 0.01, 10};
	struct graph way[2];

	(void)state;
	generate(&p, &way[0]);
	graph_transpose(&way[0], &way[1], 1);
	for (int i = 0; i < 2; i++) {
		uint32_t most = 0, above = 0;
		for (uint32_t v = 0; v < p.nodes; v++) {
			const uint32_t d = graph_outdegree(&way[i], v);
			most = d > most ? d : most;
			above += d > 48;
		}
		assert_true(most > 400); /* a Poisson degree would not reach 50 */
		assert_true(above > 300);
	}
	graph_release(&way[1]);
	graph_release(&way[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_as_asked),
		cmocka_unit_test(any_parameters_give_a_graph),
		cmocka_unit_test(rows_are_those_of_the_graph_and_can_be_stopped),
		cmocka_unit_test(the_same_parameters_give_the_same_graph_everywhere),
		cmocka_unit_test(names_number_the_pages_of_each_host),
		cmocka_unit_test(most_pages_are_reachable_from_a_few),
		cmocka_unit_test(degrees_have_long_tails_both_ways),
	};

	return cmocka_run_group_tests_name("generate", tests, NULL, NULL);
}
