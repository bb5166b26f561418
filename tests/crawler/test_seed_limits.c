/* Pages that may be no seeds, and searches that go on until there are enough. */
#include "tests/seeds/seeding.h"

#include "tests/graph/graphs.h"

static void same_seeds(const struct seed_output *out, const uint32_t *want, size_t n)
{
	assert_int_equal(out->n, n);
	assert_memory_equal(out->seed, want, n * sizeof *want);
}

/* Rankings go on with the next, and cores with the next hub or none at all. */
static void barred_pages_are_no_seeds_but_lead_to_others(void **state)
{
	static const uint32_t h14_want[] = {1};
	uint8_t h14_barred[14] = {[0] = 1, [7] = 1, [8] = 1};
	struct rng r = {37};
	struct graph g;
	struct seeding hits = {.g = &g, .method = &seed_method_hits, .host = h14_host, .barred = h14_barred, .k = 9};
	struct seed_output out;

	(void)state;
	h14(&g);
	assert_int_equal(seeding_run(&hits, &out), 0);
	same_seeds(&out, h14_want, 1);
	assert_int_equal(out.cores, 1);
	seed_output_release(&out);
	graph_release(&g);
	for (unsigned round = 0; round < 12; round++) {
		uint8_t barred[80];
		random_graph(&g, &r, 80, 1 + round % 3);
		for (uint32_t v = 0; v < 80; v++)
			barred[v] = rng_below(&r, 3) == 0;
		for (size_t m = 0; seed_methods[m]; m++) {
			struct seeding s = {.g = &g,
				.method = seed_methods[m],
				.opts = {"hops=1", "site=page"},
				.barred = barred,
				.k = 80};
			assert_int_equal(seeding_run(&s, &out), 0);
			for (size_t i = 0; i < out.n; i++)
				assert_false(barred[out.seed[i]]);
			seed_output_release(&out);
		}
		graph_release(&g);
	}
}

static void barred_pages_leave_the_order_of_a_ranking_as_it_is(void **state)
{
	static const char *const names[] = {"random", "pagerank", "outdegree"};
	uint8_t barred[60];
	struct rng r = {38};
	struct graph g;

	(void)state;
	random_graph(&g, &r, 60, 3);
	for (uint32_t v = 0; v < 60; v++)
		barred[v] = v % 4 == 1;
	for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
		struct seeding s = {.g = &g, .method = seed_method_named(names[m]), .k = 60};
		struct seed_output all, out;
		uint32_t want[60];
		size_t n = 0;
		assert_int_equal(seeding_run(&s, &all), 0);
		for (size_t i = 0; i < all.n; i++)
			if (!barred[all.seed[i]])
				want[n++] = all.seed[i];
		s.barred = barred;
		s.k = 20;
		assert_int_equal(seeding_run(&s, &out), 0);
		same_seeds(&out, want, 20);
		seed_output_release(&out);
		seed_output_release(&all);
	}
	graph_release(&g);
}

/* Whether there are as many seeds with an even number as ctx says. */
static int evens_are_enough(void *ctx, const struct seed_output *out)
{
	size_t n = 0;

	for (size_t i = 0; i < out->n; i++)
		n += out->seed[i] % 2 == 0;
	return n >= *(const size_t *)ctx;
}

static void seeds_are_found_until_there_are_enough(void **state)
{
	struct rng r = {39};
	size_t wanted = 4;
	struct graph g;

	(void)state;
	random_graph(&g, &r, 90, 2);
	for (size_t m = 0; seed_methods[m]; m++) {
		struct seeding s = {.g = &g, .method = seed_methods[m], .opts = {"hops=1", "site=page"}, .k = 90};
		struct seed_output all, out;
		size_t n = 0;
		assert_int_equal(seeding_run(&s, &all), 0);
		for (struct seed_output part = all; n < all.n; n++) {
			part.n = n;
			if (evens_are_enough(&wanted, &part))
				break;
		}
		s.k = 0;
		s.enough = evens_are_enough;
		s.ctx = &wanted;
		assert_int_equal(seeding_run(&s, &out), 0);
		assert_true(n > 0);
		same_seeds(&out, all.seed, n);
		seed_output_release(&out);
		seed_output_release(&all);
	}
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(barred_pages_are_no_seeds_but_lead_to_others),
		cmocka_unit_test(barred_pages_leave_the_order_of_a_ranking_as_it_is),
		cmocka_unit_test(seeds_are_found_until_there_are_enough),
	};

	return cmocka_run_group_tests_name("seed_limits", tests, NULL, NULL);
}
