/* The policies' orders and keys: the worked example, and a slow second method on random graphs. */
#include "lab/study/replay.h"
#include "tests/policies/policy_run.h"
#include "tests/policies/slow_policies.h"

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
	{"ieca", "form=10", 2, 2, {3, 9, 1, 5, 0, 8, 10, 11, 2, 4, 6, 7}},
	{"ieca", "form=9", 2, 2, {3, 9, 1, 5, 0, 2, 10, 4, 11, 8, 6, 7}},
	{"ieca", "form=7", 2, 2, {3, 9, 1, 5, 0, 2, 10, 11, 4, 8, 6, 7}},
	{"ieca", "form=4", 2, 2, {3, 9, 1, 8, 11, 5, 0, 10, 2, 4, 6, 7}},
	{"echo", NULL, 1, 3, {0, 1, 2, 5, 4, 10, 3, 9, 8, 11, 6, 7}},
	{"echo", NULL, 2, 2, {3, 1, 9, 5, 0, 2, 8, 11, 10, 4, 6, 7}},
	{"scout", NULL, 1, 3, {0, 1, 2, 5, 4, 10, 3, 9, 8, 6, 11, 7}},
	{"scout", NULL, 2, 2, {3, 1, 9, 5, 0, 2, 8, 11, 4, 10, 6, 7}},
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
	const char *policy, *opts[3];
	double key[12]; /* in crawl order, seeds {0}, batch 3 */
} keys[] = {
	{"ieca", {NULL},
		{.3, .6721212547196624, .6721212547196624, .6721212547196624, .4839273033981569, .5139471962708673,
			.530199447937472, .7070482807179663, .8255489131663354, .914000070287443, 1.0859872947261193,
			1.028872279704153}},
	{"fica", {NULL},
		{0, .47712125471966244, .47712125471966244, .47712125471966244, .23856062735983122, .596401568399578,
			.5992307798637702, .35547118832302593, .6196420837898104, .7156818820794937, .8406206186877936,
			.7522555889450813}},
	{"opic", {NULL},
		{1, 1 + 1. / 3, 1 + 4. / 9, 1 + 1. / 3 / 3 + 1 + 1. / 18, 1.7222222222222223, 1.8611111111111112, 1 + 1. / 3,
			1 + 1. / 3, 1 + 4. / 3, 2 + 1. / 9, 1 + 1. / 3, 2}},
	{"ieca", {"form=9"},
		{0.3, 0.6721212547196624, 0.6721212547196624, 0.6721212547196624, 0.4839273033981569, 0.499288283541797,
			0.6273803667137957, 0.6954677396620008, 0.8255489131663354, 0.914000070287443, 1.0859872947261193,
			1.1963631159350614}},
	{"ieca", {"form=7"},
		{0.3, 0.5821212547196625, 0.5821212547196625, 0.5821212547196625, 0.20374243915188187, -0.024223843915213816,
			0.04912861010128272, 0.2925516502936564, 0.5484311084228211, 0.6808636938715443, 0.8058024304798442,
			0.6407914064395568}},
	{"ieca", {"form=4", "weight=0.35"},
		{0.3, 0.5821212547196625, 0.5821212547196625, 0.5821212547196625, 0.20374243915188187, 0.5484311084228211,
			0.49298088361196857, 0.24491478126815985, 0.572923227953266, 0.6808636938715443, 0.8058024304798442,
			0.6407914064395568}},
	{"ieca", {"delta0=0.1"},
		{0.3, 0.7471212547196624, 0.7471212547196624, 0.7471212547196624, 0.7247076170780725, 1.1452644553647024,
			1.1495303839673585, 1.15034574384011, 1.326767608406035, 1.4015319904009724, 1.5497761141656508,
			1.6374590877410287}},
	{"ieca", {"delta0=0.6", "fall=0.5"},
		{0.3, 0.5971212547196625, 0.5971212547196625, 0.43324673884488385, 0.5971212547196625, 0.31348865872782283,
			0.3073157058935735, 0.500785204494804, 0.6808888828927473, 0.7159697566075274, 0.9155486500557852,
			0.7641110588787837}},
	{"largest-site", {NULL}, {1, 3, 2, 3, 2, 2, 1, 2, 2, 1, 1, 1}},
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
			.opts = {keys[i].opts[0], keys[i].opts[1]},
			.seeds = {0},
			.n_seeds = 1,
			.batch = 3,
			.total = 12};
		run(&r);
		for (size_t k = 0; k < 12; k++)
			if (fabs(r.key[k] - keys[i].key[k]) > 1e-15 * 4)
				fail_msg("%s: key %zu is %.17g, not %.17g", keys[i].policy, k, r.key[k], keys[i].key[k]);
	}
	graph_release(&g);
}

/* The values of Partial PageRank as printed; its keys are them times the pages seen at the last
 * reranking. */
static void worked_partial_values_come_out(void **state)
{
	static const double value[] = {1, .333333, .333333, .13472222, .11111111, .11111111, .11945115, .07181845, .06194499,
		.06893436, .06062641, .05650959};
	static const double seen[] = {1, 1, 1, 9, 9, 9, 11, 11, 11, 12, 12, 12};
	struct graph g;

	(void)state;
	g12(&g);
	struct run r = {.g = &g, .policy = &policy_partial_pagerank, .seeds = {0}, .n_seeds = 1, .batch = 3, .total = 12};
	run(&r);
	for (size_t i = 0; i < 12; i++)
		assert_true(fabs(r.key[i] / 1e8 / seen[i] - value[i]) < 5e-7);
	graph_release(&g);
}

/* A hub with a chain of 60 pages of one link each, whose end finds page 2 of the hub again: its
 * distance turns negative, LF reaches its clamp, and what page 2 links to turns negative too. */
static void ieca_survives_the_trap(void **state)
{
	static const uint32_t rest[][2] = {{70, 2}, {2, 3}, {2, 4}, {2, 71}, {3, 4}, {3, 5}, {4, 5}, {4, 6}, {5, 6}, {5, 7}, {6, 7},
		{6, 0}, {71, 72}, {71, 8}};
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
	struct run r = {.g = &g, .policy = &policy_ieca, .seeds = {0}, .n_seeds = 1, .batch = 73, .total = 73};
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
	} want[] = {{"bfs", {2, 0, 3, 1}}, {"ieca", {2, 3, 0, 1}}, {"opic", {2, 3, 0, 1}}, {"fica", {2, 0, 3, 1}},
		{"omniscient", {0, 1, 2, 3}}};
	struct graph g;

	(void)state;
	graph_from_arcs(&g, 4, from, to, 4);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct run r =
			{.g = &g, .policy = policy_named(want[i].policy), .seeds = {2, 0}, .n_seeds = 2, .batch = 1, .total = 4};
		run(&r);
		assert_int_equal(r.n, 4);
		assert_memory_equal(r.order, want[i].order, sizeof want[i].order);
	}
	graph_release(&g);
}

/* --- the second method */

/* Crawls one graph both ways: the orders and the keys are the same. */
static void agree(struct run *r, struct slow *s)
{
	slow_crawl(s);
	run(r);
	assert_int_equal(r->n, s->n);
	for (uint32_t i = 0; i < s->n; i++)
		if (r->order[i] != s->order[i] || r->key[i] != s->key[i])
			fail_msg("%s, %u pages, batch %u: page %u of the order is %u (%.17g), not %u (%.17g)", s->policy,
				s->g->nodes, (unsigned)s->batch, i, r->order[i], r->key[i], s->order[i], s->key[i]);
	slow_release(s);
}

static void compare_with_slow(const struct graph *g, const uint32_t *hosts, struct rng *rng, uint64_t batch)
{
	uint32_t n = g->nodes, seeds[4];
	double *score = mem_new(n, sizeof *score);
	size_t n_seeds = 1 + rng_below(rng, n < 4 ? n : 4);

	rng_sample(rng, n, (uint32_t)n_seeds, seeds);
	for (uint32_t v = 0; v < n; v++)
		score[v] = (double)rng_below(rng, 5);
	for (size_t p = 0; policies[p]; p++) {
		if (!slow_knows(policies[p]->name))
			continue;
		struct slow s = {.g = g,
			.host = hosts,
			.score = score,
			.target = made_scores(),
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
		agree(&r, &s);
	}
	free(score);
}

static void every_form_of_ieca_agrees_with_its_equation(void **state)
{
	static const char *const option[] = {"form=10", "form=9", "form=7", "form=4"};
	static const int form[] = {10, 9, 7, 4};
	struct rng rng = {78};

	(void)state;
	for (int round = 0; round < 400; round++) {
		uint32_t n = 2 + (uint32_t)rng_below(&rng, 60), seeds[] = {0, 1};
		struct graph g;
		random_graph(&g, &rng, n, 1 + (uint32_t)rng_below(&rng, 6));
		struct slow s = {.g = &g,
			.policy = "ieca",
			.form = form[round % 4],
			.seeds = seeds,
			.n_seeds = 2,
			.batch = 1 + rng_below(&rng, n),
			.total = n};
		struct run r = {.g = &g,
			.policy = &policy_ieca,
			.opts = {option[round % 4]},
			.seeds = {0, 1},
			.n_seeds = 2,
			.batch = s.batch,
			.total = n};
		agree(&r, &s);
		graph_release(&g);
	}
}

/* Seeds fewer and more than a batch, families of pages with links alike, pages that link to themselves. */
static void echo_agrees_with_its_definition_on_sites(void **state)
{
	struct rng rng = {79};

	(void)state;
	for (int round = 0; round < 60; round++) {
		uint32_t n = 37 + (uint32_t)rng_below(&rng, 270), seeds[16];
		size_t n_seeds = 1 + rng_below(&rng, 16);
		uint64_t batch = 2 + rng_below(&rng, 19);
		struct graph g;
		site_graph(&g, &rng, n);
		rng_sample(&rng, n, (uint32_t)n_seeds, seeds);
		struct slow s = {.g = &g, .policy = "echo", .seeds = seeds, .n_seeds = n_seeds, .batch = batch, .total = n};
		struct run r = {.g = &g, .policy = &policy_echo, .n_seeds = n_seeds, .batch = batch, .total = n};
		memcpy(r.seeds, seeds, sizeof seeds);
		agree(&r, &s);
		graph_release(&g);
	}
}

/* The first pages of folders, which have most links, are called index.html, and others page7.html. */
static void echo_agrees_with_its_definition_where_names_tell_something(void **state)
{
	static char text[400][64];
	const char *url[400];
	struct rng rng = {81};
	int believed = 0;

	(void)state;
	for (int round = 0; round < 40; round++) {
		const uint32_t n = 200 + (uint32_t)rng_below(&rng, 100), seed = (uint32_t)rng_below(&rng, n);
		struct names names = {.nodes = n, .text = text[0], .start = mem_new(n, sizeof *names.start)};
		struct graph g;
		for (uint32_t v = 0; v < n; v++) {
			if (v % 10 == 0)
				snprintf(text[v], sizeof text[v], "http://h.test/%u/index.html", v / 10);
			else
				snprintf(text[v], sizeof text[v], "http://h.test/%u/page%u.%s", v / 10, v, v % 3 ? "html" : "txt");
			names.start[v] = v * sizeof text[0];
			url[v] = text[v];
		}
		site_graph(&g, &rng, n);
		struct slow s = {.g = &g, .url = url, .policy = "echo", .seeds = &seed, .n_seeds = 1, .batch = 7, .total = n};
		struct run r =
			{.g = &g, .names = &names, .policy = &policy_echo, .seeds = {seed}, .n_seeds = 1, .batch = 7, .total = n};
		agree(&r, &s);
		believed += s.most_lambda > 0;
		free(names.start);
		graph_release(&g);
	}
	assert_true(believed > 10);
}

/* As a crawl without flags: batches that grow, and up to 30 seeds, which are more than the first batch. */
static void echo_and_scout_agree_with_their_definitions_as_crawls_grow(void **state)
{
	struct rng rng = {83};

	(void)state;
	for (int round = 0; round < 60; round++) {
		const uint32_t n = 100 + (uint32_t)rng_below(&rng, 290);
		const struct policy *policy = round % 3 ? &policy_scout : &policy_echo;
		uint32_t seeds[30];
		size_t n_seeds = round % 4 ? 1 + rng_below(&rng, 3) : 1 + rng_below(&rng, 30);
		struct graph g;
		site_graph(&g, &rng, n);
		rng_sample(&rng, n, (uint32_t)n_seeds, seeds);
		struct slow s = {.g = &g, .policy = policy->name, .seeds = seeds, .n_seeds = n_seeds, .rng_seed = 7};
		struct run r = {.g = &g, .policy = policy, .n_seeds = n_seeds, .rng_seed = 7};
		memcpy(r.seeds, seeds, sizeof seeds);
		agree(&r, &s);
		graph_release(&g);
	}
}

/* On webs large enough for the explorers to be judged by what they found. */
static void scout_agrees_with_its_definition_where_explorers_are_judged(void **state)
{
	struct rng rng = {84};

	(void)state;
	for (int round = 0; round < 2; round++) {
		const uint32_t n = 1200 + (uint32_t)rng_below(&rng, 600);
		struct dataset data = {.format = "made"};
		struct opt_set opts;
		uint32_t ids[40];
		const size_t n_seeds = round % 2 ? 40 : 1;
		site_graph(&data.graph, &rng, n);
		rng_sample(&rng, n, (uint32_t)n_seeds, ids);
		struct slow s = {.g = &data.graph, .policy = "scout", .seeds = ids, .n_seeds = n_seeds, .rng_seed = 5};
		struct seedset seeds = {.ids = ids, .n = n_seeds};
		opt_init(&opts, policy_scout.opts, policy_scout.name);
		struct replay r = {.policy = &policy_scout, .opts = &opts, .rng_seed = 5, .with_keys = 1};
		assert_int_equal(replay_run(&r, &data, &seeds, NULL), 0);
		slow_crawl(&s);
		assert_int_equal(r.crawled, s.n);
		for (uint32_t i = 0; i < s.n; i++)
			if (r.order[i] != s.order[i] || r.key[i] != s.key[i])
				fail_msg("round %d: page %u of the order is %u (%.17g), not %u (%.17g)", round, i, r.order[i],
					r.key[i], s.order[i], s.key[i]);
		slow_release(&s);
		replay_release(&r);
		opt_release(&opts);
		graph_release(&data.graph);
	}
}

/* Makes a graph of n pages. Each of the first 16 pages links to 12 other pages. If `is_linked` is 0, no page links to the first 16,
 * so that they are roots; if it is 1, the pages behind them link to the first 16 as often as to any others. */
static void graph_with_16_first(struct graph *g, struct rng *rng, uint32_t n, int is_linked)
{
	uint32_t from[400 * 12], to[400 * 12];
	uint64_t arcs = 0;

	for (uint32_t u = 0; u < n; u++)
		for (int i = 0; i < (u < 16 ? 12 : 3); i++, arcs++) {
			const uint32_t first = is_linked ? 0 : 16;
			from[arcs] = u;
			to[arcs] = first + (uint32_t)rng_below(rng, n - first);
		}
	graph_from_arcs(g, n, from, to, arcs);
}

static void echo_crawls_roots_first_only_until_it_knows_them(void **state)
{
	struct rng rng = {80};

	(void)state;
	for (int round = 0; round < 40; round++) {
		const int is_linked = round % 2;
		const uint32_t n = 60 + (uint32_t)rng_below(&rng, 60);
		uint32_t seeds[16], first = 0;
		struct graph g;
		graph_with_16_first(&g, &rng, n, is_linked);
		for (uint32_t i = 0; i < 16; i++)
			seeds[i] = i;
		struct slow s = {.g = &g, .policy = "echo", .seeds = seeds, .n_seeds = 16, .batch = 12, .total = n};
		struct run r = {.g = &g, .policy = &policy_echo, .n_seeds = 16, .batch = 12, .total = n};
		memcpy(r.seeds, seeds, sizeof seeds);
		agree(&r, &s);
		while (r.order[first] < 16)
			first++;
		assert_true(is_linked ? first >= 12 : first < 12);
		graph_release(&g);
	}
}

static void options_of_ieca_have_their_ranges(void **state)
{
	static const struct {
		const char *text;
		int err;
	} given[] = {{"form=10", 0}, {"form=4", 0}, {"form=3", ERR_USAGE}, {"form=", ERR_USAGE}, {"weight=0", 0}, {"weight=1", 0},
		{"weight=1.01", ERR_USAGE}, {"fall=0", 0}, {"fall=-0.1", ERR_USAGE}, {"fall=nan", ERR_USAGE}, {"delta0=0.6", 0},
		{"delta0=2", ERR_USAGE}, {"from=9", ERR_USAGE}};
	struct opt_set opts;
	struct err_note why;

	(void)state;
	opt_init(&opts, policy_ieca.opts, "ieca");
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		assert_int_equal(opt_give(&opts, given[i].text, &why), given[i].err);
	opt_release(&opts);
}

static void every_policy_has_a_second_method(void **state)
{
	static char without[400];
	size_t n = 0;

	(void)state;
	for (size_t p = 0; policies[p]; p++)
		if (!slow_knows(policies[p]->name) && n < sizeof without)
			n += (size_t)snprintf(without + n, sizeof without - n, " %s", policies[p]->name);
	if (n) {
		static char why[sizeof without + 100];
		snprintf(why, sizeof why, "tests/policies/slow_policies.c has no second method for the order of:%s", without);
		skip_because(why);
	}
}

static void every_policy_with_a_second_method_agrees_with_it(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worked_orders_come_out),
		cmocka_unit_test(worked_keys_come_out),
		cmocka_unit_test(worked_partial_values_come_out),
		cmocka_unit_test(ieca_survives_the_trap),
		cmocka_unit_test(corner_case_of_four_pages),
		cmocka_unit_test(every_policy_has_a_second_method),
		cmocka_unit_test(every_policy_with_a_second_method_agrees_with_it),
		cmocka_unit_test(every_form_of_ieca_agrees_with_its_equation),
		cmocka_unit_test(echo_agrees_with_its_definition_on_sites),
		cmocka_unit_test(echo_agrees_with_its_definition_where_names_tell_something),
		cmocka_unit_test(echo_and_scout_agree_with_their_definitions_as_crawls_grow),
		cmocka_unit_test(scout_agrees_with_its_definition_where_explorers_are_judged),
		cmocka_unit_test(echo_crawls_roots_first_only_until_it_knows_them),
		cmocka_unit_test(options_of_ieca_have_their_ranges),
	};

	return cmocka_run_group_tests_name("policy orders", tests, NULL, NULL);
}
