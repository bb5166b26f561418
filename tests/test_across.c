/* Several graphs taken together, what policies had to look at, and ties shared. */
#include "tests/test.h"

#include "graph/kernels/pagerank.h"
#include "frontier/pile.h"
#include "lab/measure/across.h"
#include "lab/measure/oracle.h"
#include "lab/report/report.h"
#include "policies/policies.h"
#include "tests/graphs.h"

#include <math.h>

#define NODES 60

static const double at[] = {0.2, 0.45, 1};
static const struct policy *const here[] = {
	&policy_bfs, &policy_ieca, &policy_partial_pagerank, &policy_ideal};
static const struct policy *const there[] = {
	&policy_opic, &policy_ideal, &policy_partial_pagerank, &policy_bfs};

/* A comparison of a graph that is gone when it is done. */
struct one {
	struct dataset data;
	struct benchmark benchmark;
	struct opt_set opts[4];
	struct compare c;
};

static void one_run(struct one *o, const struct policy *const *p, uint64_t batch)
{
	benchmark_make(&o->benchmark, &o->data.graph, 1e-13, 1);
	for (size_t i = 0; i < 4; i++)
		opt_init(&o->opts[i], p[i]->opts, p[i]->name);
	o->c = (struct compare){.data = &o->data,
		.benchmark = &o->benchmark,
		.policies = p,
		.opts = o->opts,
		.n_policies = 4,
		.seeds = "random:3",
		.draws = 3,
		.batch = batch,
		.rng_seed = 1,
		.at = at,
		.n_at = 3,
		.threads = 1,
		.with_profiles = 1};
	assert_int_equal(compare_run(&o->c, NULL), 0);
	benchmark_release(&o->benchmark);
}

static void one_make(
	struct one *o, const struct policy *const *p, uint64_t rng_seed, uint64_t batch)
{
	struct rng rng = {rng_seed};

	*o = (struct one){.data = {.format = "test"}};
	random_graph(&o->data.graph, &rng, NODES, 4);
	one_run(o, p, batch);
}

static void one_release(struct one *o)
{
	compare_release(&o->c);
	for (size_t i = 0; i < 4; i++)
		opt_release(&o->opts[i]);
	dataset_release(&o->data);
}

static void means_are_those_of_the_graphs(void **state)
{
	struct one a, b;
	size_t common[4];

	(void)state;
	one_make(&a, here, 1, 5);
	one_make(&b, there, 2, 5);
	const struct compare *c[] = {&a.c, &b.c};
	assert_int_equal(across_common(c, 2, common), 3); /* without ieca and opic */
	assert_int_equal(common[0], 3);                   /* ideal */
	assert_int_equal(across_place(&b.c, &a.c, 0), 3);
	assert_true(across_place(&b.c, &a.c, 1) == SIZE_MAX);
	double bfs = (summary_of(&a.c, 0, MEASURE_AUC, 0).mean +
			     summary_of(&b.c, 3, MEASURE_AUC, 0).mean) /
		     2;
	assert_true(fabs(across_mean(c, 2, 0, MEASURE_AUC, 0) - bfs) < 1e-15);
	/* of two that are no yardsticks the places sum to 3 */
	double first = across_rank(c, 2, common, 3, 0, MEASURE_HOT, 1);
	double second = across_rank(c, 2, common, 3, 2, MEASURE_HOT, 1);
	assert_true(first >= 1 && first <= 2 && fabs(first + second - 3) < 1e-15);
	assert_true(isnan(across_rank(c, 2, common, 3, 3, MEASURE_HOT, 1)));
	assert_true(across_rank(c, 2, common, 3, 0, MEASURE_HOT, 2) == 1.5 ||
		    a.c.trials[0].crawled < NODES); /* all is crawled: all are equal */
	assert_int_equal(across_point(&a.c), 1);
	one_release(&a);
	one_release(&b);
}

/* From any page of a ring all others are found one after the other, whatever the policy. */
static void policies_that_are_equal_share_their_places(void **state)
{
	static const struct policy *const equal[] = {
		&policy_bfs, &policy_ieca, &policy_partial_pagerank, &policy_opic};
	static const size_t common[] = {0, 1, 2, 3};
	uint32_t from[NODES], to[NODES];
	struct one ring = {.data = {.format = "ring"}};

	(void)state;
	for (uint32_t u = 0; u < NODES; u++) {
		from[u] = u;
		to[u] = (u + 1) % NODES;
	}
	graph_from_arcs(&ring.data.graph, NODES, from, to, NODES);
	one_run(&ring, equal, 5);
	const struct compare *c[] = {&ring.c};
	for (size_t p = 0; p < 4; p++) {
		assert_true(across_rank(c, 1, common, 4, p, MEASURE_HOT, 2) == 2.5);
		assert_true(across_rank(c, 1, common, 3, p < 3 ? p : 0, MEASURE_HOT, 2) == 2);
	}
	one_release(&ring);
}

static size_t count_of(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

static void a_report_of_two_graphs_has_a_section_each(void **state)
{
	struct one a, b;
	struct buf html = BUF_EMPTY;

	(void)state;
	one_make(&a, here, 1, 5);
	one_make(&b, there, 2, 5);
	const struct report_graph graphs[] = {{&a.c, "x/<one>", 1}, {&b.c, "two", 2}};
	const struct report report = {.graphs = graphs, .n = 2, .version = "0"};
	char *path = mem_text(getenv("PATH"));
	setenv("PATH", "/nonexistent", 1); /* the figures are another test's */
	assert_int_equal(report_write(&html, &report, NULL), ERR_OTHER);
	setenv("PATH", path, 1);
	free(path);
	assert_non_null(strstr(html.at, "<h1>Crawl policies on 2 graphs</h1>"));
	assert_int_equal(count_of(html.at, "<h1 class=\"graph\">"), 2);
	assert_int_equal(count_of(html.at, "<h2>Protocol</h2>"), 2);
	assert_int_equal(count_of(html.at, "<h2>All graphs</h2>"), 1);
	assert_non_null(
		strstr(html.at, "<th scope=\"col\">&lt;one&gt;</th><th scope=\"col\">two</th>"
				"<th scope=\"col\">mean</th>"));
	buf_release(&html);
	one_release(&a);
	one_release(&b);
}

/* What is queued when each hundredth is crawled, counted from the order anew. */
static void queued_from_order(const struct graph *g, const uint32_t *order, uint32_t crawled,
	const uint32_t *seeds, size_t n_seeds, uint32_t *queued)
{
	unsigned char *seen = mem_zero(g->nodes, 1);
	uint32_t n = 0, step = 0;

	for (size_t i = 0; i < n_seeds; i++) {
		n += !seen[seeds[i]];
		seen[seeds[i]] = 1;
	}
	for (uint32_t i = 0; i < crawled; i++) {
		for (uint32_t j = 0; j < graph_outdegree(g, order[i]); j++) {
			n += !seen[graph_row(g, order[i])[j]];
			seen[graph_row(g, order[i])[j]] = 1;
		}
		while (step < WORK_STEPS && work_step_at(step, g->nodes) == i + 1)
			queued[step++] = n - (i + 1);
	}
	free(seen);
}

static void pages_taking_part_are_counted(void **state)
{
	static const struct policy *const tried[] = {
		&policy_bfs, &policy_ieca, &policy_opic, &policy_partial_pagerank};
	struct rng rng = {5};
	struct dataset d = {.format = "test"};
	uint32_t seeds[] = {3, 70}, queued[WORK_STEPS];
	struct seedset set = {.ids = seeds, .n = 2};

	(void)state;
	random_graph(&d.graph, &rng, 500, 5);
	for (size_t p = 0; p < 4; p++) {
		struct opt_set opts;
		opt_init(&opts, tried[p]->opts, tried[p]->name);
		struct replay r = {.policy = tried[p], .opts = &opts, .batch = 50};
		assert_int_equal(replay_run(&r, &d, &set, NULL), 0);
		queued_from_order(&d.graph, r.order, r.crawled, seeds, 2, queued);
		assert_true(r.work.steps > 90);
		for (uint32_t i = 0; i < r.work.steps; i++) {
			uint32_t crawled = work_step_at(i, 500);
			/* the one in flight has left the queue */
			assert_in_range(queued[i] - r.work.queued[i], 0, 1);
			if (tried[p] == &policy_bfs)
				assert_int_equal(r.work.part[i], 0);
			else if (tried[p] != &policy_partial_pagerank)
				assert_int_equal(r.work.part[i], r.work.queued[i]);
			else if (crawled >= 50) /* all seen at the last reranking */
				assert_true(r.work.part[i] >= crawled / 50 * 50);
			assert_true(r.work.queued[i] <= r.work.peak);
		}
		assert_int_equal(r.work.batches, r.crawled / 50);
		assert_true(r.work.links == r.links);
		assert_int_equal(
			r.work.total.ranked_arcs > 0, tried[p] == &policy_partial_pagerank);
		replay_release(&r);
		opt_release(&opts);
	}
	dataset_release(&d);
}

static void bounds_are_those_of_the_paper(void **state)
{
	const struct work w = {.links = 10, .batches = 3, .peak = 8};

	(void)state;
	assert_true(work_heap_bound(&w, 16) == 40);
	assert_true(work_rank_bound(&w) == 50 * 10 * 4);
	assert_true(work_bytes_a_page(&w, &policy_bfs, 16) == 17 + 4 * 0.5);
	assert_true(work_bytes_a_page(&w, &policy_ieca, 16) == 17 + 16 * 0.5);
	const struct work large = {.peak = PILE_TOP + 1000};
	assert_true(work_bytes_a_page(&large, &policy_ieca, 1000) ==
		    17 + 16 * (double)PILE_TOP / 1000 + 4);
}

/* By the definition: hot is what is as good as the K-th; of those at most K count. */
static void ties_are_shared_as_defined(void **state)
{
	struct rng rng = {6};
	int cut = 0;

	(void)state;
	for (int round = 0; round < 40; round++) {
		struct graph g;
		struct benchmark b;
		struct hot hot;
		uint32_t order[30], m = 5 + (uint32_t)rng_below(&rng, 26);
		random_graph(&g, &rng, 30, 1); /* many pages without a link to them */
		benchmark_make(&b, &g, 1e-13, 1);
		benchmark_share_ties(&b);
		rng_sample(&rng, 30, m, order);
		unsigned char *reached = hot_reach(&g, NULL, order, m);
		hot_measure(&hot, &b, &g, NULL, order, m, order, m);
		for (uint32_t k = 1; k <= m; k++) {
			uint64_t last = pagerank_key(b.rank[b.hot[k - 1]], 30);
			uint32_t hits = 0, found = 0;
			for (uint32_t i = 0; i < k; i++)
				hits += pagerank_key(b.rank[order[i]], 30) >= last;
			for (uint32_t u = 0; u < 30; u++)
				found += reached[u] && pagerank_key(b.rank[u], 30) >= last;
			cut += found > k;
			found = found < k ? found : k;
			struct hot_point p = hot_at(&hot, k);
			assert_true(p.strict == (double)hits / k);
			assert_true(p.discoverable == (hits < found ? (double)hits / found : 1));
		}
		free(reached);
		hot_release(&hot);
		benchmark_release(&b);
		graph_release(&g);
	}
	assert_true(cut > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_are_those_of_the_graphs),
		cmocka_unit_test(policies_that_are_equal_share_their_places),
		cmocka_unit_test(a_report_of_two_graphs_has_a_section_each),
		cmocka_unit_test(pages_taking_part_are_counted),
		cmocka_unit_test(bounds_are_those_of_the_paper),
		cmocka_unit_test(ties_are_shared_as_defined),
	};

	return cmocka_run_group_tests_name("across", tests, NULL, NULL);
}
