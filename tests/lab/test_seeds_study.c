/* The evaluation of seeds: distances of cores against a slow second method, levels of a crawl, and
 * coverage site by site. */
#include "tests/test.h"

#include "base/rng.h"
#include "lab/report/seeds_study.h"
#include "lab/report/coverage_study.h"
#include "lab/measure/throughput.h"
#include "seeds/ball.h"
#include "tests/graph/graphs.h"
#include "tests/seeds/seeding.h"

#include <math.h>

enum { NODES = 40, CORES = 6 };

static void the_worked_example_has_its_distances(void **state)
{
	static const int32_t want[] = {0, 3, 2, 0};
	struct seeding s = {.method = seed_method_named("hits"), .host = h14_host, .k = 9};
	struct core_distance_summary summary;
	struct seed_output found;
	int32_t distance[4];
	struct graph g;

	(void)state;
	h14(&g);
	s.g = &g;
	assert_int_equal(seeding_run(&s, &found), 0);
	assert_int_equal(found.cores, 2);
	core_distances(&g, found.core, 2, 1, distance);
	assert_memory_equal(distance, want, sizeof want);
	core_distance_summarise(distance, 2, &summary);
	assert_int_equal(summary.reached, 2);
	assert_int_equal(summary.least, 2);
	assert_int_equal(summary.most, 3);
	assert_true(summary.average == 2.5);
	assert_true(isnan(summary.correlation)); /* |i-j| is 1 both times */
	seed_output_release(&found);
	graph_release(&g);
}

/* Floyd and Warshall. */
static void all_pairs(const struct graph *g, int32_t far[NODES][NODES])
{
	for (uint32_t u = 0; u < NODES; u++)
		for (uint32_t v = 0; v < NODES; v++)
			far[u][v] = u == v ? 0 : NODES;
	for (uint32_t u = 0; u < NODES; u++)
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			if (g->target[a] != u)
				far[u][g->target[a]] = 1;
	for (uint32_t w = 0; w < NODES; w++)
		for (uint32_t u = 0; u < NODES; u++)
			for (uint32_t v = 0; v < NODES; v++)
				if (far[u][w] + far[w][v] < far[u][v])
					far[u][v] = far[u][w] + far[w][v];
}

static int32_t slow_distance(int32_t far[NODES][NODES], const struct seed_core *a, const struct seed_core *b)
{
	int32_t least = NODES;

	for (size_t i = 0; i < a->hubs + a->authorities; i++) {
		const uint32_t u = i < a->hubs ? a->hub[i] : a->authority[i - a->hubs];
		for (size_t k = 0; k < b->hubs + b->authorities; k++) {
			const uint32_t v = k < b->hubs ? b->hub[k] : b->authority[k - b->hubs];
			least = far[u][v] < least ? far[u][v] : least;
		}
	}
	return least < NODES ? least : CORE_UNREACHED;
}

static void distances_are_those_of_all_pairs(void **state)
{
	struct rng r = {71};

	(void)state;
	for (int round = 0; round < 30; round++) {
		static int32_t far[NODES][NODES];
		int32_t distance[CORES * CORES], again[CORES * CORES];
		uint32_t node[NODES];
		struct seed_core core[CORES] = {{0}};
		struct graph g;
		random_graph(&g, &r, NODES, 1 + (uint32_t)round % 3);
		rng_sample(&r, NODES, NODES, node);
		for (size_t i = 0; i < CORES; i++) {
			core[i].hub = node + 5 * i;
			core[i].hubs = 1 + i % 3;
			core[i].authority = core[i].hub + core[i].hubs;
			core[i].authorities = 1 + i % 2;
		}
		core_distances(&g, core, CORES, 1, distance);
		core_distances(&g, core, CORES, 3, again);
		assert_memory_equal(distance, again, sizeof distance);
		all_pairs(&g, far);
		for (size_t i = 0; i < CORES * CORES; i++)
			assert_int_equal(distance[i], slow_distance(far, &core[i / CORES], &core[i % CORES]));
		graph_release(&g);
	}
}

static void a_correlation_is_that_of_a_line(void **state)
{
	struct core_distance_summary s;
	int32_t distance[16];

	(void)state;
	for (int32_t i = 0; i < 16; i++) /* the further apart, the nearer */
		distance[i] = i / 4 == i % 4 ? 0 : 10 - abs(i / 4 - i % 4);
	core_distance_summarise(distance, 4, &s);
	assert_true(fabs(s.correlation + 1) < 1e-12);
	assert_int_equal(s.pairs, 12);
	assert_true(s.p > 0 && s.p < 0.2); /* 2 orders of 24 are as low: this and its reverse */
	distance[1] = CORE_UNREACHED;
	core_distance_summarise(distance, 4, &s);
	assert_int_equal(s.reached, 11);
	core_distance_summarise(distance, 0, &s);
	assert_int_equal(s.reached, 0);
	assert_true(isnan(s.average));
}

/* Three cores in a row keep their distances in the plane. */
static void a_layout_keeps_distances_that_fit(void **state)
{
	static const int32_t distance[] = {0, 2, 5, 2, 0, 3, 5, 3, 0};
	double x[3], y[3];

	(void)state;
	core_layout(distance, 3, x, y);
	for (int i = 0; i < 9; i++)
		assert_true(fabs(hypot(x[i / 3] - x[i % 3], y[i / 3] - y[i % 3]) - distance[i]) < 0.05);
}

static void levels_hold_every_page_once(void **state)
{
	struct rng r = {72};
	struct benchmark b;
	struct crawl_level level[4];
	const uint32_t seed[] = {0, 1, 1};
	double pages = 0;
	struct graph g;

	(void)state;
	random_graph(&g, &r, 300, 2);
	benchmark_make(&b, &g, 1e-12, 1);
	crawl_levels(&g, &b, seed, 3, level, 4);
	unsigned char *reached = throughput_reach(&g, NULL, seed, 3);
	for (uint32_t v = 0; v < g.nodes; v++)
		pages -= reached[v];
	free(reached);
	for (int i = 0; i < 4; i++)
		pages += level[i].pages;
	assert_true(pages == 0);
	assert_true(level[0].pages == 2);
	assert_true(fabs(level[0].rank - 150 * (b.rank[0] + b.rank[1])) < 1e-9);
	assert_true(level[3].mass >= level[0].mass && level[3].mass <= 1 + 1e-9);
	benchmark_release(&b);
	graph_release(&g);
}

/* What a strategy covers is what coverage_of() says of its seeds. */
static void coverage_is_that_of_the_seeds(void **state)
{
	static const char *const method[] = {"outdegree", "maxweight"};
	static const size_t strategy[] = {1, 3};
	struct rng r = {73};
	static struct coverage_figures f;

	(void)state;
	for (int round = 0; round < 4; round++) {
		struct coverage_site site = {.value = mem_new(150, sizeof *site.value)};
		random_graph(&site.graph, &r, 150, 1 + (uint32_t)round);
		for (uint32_t v = 0; v < 150; v++)
			site.value[v] = (int64_t)rng_below(&r, 12 * SEED_VALUE_ONE) - 2 * SEED_VALUE_ONE;
		coverage_measure(&site, 3, 5, &f);
		for (size_t i = 0; i < 2; i++) {
			struct seeding s = {.g = &site.graph,
				.method = seed_method_named(method[i]),
				.opts = {"hops=5", "depth=2"},
				.value = site.value,
				.k = COVERAGE_SEEDS};
			struct seed_output found;
			assert_int_equal(seeding_run(&s, &found), 0);
			for (size_t k = 1; k <= found.n; k++) {
				struct coverage c;
				coverage_of(&site.graph, found.seed, k, 5, site.value, &c);
				assert_true(f.of[COVERAGE_BY_SEEDS][strategy[i]][k - 1][COVERAGE_PAGES] == (double)c.pages);
				assert_true(fabs(f.of[COVERAGE_BY_SEEDS][strategy[i]][k - 1][COVERAGE_VALUE] -
						    (double)c.value / (double)SEED_VALUE_ONE) < 1e-6);
			}
			assert_true(f.of[COVERAGE_BY_HOPS][strategy[i]][4][COVERAGE_PAGES] ==
				f.of[COVERAGE_BY_SEEDS][strategy[i]][4][COVERAGE_PAGES]);
			seed_output_release(&found);
		}
		graph_release(&site.graph);
		free(site.value);
	}
}

/* Host 0 is large and linked to, host 1 large and not, host 2 linked to and small. */
static void sites_are_large_and_linked_to(void **state)
{
	enum { LARGE = COVERAGE_SITE_PAGES, ALL = 3 * LARGE - 1 };
	static const uint32_t from[] = {0, 1, LARGE, LARGE, LARGE + 1};
	static const uint32_t to[] = {1, 2, 0, LARGE + 1, 2 * LARGE};
	uint32_t host[ALL];
	int64_t value[ALL];
	struct coverage_sites sites;
	struct coverage_site site;
	struct graph g;

	(void)state;
	for (uint32_t v = 0; v < ALL; v++) {
		host[v] = v / LARGE;
		value[v] = v;
	}
	graph_from_arcs(&g, ALL, from, to, 5);
	coverage_sites_init(&sites, &g, host, 3, value, NULL);
	assert_int_equal(sites.n, 1);
	coverage_sites_make(&sites, 0, &site);
	assert_int_equal(site.graph.nodes, LARGE);
	assert_int_equal(site.graph.arcs, 2);
	assert_int_equal(site.value[7], 7);
	graph_release(&site.graph);
	free(site.value);
	coverage_sites_release(&sites);
	graph_release(&g);
}

/* Three hosts whose pages take turns: page v is page v / 3 of host v % 3, and links to the next page
 * of its host and to the next host. */
static void sites_may_have_their_pages_anywhere(void **state)
{
	enum { PAGES = COVERAGE_SITE_PAGES, ALL = 3 * PAGES };
	uint32_t host[ALL], from[2 * ALL], to[2 * ALL], arcs = 0;
	struct coverage_sites sites;
	struct graph g;

	(void)state;
	for (uint32_t v = 0; v < ALL; v++) {
		host[v] = v % 3;
		from[arcs] = v;
		to[arcs++] = (v + 3) % ALL;
		from[arcs] = v;
		to[arcs++] = (v + 1) % ALL;
	}
	graph_from_arcs(&g, ALL, from, to, arcs);
	coverage_sites_init(&sites, &g, host, 3, NULL, NULL);
	assert_int_equal(sites.n, 3);
	for (uint32_t i = 0; i < 3; i++) {
		struct coverage_site site;
		coverage_sites_make(&sites, i, &site);
		assert_int_equal(site.graph.nodes, PAGES);
		assert_int_equal(site.graph.arcs, PAGES);
		for (uint32_t k = 0; k < PAGES; k++)
			assert_int_equal(graph_row(&site.graph, k)[0], (k + 1) % PAGES);
		graph_release(&site.graph);
	}
	coverage_sites_release(&sites);
	graph_release(&g);
}

/* Hosts 0 and 1 are alike, but of host 1 one page too few was fetched. */
static void sites_that_were_not_fetched_are_not_judged(void **state)
{
	enum { PAGES = COVERAGE_SITE_PAGES, ALL = 2 * PAGES };
	static const uint32_t from[] = {0, PAGES}, to[] = {PAGES, 0};
	uint32_t host[ALL];
	uint8_t fetched[ALL];
	struct coverage_sites sites;
	struct graph g;

	(void)state;
	for (uint32_t v = 0; v < ALL; v++) {
		host[v] = v / PAGES;
		fetched[v] = v != ALL - 1;
	}
	graph_from_arcs(&g, ALL, from, to, 2);
	coverage_sites_init(&sites, &g, host, 2, NULL, fetched);
	assert_int_equal(sites.n, 1);
	assert_int_equal(sites.site[0], 0);
	coverage_sites_release(&sites);
	graph_release(&g);
}

static void numbers_do_not_depend_on_threads(void **state)
{
	uint64_t numbers[2], seed = 4;

	(void)state;
	for (unsigned threads = 1; threads <= 2; threads++) {
		const struct coverage_study in = {.make = coverage_made_site,
			.ctx = &seed,
			.sites = 6,
			.draws = 3,
			.rng_seed = 4,
			.threads = threads,
			.with_values = 1};
		struct study study = {.tables = 0};
		coverage_study(&in, &study);
		assert_true(study.tables >= 3);
		numbers[threads - 1] = study_fingerprint(&study);
		study_release(&study);
	}
	assert_true(numbers[0] == numbers[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worked_example_has_its_distances),
		cmocka_unit_test(distances_are_those_of_all_pairs),
		cmocka_unit_test(a_correlation_is_that_of_a_line),
		cmocka_unit_test(a_layout_keeps_distances_that_fit),
		cmocka_unit_test(levels_hold_every_page_once),
		cmocka_unit_test(coverage_is_that_of_the_seeds),
		cmocka_unit_test(sites_are_large_and_linked_to),
		cmocka_unit_test(sites_may_have_their_pages_anywhere),
		cmocka_unit_test(sites_that_were_not_fetched_are_not_judged),
		cmocka_unit_test(numbers_do_not_depend_on_threads),
	};

	return cmocka_run_group_tests_name("seeds_study", tests, NULL, NULL);
}
