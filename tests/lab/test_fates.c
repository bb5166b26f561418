/* A replay of what an earlier crawl did not get: pages out of scope, failed, refused. */
#include "tests/test.h"

#include "base/rng.h"
#include "lab/replay/graph_source.h"
#include "lab/study/replay.h"
#include "policies/policies.h"
#include "tests/graph/graphs.h"

#include <string.h>

#define NODES 80

static struct dataset data;
static uint8_t fate[NODES];
static uint32_t host[NODES];
static double score[NODES];

/* A replay from `n` pages; nothing of it is the caller's but order and key. */
static struct replay crawl(const struct policy *policy, uint32_t *seed, size_t n, uint64_t most)
{
	struct seedset seeds = {.ids = seed, .n = n, .tried = seed, .n_tried = n};
	struct opt_set opts;

	for (uint32_t u = 0; u < NODES; u++)
		score[u] = u * 37 % 11;
	data.score = score;
	opt_init(&opts, policy->opts, policy->name);
	struct replay r =
		{.policy = policy, .opts = &opts, .batch = 7, .total = NODES, .rng_seed = 3, .max_pages = most, .with_keys = 1};
	assert_int_equal(replay_run(&r, &data, &seeds, NULL), 0);
	opt_release(&opts);
	return r;
}

/* Breadth first by hand: a page that fails takes its turn and leaves nothing. */
static uint32_t search(const uint32_t *seed, size_t n, uint32_t *order)
{
	uint32_t queue[NODES], crawled = 0;
	size_t head = 0, tail = 0;
	uint8_t seen[NODES] = {0};

	for (size_t i = 0; i < n; i++) {
		if (!seen[seed[i]])
			queue[tail++] = seed[i];
		seen[seed[i]] = 1;
	}
	while (head < tail) {
		uint32_t u = queue[head++];
		if (fate[u])
			continue;
		order[crawled++] = u;
		for (uint32_t i = 0; i < graph_outdegree(&data.graph, u); i++) {
			uint32_t v = graph_row(&data.graph, u)[i];
			if (!seen[v] && fate[v] != PAGE_OUTSIDE)
				queue[tail++] = v;
			seen[v] = 1;
		}
	}
	return crawled;
}

/* For policies that look at links alone (echo looks at what else is queued, too, aim at scores, and random draws) it does not
 * matter whether a page fails or is not queued at all: a second way to their orders. The orders of other policies are not compared
 * with it. */
static int looks_at_links_alone(const struct policy *p)
{
	static const struct policy *const those[] = {&policy_bfs, &policy_backlink, &policy_batch_pagerank,
		&policy_partial_pagerank, &policy_opic, &policy_fica, &policy_ieca, &policy_dfs};

	for (size_t i = 0; i < sizeof those / sizeof *those; i++)
		if (p == those[i])
			return 1;
	return 0;
}

static void check(const struct policy *p, uint32_t *seed, size_t n, uint64_t most)
{
	uint32_t wanted[NODES], got = 0, reached = search(seed, n, wanted);
	uint8_t was[NODES], seen[NODES] = {0};
	struct replay r = crawl(p, seed, n, most);

	if (r.crawled != (most && most < reached ? most : reached))
		fail_msg("%s: %u pages, not %u", p->name, r.crawled, reached);
	if (p == &policy_bfs)
		assert_memory_equal(r.order, wanted, r.crawled * sizeof *wanted);
	for (uint32_t i = 0; i < r.crawled; i++) {
		assert_int_equal(fate[r.order[i]], 0);
		assert_int_equal(seen[r.order[i]], 0);
		seen[r.order[i]] = 1;
		got += graph_outdegree(&data.graph, r.order[i]);
	}
	assert_int_equal(r.links, got);
	if (looks_at_links_alone(p)) {
		memcpy(was, fate, sizeof was);
		for (uint32_t u = 0; u < NODES; u++)
			fate[u] = fate[u] ? PAGE_OUTSIDE : 0;
		for (size_t i = 0; i < n; i++) /* a seed is in scope */
			fate[seed[i]] = was[seed[i]];
		struct replay other = crawl(p, seed, n, most);
		memcpy(fate, was, sizeof was);
		if (other.crawled != r.crawled || memcmp(other.order, r.order, r.crawled * sizeof *r.order) != 0 ||
			memcmp(other.key, r.key, r.crawled * sizeof *r.key) != 0)
			fail_msg("%s: another order where pages that fail are out of scope", p->name);
		replay_release(&other);
	}
	replay_release(&r);
}

static void every_policy_crawls_what_it_gets(void **state)
{
	struct rng rng = {11};

	(void)state;
	static const uint8_t fates[] = {PAGE_OUTSIDE, PAGE_FAILED, PAGE_REFUSED};
	for (size_t i = 0; policies[i]; i++)
		if (!policies[i]->oracle && !looks_at_links_alone(policies[i]))
			print_message("# no second way to the order of %s\n", policies[i]->name);
	for (int round = 0; round < 30; round++) {
		uint32_t seed[3];
		random_graph(&data.graph, &rng, NODES, 1 + (uint32_t)rng_below(&rng, 5));
		for (uint32_t u = 0; u < NODES; u++) {
			fate[u] = rng_below(&rng, 3) ? 0 : fates[rng_below(&rng, 3)];
			host[u] = (uint32_t)rng_below(&rng, 6);
		}
		data.outside = fate;
		data.names.host = host;
		for (int i = 0; i < 3; i++)
			do
				seed[i] = (uint32_t)rng_below(&rng, NODES);
			while (fate[seed[i]] == PAGE_OUTSIDE);
		for (size_t i = 0; policies[i]; i++)
			if (!policies[i]->oracle)
				check(policies[i], seed, 3, round % 3 ? 0 : 10);
		graph_release(&data.graph);
		data = (struct dataset){0};
	}
}

static void nothing_is_left_where_all_fails(void **state)
{
	uint32_t seed[] = {0, 5};

	(void)state;
	g12(&data.graph);
	memset(fate, PAGE_FAILED, sizeof fate);
	data.outside = fate;
	for (size_t i = 0; policies[i]; i++) {
		if (policies[i]->oracle || policies[i]->host_key)
			continue;
		struct replay r = crawl(policies[i], seed, 2, 0);
		assert_int_equal(r.crawled, 0);
		assert_int_equal(r.links, 0);
		replay_release(&r);
	}
	graph_release(&data.graph);
	data = (struct dataset){0};
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_policy_crawls_what_it_gets),
		cmocka_unit_test(nothing_is_left_where_all_fails),
	};

	return cmocka_run_group_tests_name("fates", tests, NULL, NULL);
}
