/* Shares of a budget, and methods run site by site. */
#include "tests/seeds/seeding.h"

#include "base/mem.h"
#include "seeds/per_site.h"
#include "tests/graph/shapes.h"

static void shares_are_hamiltons(void **state)
{
	static const struct {
		uint64_t budget, importance[5], want[5];
		uint32_t rank[5];
	} cases[] = {
		{10, {50, 30, 15, 5}, {5, 3, 2, 0}, {0, 1, 2, 3, 4}},
		{10, {50, 30, 5, 15}, {5, 3, 0, 2}, {0, 1, 3, 2, 4}},
		{10, {50, 30, 15, 5}, {5, 3, 1, 1}, {0, 1, 3, 2, 4}},
		{0, {1, 2, 3}, {0}, {0, 1, 2, 3, 4}},
		{7, {0, 0, 0}, {0}, {0, 1, 2, 3, 4}},
		{2, {1, 1, 1, 1, 1}, {0, 1, 0, 1, 0}, {4, 0, 3, 1, 2}},
		{1000000000000, {3, 1}, {750000000000, 250000000000}, {0, 1, 2, 3, 4}},
	};
	uint64_t share[5];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		allocate(cases[i].budget, cases[i].importance, cases[i].rank, 5, share);
		assert_memory_equal(share, cases[i].want, sizeof share);
	}
}

static void shares_sum_up_and_are_within_one_of_the_quota(void **state)
{
	enum { N = 40 };
	struct rng r = {71};
	uint64_t importance[N], share[N];
	uint32_t rank[N];

	(void)state;
	rng_sample(&r, N, N, rank);
	for (unsigned round = 0; round < 200; round++) {
		const uint64_t budget = rng_below(&r, 300);
		uint64_t all = 1, given = 0;
		importance[0] = 1;
		for (size_t i = 1; i < N; i++)
			all += importance[i] = rng_below(&r, 1 + round);
		allocate(budget, importance, rank, N, share);
		for (size_t i = 0; i < N; i++) {
			const double quota = (double)budget * (double)importance[i] / (double)all;
			assert_true((double)share[i] > quota - 1 && (double)share[i] < quota + 1);
			given += share[i];
		}
		assert_int_equal(given, budget);
	}
}

/* Two cycles and a star, linked with one another, which does not matter. */
static void each_site_is_a_graph_of_its_own(void **state)
{
	static const uint32_t from[] = {0, 2, 4, 1, 3, 5, 5, 5, 7, 0, 0, 0, 0}, to[] = {2, 4, 0, 3, 1, 6, 8, 9, 5, 1, 3, 5, 6},
			      host[] = {1, 0, 1, 0, 1, 2, 2, 2, 2, 2}, rank[] = {0, 1, 2};
	/* shares of 5 for 2, 3 and 5 pages: 1, 1.5, 2.5, by rank 1, 2, 2 */
	static const uint32_t want[] = {5, 0, 1, 6, 2};
	struct opt_set opts;
	struct graph g;

	(void)state;
	graph_from_arcs(&g, 10, from, to, 13);
	opt_init(&opts, seed_method_maxout.opts, "maxout");
	assert_int_equal(opt_give(&opts, "hops=0", NULL), 0);
	for (unsigned threads = 1; threads < 4; threads++) {
		struct seed_input in = {.graph = &g, .host = host, .threads = threads, .opts = &opts};
		struct seed_output out = {0};
		assert_int_equal(seeds_per_site(&seed_method_maxout, &in, 3, rank, 5, &out, NULL), 0);
		assert_int_equal(out.n, 5);
		assert_memory_equal(out.seed, want, sizeof want);
		seed_output_release(&out);
	}
	opt_release(&opts);
	graph_release(&g);
}

/* With one site it is the method itself, whatever the method. */
static void one_site_is_the_whole(void **state)
{
	enum { N = 120 };
	static const uint32_t host[N] = {0}, rank[] = {0};
	struct rng r = {72};
	int64_t value[N];
	struct graph g;

	(void)state;
	shape_random(&g, N, 300, 0, &r);
	for (uint32_t v = 0; v < N; v++)
		value[v] = (int64_t)rng_below(&r, 7) - 1;
	for (size_t m = 1; seed_methods[m]; m++) { /* all but hits */
		struct seeding s = {.g = &g, .method = seed_methods[m], .value = value, .k = 20, .rng_seed = 4};
		struct seed_output whole, out = {0};
		struct opt_set opts;
		opt_init(&opts, seed_methods[m]->opts, "");
		struct seed_input in = {.graph = &g, .host = host, .value = value, .threads = 2, .rng_seed = 4, .opts = &opts};
		assert_int_equal(seeding_run(&s, &whole), 0);
		assert_int_equal(seeds_per_site(seed_methods[m], &in, 1, rank, 20, &out, NULL), 0);
		assert_int_equal(out.n, whole.n);
		assert_memory_equal(out.seed, whole.seed, out.n * sizeof *out.seed);
		seed_output_release(&whole);
		seed_output_release(&out);
		opt_release(&opts);
	}
	graph_release(&g);
}

static void more_seeds_than_pages_are_all_pages(void **state)
{
	static const uint32_t host[] = {0, 1, 1, 3, 3, 3}, rank[] = {3, 2, 1, 0};
	struct seed_input in = {.host = host, .threads = 1, .rng_seed = 1};
	struct seed_output out = {0};
	struct graph g;

	(void)state;
	shape_empty(&g, 6);
	in.graph = &g;
	assert_int_equal(seeds_per_site(&seed_method_random, &in, 4, rank, 99, &out, NULL), 0);
	assert_int_equal(out.n, 6);
	assert_in_range(out.seed[0], 3, 5);
	assert_in_range(out.seed[1], 1, 2);
	assert_int_equal(out.seed[2], 0);
	seed_output_release(&out);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_hamiltons),
		cmocka_unit_test(shares_sum_up_and_are_within_one_of_the_quota),
		cmocka_unit_test(each_site_is_a_graph_of_its_own),
		cmocka_unit_test(one_site_is_the_whole),
		cmocka_unit_test(more_seeds_than_pages_are_all_pages),
	};

	return cmocka_run_group_tests_name("per_site", tests, NULL, NULL);
}
