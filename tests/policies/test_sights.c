/* What policies see beside links and counts: how pages were found, in which order they were crawled, hosts, URLs and kinds;
 * and that nothing is kept which no policy asked for. */
#include "tests/policies/policy_run.h"

/* Finds the place of v among the links of u by a scan; POLICY_NO_PAGE if u does not link to v. */
static uint32_t place_of(const struct policy_view *view, uint32_t u, uint32_t v)
{
	const uint32_t *row;
	const size_t n = view_links(view, u, &row);

	for (size_t i = 0; i < n; i++)
		if (row[i] == v)
			return (uint32_t)i;
	return POLICY_NO_PAGE;
}

/* The first page of the order that links to v is the finder of v, unless v is a seed. */
static void check_page(const struct policy_view *view, uint32_t v)
{
	const struct policy_found *f = &view->found[v];

	assert_int_equal(f->kind, 0);
	if (f->finder == POLICY_NO_PAGE) {
		assert_true(f->when == 0 && f->depth == 0 && f->link == 0);
		return;
	}
	assert_in_range(f->when, 1, view->crawled);
	assert_int_equal(view->order[f->when - 1], f->finder);
	for (uint32_t i = 0; i + 1 < f->when; i++)
		assert_int_equal(place_of(view, view->order[i], v), POLICY_NO_PAGE);
	assert_int_equal(f->link, place_of(view, f->finder, v));
	assert_int_equal(f->depth, view->found[f->finder].depth + 1);
}

static void check(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	const struct policy_view *view = c->view;

	(void)outdegree;
	assert_int_equal(view->sees, POLICY_SEES_FINDERS | POLICY_SEES_ORDER);
	assert_int_equal(view->order[view->crawled - 1], u);
	assert_null(view->host);
	check_page(view, u);
	for (size_t i = 0; i < n; i++) {
		check_page(view, queued[i]);
		c->page[queued[i]].key = (double)((queued[i] * 7919u) % 101);
	}
}

static void check_none(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	size_t length;

	(void)outdegree;
	assert_true(!c->view->sees && !c->view->found && !c->view->order && !c->view->host);
	assert_null(view_url(c->view, u, &length));
	for (size_t i = 0; i < n; i++)
		c->page[queued[i]].key = (double)((queued[i] * 7919u) % 101);
}

static const struct policy witness = {.name = "witness",
	.summary = "",
	.source = "",
	.needs = POLICY_SEES_FINDERS,
	.wants = POLICY_SEES_ORDER | POLICY_SEES_URLS | POLICY_SEES_KINDS,
	.crawled = check};
static const struct policy blind = {.name = "blind", .summary = "", .source = "", .crawled = check_none};
static void crawl(const struct policy *p)
{
	struct rng rng = {11};

	for (int i = 0; i < 60; i++) {
		struct graph g;
		random_graph(&g, &rng, 2 + (uint32_t)rng_below(&rng, 120), 1 + (uint32_t)rng_below(&rng, 5));
		struct run r = {.g = &g, .policy = p, .n_seeds = g.nodes > 9 ? 2 : 1, .seeds = {1, 0}, .batch = 5};
		run(&r);
		graph_release(&g);
	}
}

static void a_policy_sees_how_pages_were_found_and_the_order(void **state)
{
	(void)state;
	crawl(&witness);
}

static void the_policies_of_a_chain_see_what_each_asks_for(void **state)
{
	const struct policy_turn turns[] = {{&blind, 20, 0}, {&witness, 40, 0}, {&blind, 0, 0}};
	const struct policy chain = {.name = "chain", .plan = {turns, 3}};

	(void)state;
	crawl(&chain);
}

static void a_policy_that_asks_for_nothing_costs_nothing(void **state)
{
	const struct frontier_settings s = {.policy = &blind, .opts = &(struct opt_set){0}, .batch = 1, .ids = 9, .per_host = 1};
	struct frontier *f;

	(void)state;
	crawl(&blind);
	assert_int_equal(frontier_new(&f, &s, &(struct frontier_world){0}, NULL), 0);
	assert_true(!f->pages.found && !f->pages.order);
	frontier_free(f);
}

static void a_need_that_the_world_cannot_give_is_refused(void **state)
{
	static const struct {
		unsigned need;
		const char *words;
	} rows[] = {{POLICY_SEES_HOSTS, "the hosts of pages"}, {POLICY_SEES_URLS, "the URLs of pages"},
		{POLICY_SEES_KINDS, "the kinds of links"}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const struct policy p = {.name = "needy", .needs = rows[i].need};
		const struct policy_turn turns[] = {{&blind, 20, 0}, {&p, 0, 0}};
		const struct policy chain = {.name = "chain", .plan = {turns, 2}};
		struct frontier_settings s = {.policy = &p, .opts = &(struct opt_set){0}, .batch = 1, .per_host = 1};
		struct frontier *f;
		struct err_note why;
		assert_int_equal(frontier_new(&f, &s, &(struct frontier_world){0}, &why), ERR_USAGE);
		assert_non_null(strstr(why.text, rows[i].words));
		s.policy = &chain;
		assert_int_equal(frontier_new(&f, &s, &(struct frontier_world){0}, &why), ERR_USAGE);
		assert_non_null(strstr(why.text, "'needy'"));
	}
}

/* A witness of events that no graph has. */
static void keep(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	(void)c, (void)u, (void)outdegree, (void)queued, (void)n;
}

static const struct policy keeper = {.name = "keeper", .needs = POLICY_SEES_FINDERS | POLICY_SEES_KINDS, .crawled = keep};

static void assert_found(const struct frontier *f, uint32_t id, struct policy_found want)
{
	assert_memory_equal(&f->lead->view.found[id], &want, sizeof want);
}

static void redirects_and_later_seeds_keep_how_a_page_was_found(void **state)
{
	const struct frontier_settings s = {.policy = &keeper, .opts = &(struct opt_set){0}, .batch = 1, .ids = 2, .per_host = 1};
	const uint8_t kinds[] = {0x82, 1};
	struct frontier *f;
	uint32_t id;

	(void)state;
	assert_int_equal(frontier_new(&f, &s, &(struct frontier_world){.has_kinds = 1}, NULL), 0);
	frontier_seed(f, (const uint32_t[]){3}, 1);
	assert_true(frontier_take(f, 0, &id));
	const struct frontier_end end = {.state = PAGE_CRAWLED, .links = (const uint32_t[]){5, 2000}, .kinds = kinds, .n_links = 2};
	assert_int_equal(frontier_ended(f, 3, &end), 0);
	const struct policy_found first = {3, 0, 1, 1, 0x82, 0}, second = {3, 1, 1, 1, 1, 0};
	assert_found(f, 5, first);
	assert_found(f, 2000, second);
	assert_true(frontier_take(f, 0, &id) && id == 5);
	end_as(f, 5, (struct frontier_end){.state = PAGE_REDIRECTED, .target = 7});
	assert_found(f, 7, first);
	assert_true(frontier_take(f, 0, &id) && id == 7);
	end_failed(f, 7, 0);
	frontier_seed(f, (const uint32_t[]){7, 9}, 2); /* tried once more, and a new seed */
	assert_found(f, 7, first);
	assert_found(f, 9, (struct policy_found){POLICY_NO_PAGE, 0, 1, 0, 0, 0});
	frontier_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_policy_sees_how_pages_were_found_and_the_order),
		cmocka_unit_test(the_policies_of_a_chain_see_what_each_asks_for),
		cmocka_unit_test(a_policy_that_asks_for_nothing_costs_nothing),
		cmocka_unit_test(a_need_that_the_world_cannot_give_is_refused),
		cmocka_unit_test(redirects_and_later_seeds_keep_how_a_page_was_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
