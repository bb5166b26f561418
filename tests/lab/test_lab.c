/* What a crawl was worth, on the worked example; seed specs; comparisons in parallel. */
#include "tests/test.h"

#include "base/rng.h"
#include "lab/study/compare.h"
#include "lab/study/oracle.h"
#include "policies/policies.h"
#include "tests/graph/graphs.h"

#include <math.h>

static struct dataset data;
static struct benchmark benchmark;

static int make_g12(void **state)
{
	(void)state;
	g12(&data.graph);
	benchmark_make(&benchmark, &data.graph, 1e-13, 1);
	return 0;
}

static int release_g12(void **state)
{
	(void)state;
	benchmark_release(&benchmark);
	dataset_release(&data);
	return 0;
}

static const struct {
	const char *policy;
	double strict[12];
} worked[] = {
	{"bfs", {1, .5, .3333, .25, .4, .6667, .8571, .875, .7778, .9, .9091, 1}},
	{"ieca", {1, .5, .3333, .25, .6, .6667, .8571, .75, .7778, .8, .9091, 1}},
	{"opic", {1, .5, .3333, .5, .6, .5, .5714, .625, .7778, .8, .9091, 1}},
};

static const double bfs_mass[] = {.2076, .2789, .3503, .4216, .4543, .6365, .7166, .7783, .8267, .8998, .9469, 1};

static void the_benchmark_order_comes_out(void **state)
{
	static const uint32_t hot[] = {0, 5, 6, 9, 1, 2, 3, 7, 11, 8, 10, 4};

	(void)state;
	assert_memory_equal(benchmark.hot, hot, sizeof hot);
	assert_true(fabs(benchmark.rank[0] - .2076110800587) < 1e-12);
}

static void worked_throughputs_come_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof worked / sizeof *worked; i++) {
		uint32_t seed = 0;
		struct seedset seeds = {.ids = &seed, .n = 1};
		struct opt_set opts;
		struct throughput hot;
		const struct policy *policy = policy_named(worked[i].policy);
		opt_init(&opts, policy->opts, policy->name);
		struct replay r = {.policy = policy, .opts = &opts, .batch = 3};
		assert_int_equal(replay_run(&r, &data, &seeds, NULL), 0);
		throughput_measure(&hot, &benchmark, &data.graph, NULL, r.order, r.crawled, &seed, 1);
		double sum = 0;
		for (uint32_t k = 1; k <= 12; k++) {
			struct throughput_point p = throughput_at(&hot, k);
			sum += p.strict;
			assert_true(fabs(p.strict - worked[i].strict[k - 1]) < 5e-5);
			assert_true(p.strict == p.discoverable); /* all is reachable */
			if (i == 0)
				assert_true(fabs(p.mass - bfs_mass[k - 1]) < 5.1e-5);
			assert_int_equal(p.crawled, k);
		}
		assert_true(fabs(hot.auc - sum / 12) < 1e-15);
		assert_true(isnan(throughput_at(&hot, 12).lift));
		assert_true(fabs(throughput_at(&hot, 6).lift - (worked[i].strict[5] - .5) / .5) < 1e-4);
		throughput_release(&hot);
		replay_release(&r);
		opt_release(&opts);
	}
}

/* A crawl that ended early is measured where it ended. */
static void lift_beyond_the_crawl_is_that_of_its_end(void **state)
{
	struct opt_set opts;
	struct throughput hot;
	uint32_t seed = 0;
	struct seedset seeds = {.ids = &seed, .n = 1};

	(void)state;
	opt_init(&opts, NULL, "bfs");
	struct replay r = {.policy = policy_named("bfs"), .opts = &opts, .max_pages = 3};
	assert_int_equal(replay_run(&r, &data, &seeds, NULL), 0);
	throughput_measure(&hot, &benchmark, &data.graph, NULL, r.order, r.crawled, &seed, 1);
	const double lift = (throughput_at(&hot, 3).strict - .25) / .75;
	for (uint32_t k = 3; k <= 12; k++)
		assert_true(throughput_at(&hot, k).lift == lift);
	throughput_release(&hot);
	replay_release(&r);
	opt_release(&opts);
}

/* What is told of the pages of the PageRank policies is their values, not what orders them. */
static void keys_are_the_paper_s_own_quantities(void **state)
{
	static const struct {
		const char *policy;
		uint32_t order[12];
		double key[12];
	} rows[] = {
		{"partial-pagerank", {0, 1, 2, 5, 3, 4, 9, 10, 6, 8, 7, 11},
			{1, .333333, .333333, .13472222, .11111111, .11111111, .11945115, .07181845, .06194499, .06893436,
				.06062641, .05650959}},
		{"batch-pagerank", {0, 1, 2, 5, 3, 4, 9, 10, 6, 8, 7, 11},
			{0, 0, 0, .13472222, .11111111, .11111111, .11945115, .07181845, .06194499, .06893436, .06062641,
				.05650959}},
	};
	struct opt_set opts;
	uint32_t seed = 0;
	struct seedset seeds = {.ids = &seed, .n = 1};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct policy *policy = policy_named(rows[i].policy);
		opt_init(&opts, policy->opts, policy->name);
		struct replay r = {.policy = policy, .opts = &opts, .batch = 3, .with_keys = 1};
		assert_int_equal(replay_run(&r, &data, &seeds, NULL), 0);
		assert_int_equal(r.crawled, 12);
		for (uint32_t k = 0; k < 12; k++) {
			assert_int_equal(r.order[k], rows[i].order[k]);
			if (fabs(r.key[k] - rows[i].key[k]) > 1e-6)
				fail_msg("%s, page %u: %g", rows[i].policy, r.order[k], r.key[k]);
		}
		replay_release(&r);
		opt_release(&opts);
	}
}

/* Against sets counted by hand, on graphs where not all is reachable. */
static void throughput_agrees_with_counting(void **state)
{
	struct rng rng = {3};

	(void)state;
	for (int round = 0; round < 50; round++) {
		struct graph g;
		struct benchmark b;
		struct throughput hot;
		uint32_t seed = 0, order[30], m = 0;
		random_graph(&g, &rng, 30, 2);
		benchmark_make(&b, &g, 1e-12, 1);
		unsigned char *reached = throughput_reach(&g, NULL, &seed, 1);
		for (uint32_t v = 0; v < 30; v++)
			if (reached[v] && rng_below(&rng, 4))
				order[m++] = v;
		throughput_measure(&hot, &b, &g, NULL, order, m, &seed, 1);
		for (uint32_t k = 1; k <= 30; k++) {
			uint32_t at = k < m ? k : m, hits = 0, found = 0;
			for (uint32_t i = 0; i < at; i++) {
				found += reached[b.hot[i]];
				for (uint32_t j = 0; j < at; j++)
					hits += order[i] == b.hot[j];
			}
			struct throughput_point p = throughput_at(&hot, k);
			assert_int_equal(p.crawled, at);
			assert_true(p.strict == (at ? (double)hits / at : 0));
			assert_true(p.discoverable == (found ? (double)hits / found : 1));
		}
		free(reached);
		throughput_release(&hot);
		benchmark_release(&b);
		graph_release(&g);
	}
}

static void fractions_become_counts(void **state)
{
	(void)state;
	assert_int_equal(throughput_k(0.45, 100), 45);
	assert_int_equal(throughput_k(0.29, 100), 29);
	assert_int_equal(throughput_k(0.001, 12), 1);
	assert_int_equal(throughput_k(1, 12), 12);
	assert_int_equal(throughput_k(0.45, 325557), 146500);
}

static void seeds_of(const char *spec, const uint32_t *want, size_t n)
{
	struct seedset s;
	struct err_note why;

	assert_int_equal(seedset_read(&s, spec, &data, 1, &why), 0);
	assert_int_equal(s.n, n);
	assert_memory_equal(s.ids, want, n * sizeof *want);
	seedset_release(&s);
}

static void seed_specs_are_understood(void **state)
{
	static const char *const bad[] = {"random:0", "random:-1", "random:x", "random:1.5", "random:13", "hosts:1",
		"/nonexistent"};
	struct seedset s;
	struct err_note why;

	(void)state;
	seeds_of("random:4", (const uint32_t[]){6, 9, 11, 0}, 4);
	seeds_of("random:0.001", (const uint32_t[]){6}, 1);
	seeds_of("roots", (const uint32_t[]){0}, 1); /* all pages reach each other */
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_true(seedset_read(&s, bad[i], &data, 1, &why) < 0);
	static const char file[] = "# a comment\n\n 2 \n2\n0\thttp://x/\r\n11";
	seeds_of(scratch_file(file, sizeof file - 1), (const uint32_t[]){2, 0, 11}, 3);
	assert_int_equal(seedset_read(&s, scratch_file("12\n", 3), &data, 1, &why), ERR_USAGE);
	assert_non_null(strstr(why.text, ":1: no node '12' in the graph"));
	assert_int_equal(seedset_read(&s, scratch_file("1\nhttp://a/\n", 12), &data, 1, &why), ERR_USAGE);
	assert_int_equal(seedset_read(&s, scratch_file("# no\n", 5), &data, 1, &why), ERR_NOTHING);
}

static void a_sample_is_a_part_of_a_rule_in_its_order(void **state)
{
	static const char *const bad[] = {"sample:", "sample:0.5", "sample:1:roots", "sample:x:roots", "sample:0.5:nowhere",
		"sample:0.5:sample:0.5:roots", "sample:0.5:random:x"};
	static const char file[] = "11\n10\n9\n8\n7\n6\n5\n4\n3\n2\n1\n0\n";
	struct buf spec = BUF_EMPTY;
	struct seedset s;
	struct err_note why;
	uint32_t ever = 0;

	(void)state;
	buf_format(&spec, "sample:0.5:%s", scratch_file(file, sizeof file - 1));
	for (uint64_t draw = 0; draw < 50; draw++) {
		assert_int_equal(seedset_read(&s, spec.at, &data, draw, &why), 0);
		assert_int_equal(s.n, 6);
		for (size_t i = 0; i < s.n; i++) {
			assert_true(!i || s.ids[i] < s.ids[i - 1]);
			ever |= 1u << s.ids[i];
		}
		seedset_release(&s);
	}
	assert_int_equal(ever, (1u << 12) - 1);
	seeds_of("sample:0.1:roots", (const uint32_t[]){0}, 1); /* one page at least */
	assert_true(seedset_is_drawn("sample:0.1:roots") && !seedset_is_drawn("roots"));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_true(seedset_read(&s, bad[i], &data, 1, &why) < 0);
	buf_release(&spec);
}

static void urls_decide_where_there_are_some(void **state)
{
	static const char graph[] = "# Nodes: 3 Edges: 2\n0\t1\n1\t2\n", urls[] = "http://a.org/\nhttp://b.org/x\nhttp://a.org/y\n",
			  file[] = "0\thttp://b.org/x\nhttp://a.org/y\n2\thttp://gone.org/\n1\n";
	char graph_path[96], urls_path[96];
	struct dataset d;
	struct seedset s;
	struct err_note why;

	(void)state;
	strcpy(graph_path, scratch_file(graph, sizeof graph - 1));
	strcpy(urls_path, scratch_file(urls, sizeof urls - 1));
	struct dataset_where where = {.graph = graph_path, .urls = urls_path, .threads = 1};
	assert_int_equal(dataset_open(&d, &where, &why), 0);
	assert_int_equal(d.graph.nodes, 3);
	assert_int_equal(seedset_read(&s, scratch_file(file, sizeof file - 1), &d, 1, &why), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.ids[0], 1);
	assert_int_equal(s.ids[1], 2);
	assert_int_equal(s.missing, 1);
	seedset_release(&s);
	assert_int_equal(seedset_read(&s, "hosts:1", &d, 1, &why), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.ids[0], 0);
	assert_int_equal(s.ids[1], 1);
	seedset_release(&s);
	dataset_release(&d);
}

/* As of a store: pages 0, 3 and 4 were fetched, the others were only linked to. */
static void rules_take_fetched_pages_alone(void **state)
{
	static const uint32_t from[] = {0, 0, 3}, to[] = {1, 2, 5};
	static const uint32_t hosts[] = {0, 0, 1, 0, 1, 2};
	static uint8_t fetched[] = {1, 0, 0, 1, 1, 0};
	char host_text[] = "a\0b\0c";
	uint64_t host_start[] = {0, 2, 4};
	struct dataset d = {.format = "made", .crawled = fetched};
	struct err_note why;
	struct seedset s;

	(void)state;
	graph_from_arcs(&d.graph, 6, from, to, 3);
	d.names = (struct names){.nodes = 6,
		.hosts = 3,
		.host = (uint32_t *)(uintptr_t)hosts,
		.host_text = host_text,
		.host_start = host_start};
	for (uint64_t seed = 0; seed < 50; seed++) {
		assert_int_equal(seedset_read(&s, "random:2", &d, seed, &why), 0);
		assert_int_equal(s.n, 2);
		for (size_t i = 0; i < s.n; i++)
			assert_true(fetched[s.ids[i]]);
		seedset_release(&s);
	}
	assert_int_equal(seedset_read(&s, "random:0.5", &d, 1, &why), 0);
	assert_int_equal(s.n, 1); /* of three */
	seedset_release(&s);
	assert_int_equal(seedset_read(&s, "random:4", &d, 1, &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "only 3 pages that were fetched"));
	assert_int_equal(seedset_read(&s, "hosts:1", &d, 1, &why), 0);
	assert_int_equal(s.n, 2); /* of host c nothing was fetched */
	assert_true(s.ids[0] == 0 && s.ids[1] == 4);
	seedset_release(&s);
	assert_int_equal(seedset_read(&s, "roots", &d, 1, &why), 0);
	assert_int_equal(s.n, 3);
	seedset_release(&s);
	graph_release(&d.graph);
}

static void comparisons_do_not_depend_on_threads(void **state)
{
	static const double at[] = {0.1, 0.5, 1};
	struct opt_set *opts;
	size_t n = 0;
	struct compare c[3];
	static double score[12] = {[5] = 2, [4] = 1}; /* for aim */
	char scores[128];

	(void)state;
	data.score = score;
	data.names.host = mem_copy(g12_hosts, sizeof g12_hosts); /* for largest-site */
	snprintf(scores, sizeof scores, "scores=%s", scratch_file("5\t2\n4\t1\n", 8));
	while (policies[n])
		n++;
	opts = mem_new(n, sizeof *opts);
	for (size_t p = 0; p < n; p++) {
		opt_init(&opts[p], policies[p]->opts, policies[p]->name);
		if (policies[p]->oracle == POLICY_SCORES)
			assert_int_equal(opt_give(&opts[p], scores, NULL), 0);
	}
	for (unsigned i = 0; i < 3; i++) {
		c[i] = (struct compare){.data = &data,
			.crawl = {.benchmark = &benchmark, .batch = 3, .rng_seed = 9},
			.policies = policies,
			.opts = opts,
			.n_policies = n,
			.seeds = "random:2",
			.draws = 5,
			.at = at,
			.n_at = 3,
			.threads = 1 + 2 * i};
		assert_int_equal(compare_run(&c[i], NULL), 0);
		for (size_t t = 0; t < n * 5; t++) {
			assert_ptr_equal(c[i].trials[t].policy, policies[t / 5]);
			assert_int_equal(c[i].trials[t].draw, t % 5 + 1);
			assert_true(c[i].trials[t].auc == c[0].trials[t].auc);
			assert_true(c[i].trials[t].order == c[0].trials[t].order);
			for (size_t k = 0; k < 3; k++)
				assert_true(c[i].trials[t].points[k].strict == c[0].trials[t].points[k].strict);
		}
	}
	/* nor on who runs beside: each alone gives the same orders */
	for (size_t p = 0; p < n; p++) {
		struct compare alone = c[0];
		alone.policies = &policies[p];
		alone.opts = &opts[p];
		alone.n_policies = 1;
		assert_int_equal(compare_run(&alone, NULL), 0);
		for (size_t draw = 0; draw < 5; draw++)
			assert_true(alone.trials[draw].order == compare_trial(&c[2], p, draw)->order);
		compare_release(&alone);
	}
	for (unsigned i = 0; i < 3; i++)
		compare_release(&c[i]);
	while (n)
		opt_release(&opts[--n]);
	free(opts);
	free(data.names.host);
	data.names.host = NULL;
	data.score = NULL;
}

/* A replay of the worked example from page 0; its error, and what it says. */
static int replay_of(struct replay *r, const struct policy *policy, const char *option, struct err_note *why)
{
	uint32_t seed = 0;
	struct seedset seeds = {.ids = &seed, .n = 1};
	struct opt_set opts;

	opt_init(&opts, policy->opts, policy->name);
	if (option)
		assert_int_equal(opt_give(&opts, option, why), 0);
	*r = (struct replay){.policy = policy, .opts = &opts, .benchmark = &benchmark, .with_keys = 1};
	int err = replay_run(r, &data, &seeds, why);
	opt_release(&opts);
	return err;
}

static void what_a_policy_must_be_told_it_is_told(void **state)
{
	static const uint32_t by_score[] = {0, 3, 9, 10, 2, 1, 5, 8, 11, 6, 7, 4};
	static const struct {
		const char *text;
		int err;
	} bad[] = {{"1 2 3\n", ERR_FORMAT}, {"x\t1\n", ERR_FORMAT}, {"3\n", ERR_FORMAT}, {"12\t1\n", ERR_FORMAT},
		{"1\tnan\n", ERR_FORMAT}};
	static const char good[] = "# scores\n10\t7\n\n9\t1e3\n3 .5\n2\t0.25\n1\t0.125\n";
	struct err_note why;
	struct replay r;
	char option[128];

	(void)state;
	snprintf(option, sizeof option, "scores=%s", scratch_file(good, sizeof good - 1));
	assert_int_equal(replay_of(&r, &policy_static, option, &why), 0);
	assert_memory_equal(r.order, by_score, sizeof by_score);
	assert_true(r.key[2] == 1000 && r.key[11] == 0);
	replay_release(&r);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		snprintf(option, sizeof option, "scores=%s", scratch_file(bad[i].text, strlen(bad[i].text)));
		assert_int_equal(replay_of(&r, &policy_static, option, &why), bad[i].err);
		assert_non_null(strstr(why.text, ":1: "));
	}
	assert_int_equal(replay_of(&r, &policy_static, NULL, &why), ERR_USAGE);
	assert_int_equal(replay_of(&r, &policy_static, "scores=/nowhere", &why), ERR_FILE);
	assert_int_equal(replay_of(&r, &policy_largest_site, NULL, &why), ERR_USAGE);
}

static void ideal_is_the_benchmark(void **state)
{
	struct replay r;
	struct throughput hot;
	uint32_t seed = 4;

	(void)state;
	assert_int_equal(replay_of(&r, &policy_ideal, NULL, NULL), 0);
	assert_int_equal(r.crawled, 12);
	assert_memory_equal(r.order, benchmark.hot, 12 * sizeof *r.order);
	for (uint32_t i = 1; i < 12; i++)
		assert_true(r.key[i] <= r.key[i - 1]);
	throughput_measure(&hot, &benchmark, &data.graph, NULL, r.order, r.crawled, &seed, 1);
	for (uint32_t k = 1; k <= 12; k++)
		assert_true(throughput_at(&hot, k).strict == 1 && throughput_at(&hot, k).discoverable == 1);
	throughput_release(&hot);
	replay_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lift_beyond_the_crawl_is_that_of_its_end),
		cmocka_unit_test(keys_are_the_paper_s_own_quantities),
		cmocka_unit_test(the_benchmark_order_comes_out),
		cmocka_unit_test(worked_throughputs_come_out),
		cmocka_unit_test(throughput_agrees_with_counting),
		cmocka_unit_test(fractions_become_counts),
		cmocka_unit_test(seed_specs_are_understood),
		cmocka_unit_test(a_sample_is_a_part_of_a_rule_in_its_order),
		cmocka_unit_test(urls_decide_where_there_are_some),
		cmocka_unit_test(rules_take_fetched_pages_alone),
		cmocka_unit_test(what_a_policy_must_be_told_it_is_told),
		cmocka_unit_test(ideal_is_the_benchmark),
		cmocka_unit_test(comparisons_do_not_depend_on_threads),
	};

	return cmocka_run_group_tests_name("lab", tests, make_g12, release_g12);
}
