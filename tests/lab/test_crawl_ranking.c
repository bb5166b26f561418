/* A crawl to its end as a ranking: cash against a slow second crawl, distances, order, overlap. */
#include "tests/test.h"

#include "lab/study/replay.h"
#include "policies/policies.h"
#include "tests/graph/graphs.h"

#include <math.h>

#define MOST 40

/* A replay with keys from the given seeds. */
static void crawl(struct replay *r, const struct policy *policy, struct opt_set *opts, const struct dataset *d, uint32_t *seeds,
	size_t n)
{
	struct seedset set = {.ids = seeds, .n = n};

	opt_init(opts, policy->opts, policy->name);
	*r = (struct replay){.policy = policy, .opts = opts, .batch = 7, .with_keys = 1};
	assert_int_equal(replay_run(r, d, &set, NULL), 0);
}

/* OPIC as it is told: all cash is kept, page by page, by scanning for the richest. */
static void slow_cash(const struct graph *g, const uint32_t *seeds, size_t n, double *cash, double *history)
{
	uint32_t seq[MOST], next = 0;
	int state[MOST] = {0}; /* 1 queued, 2 crawled */

	for (uint32_t u = 0; u < g->nodes; u++)
		cash[u] = history[u] = 0;
	for (size_t i = 0; i < n; i++) {
		state[seeds[i]] = 1;
		cash[seeds[i]] = 1;
		seq[seeds[i]] = next++;
	}
	for (;;) {
		uint32_t best = UINT32_MAX;
		for (uint32_t u = 0; u < g->nodes; u++)
			if (state[u] == 1 &&
				(best == UINT32_MAX || cash[u] > cash[best] || (cash[u] == cash[best] && seq[u] < seq[best])))
				best = u;
		if (best == UINT32_MAX)
			return;
		double had = cash[best], share = had / graph_outdegree(g, best);
		state[best] = 2;
		for (uint32_t i = 0; i < graph_outdegree(g, best); i++) {
			uint32_t v = graph_row(g, best)[i];
			if (!state[v]) {
				state[v] = 1;
				seq[v] = next++;
				cash[v] = 1;
			}
			cash[v] += share;
		}
		cash[best] = 0;
		history[best] = had;
	}
}

static void cash_and_history_are_those_of_a_crawl_that_keeps_them(void **state)
{
	struct rng rng = {11};

	(void)state;
	for (int round = 0; round < 60; round++) {
		double score[MOST], history[MOST], cash[MOST], spent[MOST];
		uint64_t key[MOST];
		uint32_t seeds[3];
		struct dataset d = {.format = "test"};
		struct opt_set opts;
		struct replay r;
		random_graph(&d.graph, &rng, MOST, 3);
		rng_sample(&rng, MOST, 3, seeds);
		crawl(&r, &policy_opic, &opts, &d, seeds, 3);
		crawl_ranking_make(CRAWL_RANKING_CASH, &r, &d.graph, score, history, key);
		slow_cash(&d.graph, seeds, 3, cash, spent);
		for (uint32_t u = 0; u < MOST; u++) {
			assert_true(fabs(history[u] - spent[u]) < 1e-12);
			assert_true(fabs(score[u] - (cash[u] + spent[u])) < 1e-12);
		}
		replay_release(&r);
		opt_release(&opts);
		dataset_release(&d);
	}
}

static void distances_are_the_keys_and_what_is_not_reached_is_last(void **state)
{
	struct rng rng = {12};
	int unreached = 0;

	(void)state;
	for (int round = 0; round < 60; round++) {
		double score[MOST];
		uint64_t key[MOST];
		uint32_t seed = (uint32_t)rng_below(&rng, MOST);
		struct dataset d = {.format = "test"};
		struct opt_set opts;
		struct replay r;
		random_graph(&d.graph, &rng, MOST, 2);
		crawl(&r, round % 2 ? &policy_ieca : &policy_fica, &opts, &d, &seed, 1);
		crawl_ranking_make(CRAWL_RANKING_KEY, &r, &d.graph, score, NULL, key);
		for (uint32_t i = 0; i < r.crawled; i++)
			assert_true(score[r.order[i]] == r.key[i]);
		for (uint32_t u = 0; u < MOST; u++) {
			unreached += isinf(score[u]) ? 1 : 0;
			for (uint32_t v = 0; v < MOST; v++) {
				assert_int_equal(key[u] > key[v], score[u] < score[v]);
				assert_int_equal(key[u] == key[v], score[u] == score[v]);
			}
		}
		replay_release(&r);
		opt_release(&opts);
		dataset_release(&d);
	}
	assert_true(unreached > 0);
}

static void negative_keys_and_both_zeros_are_ordered(void **state)
{
	double keys[] = {0.0, -0.0, -3, 1e-300, -1e-300, 7}, score[6];
	uint32_t order[] = {0, 1, 2, 3, 4, 5};
	uint64_t key[6];
	struct replay r = {.policy = &policy_ieca, .order = order, .key = keys, .crawled = 6};
	struct graph g = {.nodes = 6};

	(void)state;
	crawl_ranking_make(CRAWL_RANKING_KEY, &r, &g, score, NULL, key);
	assert_true(key[0] == key[1]);
	assert_true(key[2] > key[4] && key[4] > key[0] && key[0] > key[3] && key[3] > key[5]);
	r.policy = &policy_opic; /* highest first */
	crawl_ranking_make(CRAWL_RANKING_KEY, &r, &g, score, NULL, key);
	assert_true(key[0] == key[1]);
	assert_true(key[2] < key[4] && key[4] < key[0] && key[0] < key[3] && key[3] < key[5]);
}

static void overlap_agrees_with_counting(void **state)
{
	struct rng rng = {13};

	(void)state;
	for (int round = 0; round < 200; round++) {
		uint32_t n = 1 + (uint32_t)rng_below(&rng, MOST), both = 0;
		uint32_t m = 1 + (uint32_t)rng_below(&rng, n);
		uint64_t a[MOST], b[MOST];
		for (uint32_t i = 0; i < n; i++) {
			a[i] = rng_below(&rng, 9); /* many ties: the lower id is better */
			b[i] = rng_below(&rng, 9);
		}
		for (uint32_t i = 0; i < n; i++) {
			uint32_t before_a = 0, before_b = 0;
			for (uint32_t j = 0; j < n; j++) {
				before_a += a[j] > a[i] || (a[j] == a[i] && j < i);
				before_b += b[j] > b[i] || (b[j] == b[i] && j < i);
			}
			both += before_a < m && before_b < m;
		}
		assert_int_equal(crawl_ranking_overlap(a, b, n, m), both);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cash_and_history_are_those_of_a_crawl_that_keeps_them),
		cmocka_unit_test(distances_are_the_keys_and_what_is_not_reached_is_last),
		cmocka_unit_test(negative_keys_and_both_zeros_are_ordered),
		cmocka_unit_test(overlap_agrees_with_counting),
	};

	return cmocka_run_group_tests_name("importance", tests, NULL, NULL);
}
