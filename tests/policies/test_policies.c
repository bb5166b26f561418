/* The contract that every policy of the table keeps on a thousand random graphs; or, with the path of a
 * shared object as its argument, the policy in it. */
#include "tests/policies/policy_run.h"

/* A policy in disguise that checks what the real one touches. */

static const struct policy *inner;

/* those judged: the table, or one and NULL */
static const struct policy *const *judged = policies;

static void crawled_watched(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	const struct policy_view *view = c->view;
	const struct page *page = c->page;
	struct page was[64];
	unsigned char may[64] = {0};
	uint32_t ids = view->ids < 64 ? view->ids : 64;

	memcpy(was, page, ids * sizeof *page);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(view->state[queued[i]], PAGE_QUEUED);
		assert_false(may[queued[i]]); /* distinct */
		may[queued[i]] = 1;
		if (view_is_new(view, page, queued[i]))
			assert_true(page[queued[i]].key == inner->first_key);
	}
	assert_true(n <= outdegree);
	if (inner->crawled)
		inner->crawled(c, u, outdegree, queued, n);
	for (uint32_t v = 0; v < ids; v++) {
		assert_true(page[v].seq == was[v].seq && page[v].slot == was[v].slot);
		if (!may[v])
			assert_true(memcmp(&page[v].key, &was[v].key, sizeof was[v].key) == 0);
	}
}

static void every_policy_keeps_the_contract(void **state)
{
	struct rng rng = {42};

	(void)state;
	for (int round = 0; round < 1000; round++) {
		uint32_t n = 1 + (uint32_t)rng_below(&rng, 40), hosts[40];
		struct graph g;
		random_graph(&g, &rng, n, 1 + (uint32_t)rng_below(&rng, 6));
		for (uint32_t i = 0; i < n; i++)
			hosts[i] = (uint32_t)rng_below(&rng, 5);
		uint64_t batch = 1 + rng_below(&rng, 8);
		for (size_t p = 0; judged[p]; p++) {
			struct policy watched = *judged[p];
			inner = judged[p];
			watched.crawled = crawled_watched;
			struct run a = {.g = &g,
				.policy = judged[p],
				.seeds = {0, n - 1},
				.n_seeds = n > 1 ? 2 : 1,
				.batch = batch,
				.total = round % 4 ? n : 0,
				.rng_seed = 7};
			if (judged[p]->host_key)
				a.host = hosts;
			struct run b = a, c = a;
			b.host = hosts;
			c.policy = &watched;
			run(&a);
			run(&b);
			run(&c);
			assert_int_equal(a.n, b.n);
			assert_int_equal(a.n, c.n);
			assert_memory_equal(a.order, b.order, a.n * sizeof *a.order);
			assert_memory_equal(a.key, b.key, a.n * sizeof *a.key);
			assert_memory_equal(a.order, c.order, a.n * sizeof *a.order);
			assert_memory_equal(a.key, c.key, a.n * sizeof *a.key);
		}
		graph_release(&g);
	}
}

static void every_policy_says_what_it_is(void **state)
{
	(void)state;
	for (size_t p = 0; judged[p]; p++) {
		assert_true(judged[p]->name && *judged[p]->name);
		assert_true(judged[p]->summary && *judged[p]->summary);
		assert_true(judged[p]->source && *judged[p]->source);
		for (const struct opt *o = judged[p]->opts; o && o->name; o++) {
			assert_non_null(o->help);
			assert_true(o->kind == OPT_CHOICE || o->kind == OPT_TEXT || (o->def >= o->min && o->def <= o->max));
		}
	}
}

static void every_policy_is_found_by_its_name(void **state)
{
	(void)state;
	for (size_t p = 0; policies[p]; p++)
		assert_ptr_equal(policy_named(policies[p]->name), policies[p]);
	assert_null(policy_named("spider"));
	assert_string_equal(policy_nearest("icea"), "ieca");
	assert_null(policy_nearest("rhubarb"));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_policy_keeps_the_contract),
		cmocka_unit_test(every_policy_says_what_it_is),
		cmocka_unit_test(every_policy_is_found_by_its_name),
	};
	const struct policy *given[2] = {NULL, NULL};
	struct err_note why;

	if (argc > 1) {
		if (policy_load(argv[1], &given[0], &why)) {
			fprintf(stderr, "%s\n", why.text);
			return 2;
		}
		judged = given;
	}
	return cmocka_run_group_tests_name("policies", tests, NULL, NULL);
}
