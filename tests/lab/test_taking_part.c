/* What policies had to look at, counted anew from the order of a crawl, and ties that are shared. */
#include "tests/test.h"

#include "frontier/pile.h"
#include "graph/kernels/pagerank.h"
#include "lab/study/oracle.h"
#include "lab/study/replay.h"
#include "policies/policies.h"
#include "tests/graph/graphs.h"

/* What is queued when each hundredth is crawled, counted from the order anew. */
static void queued_from_order(const struct graph *g, const uint32_t *order, uint32_t crawled, const uint32_t *seeds, size_t n_seeds,
	uint32_t *queued)
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
		while (step < OP_COUNTS_STEPS && op_counts_step_at(step, g->nodes) == i + 1)
			queued[step++] = n - (i + 1);
	}
	free(seen);
}

static void pages_taking_part_are_counted(void **state)
{
	static const struct policy *const tried[] = {&policy_bfs, &policy_ieca, &policy_opic, &policy_partial_pagerank};
	struct rng rng = {5};
	struct dataset d = {.format = "test"};
	uint32_t seeds[] = {3, 70}, queued[OP_COUNTS_STEPS];
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
			uint32_t crawled = op_counts_step_at(i, 500);
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
		assert_int_equal(r.work.total.ranked_arcs > 0, tried[p] == &policy_partial_pagerank);
		replay_release(&r);
		opt_release(&opts);
	}
	dataset_release(&d);
}

static void bounds_are_those_of_the_paper(void **state)
{
	const struct op_counts w = {.links = 10, .batches = 3, .peak = 8};

	(void)state;
	assert_true(op_counts_heap_bound(&w, 16) == 40);
	assert_true(op_counts_rank_bound(&w) == 50 * 10 * 4);
	assert_true(op_counts_bytes_a_page(&w, &policy_bfs, 16) == 17 + 4 * 0.5);
	assert_true(op_counts_bytes_a_page(&w, &policy_ieca, 16) == 17 + 16 * 0.5);
	const struct op_counts large = {.peak = 8 * PILE_TOP + 1000};
	assert_true(op_counts_bytes_a_page(&large, &policy_ieca, 1000) ==
		17 + (16 * (double)PILE_TOP + 4 * (7 * (double)PILE_TOP + 1000)) / 1000);
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
		struct throughput hot;
		uint32_t order[30], m = 5 + (uint32_t)rng_below(&rng, 26);
		random_graph(&g, &rng, 30, 1); /* many pages without a link to them */
		benchmark_make(&b, &g, 1e-13, 1);
		benchmark_share_ties(&b);
		rng_sample(&rng, 30, m, order);
		unsigned char *reached = throughput_reach(&g, NULL, order, m);
		throughput_measure(&hot, &b, &g, NULL, order, m, order, m);
		for (uint32_t k = 1; k <= m; k++) {
			uint64_t last = pagerank_key(b.rank[b.hot[k - 1]], 30);
			uint32_t hits = 0, found = 0;
			for (uint32_t i = 0; i < k; i++)
				hits += pagerank_key(b.rank[order[i]], 30) >= last;
			for (uint32_t u = 0; u < 30; u++)
				found += reached[u] && pagerank_key(b.rank[u], 30) >= last;
			cut += found > k;
			found = found < k ? found : k;
			struct throughput_point p = throughput_at(&hot, k);
			assert_true(p.strict == (double)hits / k);
			assert_true(p.discoverable == (hits < found ? (double)hits / found : 1));
		}
		free(reached);
		throughput_release(&hot);
		benchmark_release(&b);
		graph_release(&g);
	}
	assert_true(cut > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_taking_part_are_counted),
		cmocka_unit_test(bounds_are_those_of_the_paper),
		cmocka_unit_test(ties_are_shared_as_defined),
	};

	return cmocka_run_group_tests_name("taking part", tests, NULL, NULL);
}
