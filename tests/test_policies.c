/* The policies' orders and keys on the worked example, and the contract that every policy of the
 * table keeps on a thousand random graphs. */
#include "tests/test.h"

#include "crawler/crawl.h"
#include "crawler/graph_source.h"
#include "graph/pagerank.h"
#include "policies/policies.h"
#include "tests/graphs.h"
#include "tests/slow_policies.h"

#include <math.h>

struct run {
	const struct graph *g;
	const uint32_t *host;
	const struct policy *policy;
	const double *score; /* for static */
	const char *opts[4];
	uint32_t seeds[4];
	size_t n_seeds;
	uint64_t batch, total;
	uint64_t rng_seed;
	/* out */
	struct frontier *f;
	uint32_t order[400], n;
	double key[400];
};

/* What the policy is told of the whole graph; NULL for one that asks for nothing. */
static double *oracle_of(const struct run *r)
{
	uint32_t n = r->g->nodes;
	double *oracle = mem_zero(n, sizeof *oracle);
	struct graph reverse;

	graph_transpose(r->g, &reverse, 1);
	if (r->policy->oracle == POLICY_TRUE_RANK) {
		struct pagerank p = PAGERANK_DEFAULT;
		p.tolerance = 1e-13;
		pagerank(r->g, &reverse, &p, oracle);
		for (uint32_t v = 0; v < n; v++)
			oracle[v] = (double)pagerank_key(oracle[v], n);
	} else if (r->policy->oracle == POLICY_TRUE_INDEGREE) {
		for (uint32_t v = 0; v < n; v++)
			for (uint32_t i = 0; i < graph_outdegree(&reverse, v); i++)
				oracle[v] += graph_row(&reverse, v)[i] != v;
	} else if (r->policy->oracle == POLICY_SCORES && r->score) {
		memcpy(oracle, r->score, n * sizeof *oracle);
	}
	graph_release(&reverse);
	if (r->policy->oracle)
		return oracle;
	free(oracle);
	return NULL;
}

/* The key that a queued page stands under: its own, or its host's. */
static double standing(const struct run *r, uint32_t page)
{
	uint64_t pending = 0;

	if (!r->policy->host_key)
		return frontier_pages(r->f)[page].key;
	for (uint32_t v = 0; v < r->g->nodes; v++)
		pending += frontier_state(r->f, v) == PAGE_QUEUED && r->host[v] == r->host[page];
	return (double)pending;
}

/* Whether the page taken stood before another that is queued. */
static int before(const struct run *r, uint32_t taken, double key, uint32_t other)
{
	const struct page *page = frontier_pages(r->f);
	double others = standing(r, other);

	if (r->policy->host_key && r->host[taken] == r->host[other])
		others += 1; /* the page that was taken */
	if (key != others)
		return r->policy->order == POLICY_LOWEST_FIRST ? key < others : key > others;
	return page[taken].seq < page[other].seq;
}

/* Each pop is the best of all queued pages by a linear scan, and no key is infinite or NaN. */
static int check_pop(void *ctx, uint32_t id, double key, struct err_note *why)
{
	struct run *r = ctx;
	const struct page *page = frontier_pages(r->f);

	(void)why;
	for (uint32_t v = 0; v < frontier_ids(r->f); v++) {
		if (frontier_state(r->f, v) != PAGE_QUEUED)
			continue;
		assert_true(isfinite(page[v].key));
		assert_true(before(r, id, key, v));
	}
	assert_true(r->n < 400);
	r->key[r->n] = key;
	r->order[r->n++] = id;
	return 0;
}

static void run(struct run *r)
{
	struct source *source = graph_source_new(r->g, r->host, NULL);
	double *oracle = oracle_of(r);
	struct opt_set opts;
	struct frontier_world world;
	struct err_note why;

	opt_init(&opts, r->policy->opts, r->policy->name);
	for (size_t i = 0; i < 4 && r->opts[i]; i++)
		assert_int_equal(opt_give(&opts, r->opts[i], &why), 0);
	for (const struct opt *o = r->policy->opts; o && o->name; o++)
		if (strcmp(o->name, "tol") == 0)
			assert_int_equal(opt_give(&opts, "tol=1e-13", &why), 0);
	struct frontier_settings s = {.policy = r->policy,
		.opts = &opts,
		.oracle = oracle,
		.batch = r->batch,
		.total = r->total,
		.rng_seed = r->rng_seed,
		.ids = r->g->nodes,
		.per_host = 1};
	source->ops->world(source, &world);
	assert_int_equal(frontier_new(&r->f, &s, &world, &why), 0);
	assert_int_equal(frontier_seed(r->f, r->seeds, r->n_seeds), r->n_seeds);
	struct observer o = {r, check_pop, NULL, NULL};
	struct crawl c = {.frontier = r->f, .source = source, .observers = &o, .n_observers = 1};
	r->n = 0;
	assert_int_equal(crawl_run(&c, &why), 0);
	frontier_free(r->f);
	source->ops->close(source);
	opt_release(&opts);
	free(oracle);
}

static const struct {
	const char *policy, *opt;
	int seeds; /* 1: {0}; 2: {3, 1} */
	uint64_t batch;
	uint32_t order[12];
} worked[] = {
	{"bfs", NULL, 1, 3, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
	{"bfs", NULL, 2, 2, {3, 1, 9, 0, 4, 5, 8, 10, 2, 11, 6, 7}},
	{"dfs", NULL, 1, 3, {0, 3, 9, 10, 11, 8, 5, 2, 7, 6, 1, 4}},
	{"dfs", NULL, 2, 2, {1, 5, 4, 10, 11, 0, 2, 8, 7, 6, 3, 9}},
	{"random", NULL, 1, 3, {0, 3, 9, 1, 4, 10, 5, 8, 11, 2, 6, 7}},
	{"random", NULL, 2, 2, {3, 1, 4, 0, 2, 5, 6, 8, 10, 11, 7, 9}},
	{"backlink", NULL, 1, 3, {0, 1, 2, 5, 3, 4, 6, 7, 8, 9, 10, 11}},
	{"backlink", NULL, 2, 2, {3, 1, 9, 0, 5, 4, 10, 8, 11, 2, 6, 7}},
	{"batch-pagerank", NULL, 1, 3, {0, 1, 2, 5, 3, 4, 9, 10, 6, 8, 7, 11}},
	{"batch-pagerank", NULL, 2, 2, {3, 1, 9, 0, 5, 8, 2, 10, 11, 4, 6, 7}},
	{"partial-pagerank", NULL, 1, 3, {0, 1, 2, 5, 3, 4, 9, 10, 6, 8, 7, 11}},
	{"partial-pagerank", NULL, 2, 2, {3, 1, 9, 0, 5, 8, 2, 10, 11, 4, 6, 7}},
	{"opic", NULL, 1, 3, {0, 1, 4, 5, 10, 11, 2, 3, 9, 8, 6, 7}},
	{"opic", NULL, 2, 2, {3, 9, 5, 0, 1, 2, 8, 11, 10, 4, 6, 7}},
	{"opic", "c0=0", 1, 3, {0, 1, 2, 3, 9, 5, 8, 4, 10, 11, 6, 7}},
	{"fica", NULL, 1, 3, {0, 1, 2, 3, 9, 10, 11, 5, 8, 4, 6, 7}},
	{"fica", "update=avg", 1, 3, {0, 1, 2, 3, 9, 10, 11, 5, 8, 4, 6, 7}},
	{"fica", NULL, 2, 2, {3, 1, 9, 0, 4, 5, 8, 10, 11, 2, 6, 7}},
	{"ieca", NULL, 1, 3, {0, 1, 2, 3, 9, 8, 5, 11, 10, 4, 6, 7}},
	{"ieca", NULL, 2, 2, {3, 9, 1, 5, 0, 8, 10, 11, 2, 4, 6, 7}},
	{"ieca", NULL, 1, 1, {0, 1, 2, 3, 9, 5, 8, 11, 10, 4, 6, 7}},
	{"ieca", NULL, 1, 12, {0, 1, 2, 5, 3, 9, 8, 11, 10, 4, 6, 7}},
	{"largest-site", NULL, 1, 3, {0, 1, 2, 6, 4, 7, 3, 10, 9, 5, 8, 11}},
	{"largest-site", NULL, 2, 2, {3, 1, 4, 9, 0, 5, 10, 8, 2, 6, 11, 7}},
	{"rankmass", NULL, 1, 3, {0, 1, 2, 3, 9, 5, 4, 8, 10, 6, 11, 7}},
	{"rankmass", NULL, 2, 2, {3, 1, 9, 0, 5, 4, 10, 8, 11, 2, 6, 7}},
	{"omniscient", NULL, 1, 3, {0, 1, 5, 2, 6, 3, 9, 7, 8, 11, 10, 4}},
	{"omniscient", NULL, 2, 2, {3, 9, 5, 0, 1, 2, 6, 7, 8, 11, 10, 4}},
	{"indegree-oracle", NULL, 1, 3, {0, 1, 5, 2, 6, 7, 8, 11, 3, 4, 10, 9}},
	{"indegree-oracle", NULL, 2, 2, {3, 1, 5, 0, 9, 8, 10, 11, 4, 2, 6, 7}},
};

static void worked_orders_come_out(void **state)
{
	struct graph g;

	(void)state;
	g12(&g);
	for (size_t i = 0; i < sizeof worked / sizeof *worked; i++) {
		struct run r = {.g = &g,
			.host = g12_hosts,
			.policy = policy_named(worked[i].policy),
			.opts = {worked[i].opt},
			.batch = worked[i].batch,
			.total = 12,
			.rng_seed = 1};
		r.seeds[0] = worked[i].seeds == 1 ? 0 : 3;
		r.seeds[1] = 1;
		r.n_seeds = worked[i].seeds == 1 ? 1 : 2;
		run(&r);
		assert_int_equal(r.n, 12);
		assert_memory_equal(r.order, worked[i].order, sizeof worked[i].order);
	}
	graph_release(&g);
}

static const struct {
	const char *policy;
	double key[12]; /* in crawl order, seeds {0}, batch 3 */
} keys[] = {
	{"ieca", {.3, .6721212547196624, .6721212547196624, .6721212547196624, .4839273033981569,
			 .5139471962708673, .530199447937472, .7070482807179663, .8255489131663354,
			 .914000070287443, 1.0859872947261193, 1.028872279704153}},
	{"fica", {0, .47712125471966244, .47712125471966244, .47712125471966244, .23856062735983122,
			 .596401568399578, .5992307798637702, .35547118832302593, .6196420837898104,
			 .7156818820794937, .8406206186877936, .7522555889450813}},
	{"opic", {1, 1 + 1. / 3, 1 + 4. / 9, 1 + 1. / 3 / 3 + 1 + 1. / 18, 1.7222222222222223,
			 1.8611111111111112, 1 + 1. / 3, 1 + 1. / 3, 1 + 4. / 3, 2 + 1. / 9,
			 1 + 1. / 3, 2}},
	{"largest-site", {1, 3, 2, 3, 2, 2, 1, 2, 2, 1, 1, 1}},
};

static void worked_keys_come_out(void **state)
{
	struct graph g;

	(void)state;
	g12(&g);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct run r = {.g = &g,
			.host = g12_hosts,
			.policy = policy_named(keys[i].policy),
			.seeds = {0},
			.n_seeds = 1,
			.batch = 3,
			.total = 12};
		run(&r);
		for (size_t k = 0; k < 12; k++)
			if (fabs(r.key[k] - keys[i].key[k]) > 1e-15 * 4)
				fail_msg("%s: key %zu is %.17g, not %.17g", keys[i].policy, k,
					r.key[k], keys[i].key[k]);
	}
	graph_release(&g);
}

/* The values of Partial PageRank as printed; its keys are them times the pages seen at the last
 * reranking. */
static void worked_partial_values_come_out(void **state)
{
	static const double value[] = {1, .333333, .333333, .13472222, .11111111, .11111111,
		.11945115, .07181845, .06194499, .06893436, .06062641, .05650959};
	static const double seen[] = {1, 1, 1, 9, 9, 9, 11, 11, 11, 12, 12, 12};
	struct graph g;

	(void)state;
	g12(&g);
	struct run r = {.g = &g,
		.policy = &policy_partial_pagerank,
		.seeds = {0},
		.n_seeds = 1,
		.batch = 3,
		.total = 12};
	run(&r);
	for (size_t i = 0; i < 12; i++)
		assert_true(fabs(r.key[i] / 1e8 / seen[i] - value[i]) < 5e-7);
	graph_release(&g);
}

/* A hub with a chain of 60 pages of one link each, whose end finds page 2 of the hub again: its
 * distance turns negative, LF reaches its clamp, and what page 2 links to turns negative too. */
static void ieca_survives_the_trap(void **state)
{
	static const uint32_t rest[][2] = {{70, 2}, {2, 3}, {2, 4}, {2, 71}, {3, 4}, {3, 5}, {4, 5},
		{4, 6}, {5, 6}, {5, 7}, {6, 7}, {6, 0}, {71, 72}, {71, 8}};
	uint32_t from[84], to[84], n = 0;
	struct graph g;

	(void)state;
	for (uint32_t v = 1; v <= 10; v++, n++) {
		from[n] = 0;
		to[n] = v;
	}
	for (uint32_t v = 11; v <= 70; v++, n++) {
		from[n] = v == 11 ? 1 : v - 1;
		to[n] = v;
	}
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++, n++) {
		from[n] = rest[i][0];
		to[n] = rest[i][1];
	}
	assert_int_equal(n, 84);
	graph_from_arcs(&g, 73, from, to, n);
	struct run r = {.g = &g,
		.policy = &policy_ieca,
		.seeds = {0},
		.n_seeds = 1,
		.batch = 73,
		.total = 73};
	run(&r);
	assert_int_equal(r.n, 73);
	for (uint32_t i = 0; i < r.n; i++) {
		assert_true(r.key[i] > -9 && r.key[i] < 9);
		if (r.order[i] == 2)
			assert_true(fabs(r.key[i] + 3.1499999999969939) < 1e-14);
		if (r.order[i] == 71)
			assert_true(r.key[i] < 0);
	}
	graph_release(&g);
}

/* The corner cases: duplicates of seeds are the seed reader's; self-loops, no links, batch 1. */
static void corner_case_of_four_pages(void **state)
{
	static const uint32_t from[] = {0, 0, 1, 2}, to[] = {0, 1, 1, 3};
	static const struct {
		const char *policy;
		uint32_t order[4];
	} want[] = {{"bfs", {2, 0, 3, 1}}, {"ieca", {2, 3, 0, 1}}, {"opic", {2, 3, 0, 1}},
		{"fica", {2, 0, 3, 1}}, {"omniscient", {0, 1, 2, 3}}};
	struct graph g;

	(void)state;
	graph_from_arcs(&g, 4, from, to, 4);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct run r = {.g = &g,
			.policy = policy_named(want[i].policy),
			.seeds = {2, 0},
			.n_seeds = 2,
			.batch = 1,
			.total = 4};
		run(&r);
		assert_int_equal(r.n, 4);
		assert_memory_equal(r.order, want[i].order, sizeof want[i].order);
	}
	graph_release(&g);
}

/* --- the contract: a policy in disguise that checks what the real one touches */

static const struct policy *inner;

static void crawled_watched(void *state, const struct policy_view *view, uint32_t u,
	size_t outdegree, const uint32_t *queued, size_t n, struct page *page)
{
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
		inner->crawled(state, view, u, outdegree, queued, n, page);
	for (uint32_t v = 0; v < ids; v++) {
		assert_true(page[v].seq == was[v].seq && page[v].place == was[v].place);
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
		for (size_t p = 0; policies[p]; p++) {
			struct policy watched = *policies[p];
			inner = policies[p];
			watched.crawled = crawled_watched;
			struct run a = {.g = &g,
				.policy = policies[p],
				.seeds = {0, n - 1},
				.n_seeds = n > 1 ? 2 : 1,
				.batch = batch,
				.total = round % 4 ? n : 0,
				.rng_seed = 7};
			if (policies[p]->host_key)
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

/* --- the second method */

static void compare_with_slow(
	const struct graph *g, const uint32_t *hosts, struct rng *rng, uint64_t batch)
{
	uint32_t n = g->nodes, seeds[4];
	double *score = mem_new(n, sizeof *score);
	size_t n_seeds = 1 + rng_below(rng, n < 4 ? n : 4);

	rng_sample(rng, n, (uint32_t)n_seeds, seeds);
	for (uint32_t v = 0; v < n; v++)
		score[v] = (double)rng_below(rng, 5);
	for (size_t p = 0; policies[p]; p++) {
		struct slow s = {.g = g,
			.host = hosts,
			.score = score,
			.policy = policies[p]->name,
			.seeds = seeds,
			.n_seeds = n_seeds,
			.batch = batch,
			.total = n,
			.rng_seed = 9};
		struct run r = {.g = g,
			.host = hosts,
			.score = score,
			.policy = policies[p],
			.n_seeds = n_seeds,
			.batch = batch,
			.total = n,
			.rng_seed = 9};
		memcpy(r.seeds, seeds, sizeof seeds);
		slow_crawl(&s);
		run(&r);
		assert_int_equal(r.n, s.n);
		for (uint32_t i = 0; i < s.n; i++)
			if (r.order[i] != s.order[i] || r.key[i] != s.key[i])
				fail_msg(
					"%s, %u pages, batch %u: page %u of the order is %u (%.17g), not %u (%.17g)",
					s.policy, n, (unsigned)batch, i, r.order[i], r.key[i],
					s.order[i], s.key[i]);
		slow_release(&s);
	}
	free(score);
}

static void every_policy_agrees_with_its_definition(void **state)
{
	struct rng rng = {77};

	(void)state;
	for (int round = 0; round < 300; round++) {
		uint32_t n = round < 296 ? 1 + (uint32_t)rng_below(&rng, 40) : 300, hosts[300];
		struct graph g;
		random_graph(&g, &rng, n, 1 + (uint32_t)rng_below(&rng, 6));
		for (uint32_t i = 0; i < n; i++)
			hosts[i] = (uint32_t)rng_below(&rng, 6);
		compare_with_slow(&g, hosts, &rng, n == 300 ? 8 : 1 + rng_below(&rng, n + 3));
		graph_release(&g);
	}
}

static void every_policy_says_what_it_is(void **state)
{
	(void)state;
	for (size_t p = 0; policies[p]; p++) {
		assert_true(policies[p]->name && *policies[p]->name);
		assert_true(policies[p]->summary && *policies[p]->summary);
		assert_true(policies[p]->source && *policies[p]->source);
		assert_ptr_equal(policy_named(policies[p]->name), policies[p]);
		for (const struct opt *o = policies[p]->opts; o && o->name; o++) {
			assert_non_null(o->help);
			assert_true(o->kind == OPT_CHOICE || o->kind == OPT_TEXT ||
				    (o->def >= o->min && o->def <= o->max));
		}
	}
	assert_null(policy_named("spider"));
	assert_string_equal(policy_nearest("icea"), "ieca");
	assert_null(policy_nearest("rhubarb"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worked_orders_come_out),
		cmocka_unit_test(worked_keys_come_out),
		cmocka_unit_test(worked_partial_values_come_out),
		cmocka_unit_test(ieca_survives_the_trap),
		cmocka_unit_test(corner_case_of_four_pages),
		cmocka_unit_test(every_policy_keeps_the_contract),
		cmocka_unit_test(every_policy_agrees_with_its_definition),
		cmocka_unit_test(every_policy_says_what_it_is),
	};

	return cmocka_run_group_tests_name("policies", tests, NULL, NULL);
}
