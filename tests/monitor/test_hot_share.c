/* The estimate of the hot pages that a crawl has: its formula, and what it is worth on a graph whose hot pages are known. */
#include "tests/test.h"

#include "base/mem.h"
#include "monitor/census.h"
#include "graph/kernels/generate.h"
#include "lab/study/replay.h"
#include "policies/policies.h"

#include <math.h>
#include <stdlib.h>

static int is_near(double a, double b)
{
	return fabs(a - b) < 1e-12;
}

static void the_odds_are_those_of_crawled_to_waiting_pages_times_a_factor(void **state)
{
	const struct frontier_counts n = {.seen = 500, .crawled = 60, .queued = 30, .in_flight = 10, .failed = 7, .refused = 90};
	const struct hot_share plain = hot_share_of(&n, 0, "opic"), model = hot_share_of(&n, 0, "echo");

	(void)state;
	assert_true(is_near(plain.share / (1 - plain.share), 1.43 * 60 / 40));
	assert_true(is_near(plain.low / (1 - plain.low), .47 * 60 / 40));
	assert_true(fabs(plain.high / (1 - plain.high) - 9.26 * 60 / 40) < 1e-9);
	assert_true(model.low > plain.low && model.share > plain.share && model.high > plain.high);
}

static void what_is_put_off_counts_against_the_whole(void **state)
{
	const struct frontier_counts n = {.crawled = 60, .queued = 1000, .deferred = 1000, .refused = 500};
	const struct hot_share deferred = hot_share_of(&n, 0, "bfs"), skipped = hot_share_of(&n, 500, "bfs");

	(void)state;
	assert_true(is_near(deferred.share / (1 - deferred.share), 1.43 * 60 / 100));
	assert_true(is_near(deferred.low / (1 - deferred.low), .47 * 60 / 1000));
	assert_true(is_near(skipped.low / (1 - skipped.low), .47 * 60 / 1500));
	assert_true(skipped.high < deferred.high && deferred.high < 1);
}

static void nothing_is_estimated_of_nothing(void **state)
{
	const struct frontier_counts n = {.seen = 3, .queued = 3};

	(void)state;
	assert_true(isnan(hot_share_of(&n, 0, "bfs").share));
	assert_true(isnan(hot_share_of(&n, 0, "bfs").low) && isnan(hot_share_of(&n, 0, "bfs").high));
}

static void a_crawl_to_the_end_has_all_hot_pages(void **state)
{
	const struct frontier_counts n = {.seen = 70, .crawled = 60, .failed = 4, .refused = 6};
	const struct hot_share s = hot_share_of(&n, 0, "bfs");

	(void)state;
	assert_true(is_near(s.share, 1) && is_near(s.low, 1) && is_near(s.high, 1));
}

/* The counts of a crawl after its first k pages: a page waits if a crawled one links to it. */
static struct frontier_counts counts_at(const struct graph *g, const uint32_t *order, uint32_t k)
{
	unsigned char *seen = mem_zero(g->nodes, 1);
	struct frontier_counts n = {.crawled = k};

	for (uint32_t i = 0; i < k; i++) {
		seen[order[i]] = 1;
		const uint32_t *row = graph_row(g, order[i]);
		for (uint32_t a = 0; a < graph_outdegree(g, order[i]); a++)
			seen[row[a]] = 1;
	}
	for (uint32_t v = 0; v < g->nodes; v++)
		n.seen += seen[v];
	n.queued = n.seen - k;
	free(seen);
	return n;
}

static void the_interval_holds_the_truth_on_a_generated_graph(void **state)
{
	static const char *const names[] = {"bfs", "opic", "ieca", "echo"};
	struct dataset data = {0};
	struct benchmark benchmark;
	uint32_t first[] = {1, 20, 300};
	struct seedset seeds = {.ids = first, .n = 3};
	unsigned held = 0, asked = 0;

	(void)state;
	struct generate shape = GENERATE_DEFAULT;
	shape.nodes = 3000;
	generate(&shape, &data.graph);
	benchmark_make(&benchmark, &data.graph, 1e-12, 1);
	for (size_t p = 0; p < sizeof names / sizeof *names; p++) {
		const struct policy *policy = policy_named(names[p]);
		struct opt_set opts;
		struct throughput truth;
		opt_init(&opts, policy->opts, policy->name);
		struct replay crawl = {.policy = policy, .opts = &opts};
		assert_int_equal(replay_run(&crawl, &data, &seeds, NULL), 0);
		throughput_measure(&truth, &benchmark, &data.graph, NULL, crawl.order, crawl.crawled, first, 3);
		for (uint32_t k = crawl.crawled / 5; k < crawl.crawled; k += crawl.crawled / 5) {
			const struct frontier_counts n = counts_at(&data.graph, crawl.order, k);
			const struct hot_share s = hot_share_of(&n, 0, names[p]);
			const double hot = throughput_at(&truth, k).discoverable;
			held += s.low <= hot && hot <= s.high;
			asked++;
		}
		throughput_release(&truth);
		replay_release(&crawl);
		opt_release(&opts);
	}
	assert_true(asked >= 16);
	assert_true(held * 10 >= asked * 8);
	benchmark_release(&benchmark);
	dataset_release(&data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_odds_are_those_of_crawled_to_waiting_pages_times_a_factor),
		cmocka_unit_test(what_is_put_off_counts_against_the_whole),
		cmocka_unit_test(nothing_is_estimated_of_nothing),
		cmocka_unit_test(a_crawl_to_the_end_has_all_hot_pages),
		cmocka_unit_test(the_interval_holds_the_truth_on_a_generated_graph),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
