/* Hosts that share an address, against a linear scan: what is taken is the best page among the
 * hosts and addresses that may be asked, whatever happens in between. */
#include "tests/test.h"

#include "base/rng.h"
#include "frontier/frontier.h"
#include "policies/policies.h"
#include "tests/seeds/ends.h"
#include "tests/graph/graphs.h"

#define PAGES   60
#define HOSTS   13
#define SERVERS 4

/* The slow second method: clocks by host and address, and a look at every page. */
struct model {
	struct frontier *f;
	const struct policy *policy;
	int64_t delay, slow;
	uint32_t per_host;
	struct clock {
		int64_t next, was_next;
		uint32_t in_flight;
	} host[HOSTS], server[SERVERS + 1];
	int64_t asked[HOSTS]; /* Crawl-delay */
	uint32_t server_of[HOSTS];
	int64_t not_before[PAGES];
	uint32_t flying[PAGES];
	size_t n_flying;
	int64_t now;
};

static uint32_t host_of(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % HOSTS;
}

static int may_ask(const struct model *m, const struct clock *c)
{
	return c->in_flight < m->per_host && c->next <= m->now;
}

/* Whether page v may be taken now. */
static int is_free(const struct model *m, uint32_t v)
{
	uint32_t h = host_of(NULL, v), s = m->server_of[h];

	return frontier_state(m->f, v) == PAGE_QUEUED && m->not_before[v] <= m->now && may_ask(m, &m->host[h]) &&
		(!s || may_ask(m, &m->server[s]));
}

static int is_better(const struct model *m, uint32_t v, uint32_t than)
{
	const struct page *p = pages_of(m->f);

	if (p[v].key != p[than].key)
		return (p[v].key > p[than].key) == (m->policy->order == POLICY_HIGHEST_FIRST);
	return p[v].seq < p[than].seq;
}

static uint32_t best_page(const struct model *m)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t v = 0; v < PAGES; v++)
		if (is_free(m, v) && (best == UINT32_MAX || is_better(m, v, best)))
			best = v;
	return best;
}

static int64_t longer(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void take_clock(const struct model *m, struct clock *c, int64_t delay)
{
	c->in_flight++;
	c->was_next = c->next;
	if (delay > 0 && m->now + delay > c->next)
		c->next = m->now + delay;
}

static void back_clock(const struct model *m, struct clock *c, int64_t delay)
{
	c->in_flight--;
	if (delay > 0) {
		c->next = longer(c->next, m->now + delay);
		c->was_next = longer(c->was_next, m->now + delay);
	}
}

static void unask_clock(struct clock *c)
{
	c->in_flight--;
	if (!c->in_flight)
		c->next = c->was_next;
}

static void take(struct model *m)
{
	uint32_t wanted = best_page(m), id;
	int found = frontier_take(m->f, m->now, &id);

	assert_int_equal(found, wanted != UINT32_MAX);
	if (!found) {
		assert_true(frontier_next_time(m->f) > m->now); /* or the loop would spin */
		return;
	}
	assert_int_equal(id, wanted);
	uint32_t h = host_of(NULL, id);
	take_clock(m, &m->host[h], longer(m->delay, m->asked[h]));
	if (m->server_of[h])
		take_clock(m, &m->server[m->server_of[h]], m->delay);
	m->flying[m->n_flying++] = id;
}

/* A host is found at an address, or has moved. */
static void move(struct model *m, uint32_t h, uint32_t server)
{
	m->server[m->server_of[h]].in_flight -= m->host[h].in_flight;
	m->server[server].in_flight += m->host[h].in_flight;
	m->server_of[h] = server;
}

/* How the page ends: with or without a request. */
static void choose_end(struct frontier_end *end, const struct graph *g, uint32_t id, struct rng *rng)
{
	if (end->request == FRONTIER_NOT_ASKED) {
		end->state = rng_below(rng, 2) ? PAGE_QUEUED : PAGE_REFUSED;
		return;
	}
	switch (rng_below(rng, 5)) {
	case 0:
		end->state = PAGE_QUEUED;
		end->not_before = end->at + (int64_t)rng_below(rng, 50);
		break;
	case 1:
		end->state = PAGE_FAILED;
		break;
	default:
		end->state = PAGE_CRAWLED;
		end->links = graph_row(g, id);
		end->n_links = graph_outdegree(g, id);
	}
}

/* The clocks of the host and its server, before the host moves. */
static void back_clocks(struct model *m, uint32_t h, const struct frontier_end *end)
{
	const int64_t rest = m->delay > 0 ? longer(m->delay, m->slow * end->host->took) : 0;
	struct clock *host = &m->host[h], *server = m->server_of[h] ? &m->server[m->server_of[h]] : NULL;

	if (end->host->delay >= 0)
		m->asked[h] = end->host->delay;
	host->next = longer(host->next, end->host->pause);
	host->was_next = longer(host->was_next, end->host->pause);
	if (end->request == FRONTIER_NOT_ASKED) {
		unask_clock(host);
		if (server)
			unask_clock(server);
		return;
	}
	back_clock(m, host, longer(rest, m->asked[h]));
	if (server)
		back_clock(m, server, rest);
}

/* A page comes back, with or without a request, and with news of its host. */
static void back(struct model *m, const struct graph *g, struct rng *rng)
{
	size_t i = (size_t)rng_below(rng, m->n_flying);
	uint32_t id = m->flying[i], h = host_of(NULL, id);
	struct frontier_host_news news = {.delay = -1, .took = (int64_t)rng_below(rng, 30)};
	struct frontier_end end = {.at = m->now, .host = &news};

	m->flying[i] = m->flying[--m->n_flying];
	if (rng_below(rng, 12) == 0)
		news.address = 1 + (uint32_t)rng_below(rng, SERVERS);
	if (rng_below(rng, 4) == 0)
		end.request = FRONTIER_NOT_ASKED;
	if (rng_below(rng, 8) == 0)
		news.delay = (int64_t)rng_below(rng, 60);
	if (rng_below(rng, 8) == 0)
		news.pause = m->now + (int64_t)rng_below(rng, 100);
	choose_end(&end, g, id, rng);
	back_clocks(m, h, &end);
	if (news.address)
		move(m, h, news.address);
	if (end.not_before)
		m->not_before[id] = end.not_before;
	end_as(m->f, id, end);
}

static struct opt_set opts;

static int release_options(void **state)
{
	(void)state;
	opt_release(&opts);
	return 0;
}

static const double oracle[PAGES] = {[3] = 5, [8] = 7, [13] = 5, [40] = 1};

static double score_of(void *ctx, uint32_t id)
{
	(void)ctx;
	return id * 37 % 11;
}

static void begin(struct model *m, const struct policy *p, struct rng *rng)
{
	static const uint32_t seeds[] = {7, 8, 9, 20, 21, 22, 33};
	struct frontier_world w = {.host = host_of, .score = score_of};

	*m = (struct model){.policy = p,
		.delay = (int64_t)rng_below(rng, 3) * 10,
		.slow = (int64_t)rng_below(rng, 3),
		.per_host = 1 + (uint32_t)rng_below(rng, 3)};
	for (size_t i = 0; i < HOSTS; i++)
		m->host[i].next = INT64_MIN;
	for (size_t i = 0; i <= SERVERS; i++)
		m->server[i].next = INT64_MIN;
	struct frontier_settings s = {.policy = p,
		.opts = &opts,
		.oracle = oracle,
		.batch = 3,
		.total = PAGES,
		.rng_seed = 3,
		.delay_ms = m->delay,
		.slow_factor = (double)m->slow,
		.per_host = m->per_host};
	opt_release(&opts);
	opt_init(&opts, p->opts, p->name);
	assert_int_equal(frontier_new(&m->f, &s, &w, NULL), 0);
	frontier_seed(m->f, seeds, sizeof seeds / sizeof *seeds);
}

static void each_take_is_the_best_page_that_hosts_and_addresses_allow(void **state)
{
	struct rng rng = {21};

	(void)state;
	for (int round = 0; round < 150; round++) {
		struct graph g;
		random_graph(&g, &rng, PAGES, 4);
		for (size_t p = 0; policies[p]; p++) {
			struct model m;
			if (policies[p]->host_key) /* a host's key then, not a page's */
				continue;
			begin(&m, policies[p], &rng);
			for (int step = 0; step < 250; step++) {
				uint64_t what = rng_below(&rng, 8);
				if (what < 4)
					take(&m);
				else if (what < 7 && m.n_flying)
					back(&m, &g, &rng);
				else
					m.now += (int64_t)rng_below(&rng, 15);
			}
			frontier_free(m.f);
		}
		graph_release(&g);
	}
}

static struct frontier *three_hosts(int64_t delay, double jitter, uint64_t seed)
{
	struct frontier_world w = {.host = host_of};
	struct frontier_settings s = {.policy = &policy_bfs,
		.opts = &opts,
		.batch = 100,
		.rng_seed = seed,
		.delay_ms = delay,
		.jitter = jitter,
		.per_host = 1};
	struct frontier *f;

	opt_release(&opts);
	opt_init(&opts, policy_bfs.opts, policy_bfs.name);
	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	return f;
}

/* The first n hosts are found at one address: their first pages are taken, and put back. */
static void find_at(struct frontier *f, uint32_t n, uint32_t address)
{
	uint32_t id[HOSTS];

	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(frontier_take(f, 0, &id[i]), 1);
	for (uint32_t i = 0; i < n; i++)
		end_addressed(f, id[i], address, 0);
}

static void names_of_one_address_take_turns(void **state)
{
	static const uint32_t seeds[] = {0, 1, 2, 13};
	struct frontier *f = three_hosts(100, 0, 1);
	struct frontier_counts n;
	uint32_t id;

	(void)state;
	frontier_seed(f, seeds, 4);
	find_at(f, 2, 1);
	assert_int_equal(frontier_take(f, 0, &id), 1);
	assert_int_equal(id, 0);
	assert_int_equal(frontier_take(f, 0, &id), 1); /* an address of its own, as far as is known */
	assert_int_equal(id, 2);
	frontier_count(f, &n);
	assert_int_equal(n.hosts_ready, 0);
	assert_int_equal(n.hosts_waiting, 1);
	assert_true(frontier_next_time(f) == FRONTIER_NEVER);
	end_as(f, 0, (struct frontier_end){.state = PAGE_CRAWLED, .at = 20, .host = &(struct frontier_host_news){.delay = 1000}});
	assert_int_equal(frontier_next_time(f), 120); /* the address waits its delay, */
	assert_int_equal(frontier_take(f, 119, &id), 0);
	assert_int_equal(frontier_take(f, 120, &id), 1);
	assert_int_equal(id, 1);
	end_put_back(f, 1, 130); /* nothing was asked: the address is as free as before */
	assert_int_equal(frontier_take(f, 130, &id), 1);
	assert_int_equal(id, 1);
	end_failed(f, 1, 140);
	assert_int_equal(frontier_take(f, 1019, &id), 0); /* and host 0 what it has asked for */
	assert_int_equal(frontier_take(f, 1020, &id), 1);
	assert_int_equal(id, 13);
	frontier_free(f);
}

static void a_host_that_asks_for_peace_gets_it_for_all_its_pages(void **state)
{
	static const uint32_t seeds[] = {0, 13, 26, 1};
	struct frontier *f = three_hosts(0, 0, 1);
	uint32_t id;

	(void)state;
	frontier_seed(f, seeds, 4);
	assert_int_equal(frontier_take(f, 0, &id), 1);
	end_as(f, 0,
		(struct frontier_end){.state = PAGE_QUEUED,
			.at = 10,
			.not_before = 5000,
			.host = &(struct frontier_host_news){.pause = 5000, .delay = -1}});
	assert_int_equal(frontier_take(f, 10, &id), 1);
	assert_int_equal(id, 1);
	assert_int_equal(frontier_take(f, 4999, &id), 0);
	assert_int_equal(frontier_next_time(f), 5000);
	assert_int_equal(frontier_take(f, 5000, &id), 1);
	assert_int_equal(id, 0);
	frontier_free(f);
}

/* When a second page of the host may be taken after each of n. */
static void rests(uint64_t seed, double jitter, int64_t *out, uint32_t n)
{
	struct frontier *f = three_hosts(1000, jitter, seed);
	int64_t now = 0;
	uint32_t id;

	for (uint32_t i = 0; i < n; i++) {
		frontier_seed(f, &(uint32_t){i * HOSTS}, 1);
		assert_int_equal(frontier_take(f, now, &id), 1);
		end_failed(f, id, now);
		frontier_seed(f, &(uint32_t){(i + 1) * HOSTS}, 1);
		out[i] = frontier_next_time(f) - now;
		now += out[i];
	}
	frontier_free(f);
}

static void rests_are_longer_by_chance_and_never_shorter(void **state)
{
	int64_t one[40], again[40], other[40];
	double sum = 0;

	(void)state;
	rests(1, 0.2, one, 40);
	rests(1, 0.2, again, 40);
	rests(2, 0.2, other, 40);
	assert_memory_equal(one, again, sizeof one);
	assert_memory_not_equal(one, other, sizeof one);
	for (int i = 0; i < 40; i++) {
		assert_in_range(one[i], 1000, 1199);
		sum += (double)one[i];
	}
	assert_true(sum / 40 > 1060 && sum / 40 < 1140);
	rests(1, 0, one, 40);
	for (int i = 0; i < 40; i++)
		assert_int_equal(one[i], 1000);
}

static void a_slow_answer_is_followed_by_a_long_rest(void **state)
{
	static const struct {
		int64_t delay, took, rest;
	} rows[] = {
		{100, 10, 100}, /* the delay is more */
		{100, 500, 1000}, {100, 50000, FRONTIER_MAX_SLOW_MS}, {90000, 50000, 90000},
		{0, 500, 0}, /* no politeness is asked for */
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct frontier_world w = {.host = host_of};
		struct frontier_settings s = {.policy = &policy_bfs,
			.opts = &opts,
			.batch = 1,
			.delay_ms = rows[i].delay,
			.slow_factor = 2,
			.per_host = 1};
		struct frontier *f;
		uint32_t id;
		assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
		frontier_seed(f, (const uint32_t[]){0, HOSTS}, 2);
		assert_int_equal(frontier_take(f, 0, &id), 1);
		end_as(f, 0,
			(struct frontier_end){.state = PAGE_FAILED,
				.at = rows[i].took,
				.host = &(struct frontier_host_news){.took = rows[i].took, .delay = -1}});
		assert_int_equal(frontier_next_time(f), rows[i].took + rows[i].rest);
		frontier_free(f);
	}
}

/* A name that hangs until its time is up would otherwise starve all others at its address. */
static void a_host_that_hangs_slows_down_no_other_at_its_address(void **state)
{
	struct frontier_world w = {.host = host_of};
	struct opt_set none = {0};
	struct frontier_settings s =
		{.policy = &policy_bfs, .opts = &none, .batch = 10, .delay_ms = 100, .slow_factor = 2, .per_host = 1};
	struct frontier *f;
	uint32_t ids[] = {0, 1}, id;

	(void)state;
	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	assert_int_equal(frontier_seed(f, ids, 2), 2);
	find_at(f, 2, 1);
	assert_int_equal(frontier_take(f, 0, &id), 1);
	assert_int_equal(id, 0);
	end_as(f, 0,
		(struct frontier_end){.state = PAGE_QUEUED,
			.at = 20000,
			.not_before = 20000,
			.host = &(struct frontier_host_news){.hung = 20000, .delay = -1}});
	assert_int_equal(frontier_take(f, 20099, &id), 0);
	assert_int_equal(frontier_take(f, 20100, &id), 1);
	assert_int_equal(id, 1);
	assert_int_equal(end_crawled(f, 1, NULL, 0, 20150), 0);
	assert_int_equal(frontier_take(f, 59999, &id), 0); /* the host itself rests twice its 20 s */
	assert_int_equal(frontier_take(f, 60000, &id), 1);
	assert_int_equal(id, 0);
	frontier_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_take_is_the_best_page_that_hosts_and_addresses_allow),
		cmocka_unit_test(names_of_one_address_take_turns),
		cmocka_unit_test(a_host_that_asks_for_peace_gets_it_for_all_its_pages),
		cmocka_unit_test(rests_are_longer_by_chance_and_never_shorter),
		cmocka_unit_test(a_slow_answer_is_followed_by_a_long_rest),
		cmocka_unit_test(a_host_that_hangs_slows_down_no_other_at_its_address),
	};

	return cmocka_run_group_tests_name("server", tests, NULL, release_options);
}
