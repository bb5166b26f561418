/* A crawl by several agents in one process: with one agent it is a replay, with several the union is the same set of pages, and
 * a second, simple implementation agrees page by page. */
#include "tests/test.h"

#include "lab/study/fleet.h"
#include "policies/policies.h"
#include "tests/graph/graphs.h"

#include <math.h>

#define HOSTS 16
#define MOST  80

/* A data set of n nodes on up to HOSTS sites, h0.test to h15.test, with names only for the hosts. */
static void make_data(struct dataset *d, struct rng *rng, uint32_t n, uint32_t degree)
{
	char *text = mem_zero(HOSTS, 16);

	*d = (struct dataset){.format = "edges"};
	random_graph(&d->graph, rng, n, degree);
	d->names = (struct names){.nodes = n,
		.hosts = HOSTS,
		.host = mem_new(n, sizeof *d->names.host),
		.host_text = text,
		.host_start = mem_new(HOSTS, sizeof *d->names.host_start)};
	for (uint32_t h = 0; h < HOSTS; h++) {
		d->names.host_start[h] = h * 16u;
		snprintf(text + h * 16, 16, "h%u.test", h);
	}
	for (uint32_t u = 0; u < n; u++)
		d->names.host[u] = (uint32_t)rng_below(rng, HOSTS);
}

struct made {
	struct dataset data;
	struct seedset seeds;
	struct benchmark benchmark;
	struct opt_set opts;
};

static void make(struct made *m, struct rng *rng, const struct policy *p, const char *opt)
{
	const uint32_t n = 2 + (uint32_t)rng_below(rng, MOST - 2), seeds[] = {0, n - 1, n / 2};
	struct err_note why;

	make_data(&m->data, rng, n, 1 + (uint32_t)rng_below(rng, 5));
	benchmark_make(&m->benchmark, &m->data.graph, 1e-12, 1);
	assert_int_equal(seedset_take(&m->seeds, seeds, n > 2 ? 3 : 2, &m->data, &why), 0);
	opt_init(&m->opts, p->opts, p->name);
	if (opt)
		assert_int_equal(opt_give(&m->opts, opt, &why), 0);
}

static void unmake(struct made *m)
{
	opt_release(&m->opts);
	seedset_release(&m->seeds);
	benchmark_release(&m->benchmark);
	dataset_release(&m->data);
}

static struct replay replay_of(const struct made *m, const struct policy *p, uint64_t batch)
{
	return (struct replay){.policy = p,
		.opts = &m->opts,
		.batch = batch,
		.rng_seed = 5,
		.benchmark = &m->benchmark,
		.with_hosts = 0,
		.with_keys = 1};
}

static void one_agent_takes_the_pages_of_a_replay_in_their_order(void **state)
{
	struct rng rng = {1};

	(void)state;
	for (int round = 0; round < 60; round++)
		for (size_t i = 0; policies[i]; i++) {
			struct made m;
			struct err_note why;
			if (policies[i]->oracle == POLICY_SCORES || policies[i]->needs & POLICY_SEES_SCORES) /* it needs a file */
				continue;
			make(&m, &rng, policies[i], NULL);
			const struct fleet_plan plan = {1, (uint64_t)(round % 4), round % 2 ? FLEET_LOAD : FLEET_FIXED};
			struct replay alone = replay_of(&m, policies[i], 1 + (uint64_t)(round % 9)), fleet = alone;
			fleet.fleet = &plan;
			assert_int_equal(replay_run(&alone, &m.data, &m.seeds, &why), 0);
			assert_int_equal(fleet_run(&fleet, &m.data, &m.seeds, &why), 0);
			assert_int_equal(alone.crawled, fleet.crawled);
			assert_memory_equal(alone.order, fleet.order, alone.crawled * sizeof *alone.order);
			assert_memory_equal(alone.key, fleet.key, alone.crawled * sizeof *alone.key);
			assert_int_equal(fleet.figures->all.letters, 0);
			assert_int_equal(fleet.figures->all.idle, 0);
			assert_int_equal(alone.work.total.targets, fleet.work.total.targets);
			assert_int_equal(alone.work.steps, fleet.work.steps);
			fleet_figures_free(fleet.figures);
			replay_release(&alone);
			replay_release(&fleet);
			unmake(&m);
		}
}

static void one_agent_sees_the_scores_of_a_store_as_a_replay_does(void **state)
{
	const struct fleet_plan plan = {1, 0, FLEET_FIXED};
	struct rng rng = {7};

	(void)state;
	for (int round = 0; round < 30; round++) {
		struct made m;
		struct err_note why;
		make(&m, &rng, &policy_aim, NULL);
		m.data.score = mem_new(m.data.graph.nodes, sizeof *m.data.score);
		for (uint32_t u = 0; u < m.data.graph.nodes; u++)
			m.data.score[u] = u % 5 ? (double)rng_below(&rng, 10) : (double)NAN;
		struct replay alone = replay_of(&m, &policy_aim, 3), fleet = alone;
		fleet.fleet = &plan;
		assert_int_equal(replay_run(&alone, &m.data, &m.seeds, &why), 0);
		assert_int_equal(fleet_run(&fleet, &m.data, &m.seeds, &why), 0);
		assert_int_equal(alone.crawled, fleet.crawled);
		assert_memory_equal(alone.order, fleet.order, alone.crawled * sizeof *alone.order);
		assert_memory_equal(alone.key, fleet.key, alone.crawled * sizeof *alone.key);
		fleet_figures_free(fleet.figures);
		replay_release(&alone);
		replay_release(&fleet);
		unmake(&m);
	}
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void any_number_of_agents_and_any_lag_crawl_the_same_pages_once(void **state)
{
	static const uint64_t agents[] = {2, 3, 16, 1024}, lags[] = {0, 1, 7, 300};
	struct rng rng = {2};
	uint64_t moves = 0;

	(void)state;
	for (int round = 0; round < 32; round++)
		for (size_t i = 0; policies[i]; i++) {
			struct made m;
			struct err_note why;
			if (policies[i]->oracle == POLICY_SCORES || policies[i]->needs & POLICY_SEES_SCORES)
				continue;
			make(&m, &rng, policies[i], NULL);
			const struct fleet_plan plan = {agents[round % 4], lags[round / 4 % 4],
				round / 16 ? FLEET_LOAD : FLEET_FIXED};
			struct replay alone = replay_of(&m, policies[i], 1 + (uint64_t)(round % 9)), fleet = alone;
			fleet.fleet = &plan;
			assert_int_equal(replay_run(&alone, &m.data, &m.seeds, &why), 0);
			assert_int_equal(fleet_run(&fleet, &m.data, &m.seeds, &why), 0);
			assert_int_equal(alone.crawled, fleet.crawled);
			assert_int_equal(fleet.figures->twice, 0);
			moves += fleet.figures->moves;
			assert_int_equal(fleet.figures->all.letters, fleet.figures->all.taken);
			assert_int_equal(fleet.figures->all.crawled, fleet.crawled);
			assert_int_equal(fleet.figures->ticks * fleet.figures->agents, fleet.figures->all.idle + fleet.crawled);
			qsort(alone.order, alone.crawled, sizeof *alone.order, by_number);
			qsort(fleet.order, fleet.crawled, sizeof *fleet.order, by_number);
			assert_memory_equal(alone.order, fleet.order, alone.crawled * sizeof *alone.order);
			fleet_figures_free(fleet.figures);
			replay_release(&alone);
			replay_release(&fleet);
			unmake(&m);
		}
	assert_true(moves > 0);
}

/* --- a second implementation, for OPIC and for Backlink with a batch of one page: arrays of every node at every agent, and a
 * linear scan in place of each queue. It knows neither URLs nor letters nor local ids. */

enum { UNSEEN, QUEUED, CRAWLED };

/* What an agent hears of page u from its owner: the links there that are of one partition. */
struct news {
	uint64_t due;
	uint32_t u;
	unsigned partition;
	double key;
};

struct slow {
	const struct made *m;
	const struct fleet_plan *plan;
	int is_opic;
	uint32_t state[MOST], seq[MOST];
	double key[MOST];
	uint32_t next_seq[PARTITIONS]; /* of each agent */
	struct news *news;
	size_t n_news, room, told;
	uint32_t order[MOST], crawled;
	double keys[MOST];
};

static unsigned slow_partition(const struct slow *s, uint32_t u)
{
	const char *host = names_host(&s->m->data.names, u);

	return partition_of(host, strlen(host));
}

static unsigned slow_owner(const struct slow *s, uint32_t u)
{
	return slow_partition(s, u) % (unsigned)s->plan->agents;
}

/* The policy of agent `a` hears of u, for its targets of one partition, or (partition == PARTITIONS) for all of its targets. */
static void slow_hear(struct slow *s, unsigned a, uint32_t u, double key, unsigned partition)
{
	const struct graph *g = &s->m->data.graph;
	const size_t n = graph_outdegree(g, u);

	for (size_t i = 0; i < n; i++) {
		const uint32_t v = graph_row(g, u)[i];
		if (slow_owner(s, v) != a || (partition < PARTITIONS && slow_partition(s, v) != partition))
			continue;
		if (s->state[v] == UNSEEN) {
			s->state[v] = QUEUED;
			s->seq[v] = s->next_seq[a]++;
			s->key[v] = s->is_opic ? 1 : 0;
		}
		if (s->state[v] == QUEUED)
			s->key[v] += s->is_opic ? key / (double)n : 1;
	}
}

static void slow_send(struct slow *s, uint32_t u, uint64_t tick)
{
	const struct graph *g = &s->m->data.graph;
	uint8_t goes_to[PARTITIONS] = {0};

	for (size_t i = 0; i < graph_outdegree(g, u); i++)
		goes_to[slow_partition(s, graph_row(g, u)[i])] = 1;
	for (unsigned p = 0; p < PARTITIONS; p++)
		if (goes_to[p] && p % s->plan->agents != slow_owner(s, u)) {
			s->news = mem_grow(s->news, &s->room, s->n_news + 1, sizeof *s->news);
			s->news[s->n_news++] = (struct news){tick + 1 + s->plan->lag, u, p, s->key[u]};
		}
}

/* Returns the best queued page of an agent, or UINT32_MAX. */
static uint32_t slow_best(const struct slow *s, unsigned a)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t v = 0; v < s->m->data.graph.nodes; v++)
		if (s->state[v] == QUEUED && slow_owner(s, v) == a &&
			(best == UINT32_MAX || s->key[v] > s->key[best] || (s->key[v] == s->key[best] && s->seq[v] < s->seq[best])))
			best = v;
	return best;
}

static void slow_run(struct slow *s)
{
	for (size_t i = 0; i < s->m->seeds.n; i++) {
		const uint32_t u = s->m->seeds.ids[i];
		s->state[u] = QUEUED;
		s->seq[u] = s->next_seq[slow_owner(s, u)]++;
		s->key[u] = s->is_opic ? 1 : 0;
	}
	for (uint64_t tick = 0, taken = 1; taken || s->told < s->n_news; tick++) {
		for (; s->told < s->n_news && s->news[s->told].due <= tick; s->told++) {
			const struct news *n = &s->news[s->told];
			slow_hear(s, n->partition % (unsigned)s->plan->agents, n->u, n->key, n->partition);
		}
		taken = 0;
		for (unsigned a = 0; a < s->plan->agents; a++) {
			const uint32_t u = slow_best(s, a);
			if (u == UINT32_MAX)
				continue;
			taken = 1;
			s->state[u] = CRAWLED;
			s->keys[s->crawled] = s->key[u];
			s->order[s->crawled++] = u;
			slow_send(s, u, tick);
			slow_hear(s, a, u, s->key[u], PARTITIONS);
		}
	}
	free(s->news);
}

static void check_slow(const struct policy *p, const char *opt, uint64_t seed)
{
	struct rng rng = {seed};

	for (int round = 0; round < 200; round++) {
		const struct fleet_plan plan = {1 + rng_below(&rng, 9), rng_below(&rng, 12), FLEET_FIXED};
		struct slow *s = mem_zero(1, sizeof *s);
		struct made m;
		struct err_note why;
		make(&m, &rng, p, opt);
		*s = (struct slow){.m = &m, .plan = &plan, .is_opic = p == &policy_opic};
		slow_run(s);
		struct replay r = replay_of(&m, p, 1);
		r.fleet = &plan;
		assert_int_equal(fleet_run(&r, &m.data, &m.seeds, &why), 0);
		assert_int_equal(r.crawled, s->crawled);
		assert_int_equal(r.figures->all.letters, s->n_news);
		assert_memory_equal(r.order, s->order, r.crawled * sizeof *r.order);
		assert_memory_equal(r.key, s->keys, r.crawled * sizeof *r.key);
		fleet_figures_free(r.figures);
		replay_release(&r);
		unmake(&m);
		free(s);
	}
}

static void a_second_implementation_agrees_for_opic(void **state)
{
	(void)state;
	check_slow(&policy_opic, NULL, 3);
}

static void a_second_implementation_agrees_for_backlink(void **state)
{
	(void)state;
	check_slow(&policy_backlink, NULL, 4);
}

static void several_agents_need_hosts_and_a_single_policy(void **state)
{
	const struct fleet_plan two = {2, 0, FLEET_FIXED},
				wrong[] = {{1024, FLEET_LAG_MOST, FLEET_FIXED}, {2, INT64_MAX, FLEET_FIXED},
					{1, UINT64_MAX, FLEET_FIXED}, {0, 0, FLEET_FIXED}, {1025, 0, FLEET_FIXED}};
	const struct policy *chain;
	struct rng rng = {6};
	struct err_note why;
	struct made m;

	(void)state;
	make(&m, &rng, &policy_opic, NULL);
	struct replay r = replay_of(&m, &policy_opic, 1);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		r.fleet = &wrong[i];
		assert_int_equal(fleet_run(&r, &m.data, &m.seeds, &why), ERR_USAGE);
	}
	r.fleet = &two;
	free(m.data.names.host);
	m.data.names.host = NULL;
	assert_int_equal(fleet_run(&r, &m.data, &m.seeds, &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "--hosts"));
	assert_int_equal(policy_find("bfs:3,opic", &chain, &why), 0);
	r.policy = chain;
	assert_int_equal(fleet_run(&r, &m.data, &m.seeds, &why), ERR_USAGE);
	policy_free(chain);
	unmake(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_agent_takes_the_pages_of_a_replay_in_their_order),
		cmocka_unit_test(one_agent_sees_the_scores_of_a_store_as_a_replay_does),
		cmocka_unit_test(any_number_of_agents_and_any_lag_crawl_the_same_pages_once),
		cmocka_unit_test(a_second_implementation_agrees_for_opic),
		cmocka_unit_test(a_second_implementation_agrees_for_backlink),
		cmocka_unit_test(several_agents_need_hosts_and_a_single_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
