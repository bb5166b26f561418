/* Policies that take turns: what follows a swap is what the next policy does given the same events,
 * for every pair of policies; and what a user may call a policy by. */
#include "tests/seeds/ends.h"
#include "tests/policies/policy_run.h"

#include "base/buf.h"

#include <pthread.h>

/* --- a chain, and a frontier that was only ever ordered by its last policy */

struct crawl_of {
	const struct graph *g;
	const uint32_t *host;
	const double *score;
	const struct policy *policy;
	struct opt_set opts;
	struct frontier *f;
	struct source *source;
};

static void begin(struct crawl_of *c, uint64_t batch)
{
	struct frontier_world world;
	struct err_note why;

	c->source = graph_source_new(&(struct graph_world){.g = c->g, .host = c->host, .score = made_scores()});
	c->source->ops->world(c->source, &world);
	opt_init(&c->opts, c->policy->opts, c->policy->name);
	struct frontier_settings s = {.policy = c->policy,
		.opts = &c->opts,
		.oracle = c->score,
		.batch = batch,
		.total = c->g->nodes,
		.rng_seed = 5,
		.per_host = 1};
	assert_int_equal(frontier_new(&c->f, &s, &world, &why), 0);
}

static void end(struct crawl_of *c)
{
	frontier_free(c->f);
	c->source->ops->close(c->source);
	opt_release(&c->opts);
}

static void crawled(struct crawl_of *c, uint32_t u)
{
	assert_int_equal(end_crawled(c->f, u, graph_row(c->g, u), graph_outdegree(c->g, u), 0), 0);
}

/* Events that no graph source has, by dice that fall alike for both crawls. */
static void ends_somehow(struct crawl_of *c, uint32_t u, struct rng *dice)
{
	uint32_t n = c->g->nodes;

	switch (rng_below(dice, 12)) {
	case 0:
		end_failed(c->f, u, 0);
		break;
	case 1:
		end_refused(c->f, u);
		break;
	case 2:
		end_redirected(c->f, u, (uint32_t)((u + 1 + rng_below(dice, n)) % n), 0);
		break;
	default:
		crawled(c, u);
	}
}

struct taken {
	uint32_t page[128], n;
};

/* Runs to the end, or until so many were taken; dice: with events of all kinds. */
static void go_on(struct crawl_of *c, uint32_t most, struct rng *dice, struct taken *t)
{
	uint32_t u;

	while (t->n < most && frontier_take(c->f, 0, &u)) {
		assert_true(t->n < 128);
		t->page[t->n++] = u;
		if (dice)
			ends_somehow(c, u, dice);
		else
			crawled(c, u);
	}
}

/* The same events as `t`, told to a frontier that chose none of them. */
static void retell(struct crawl_of *c, const uint32_t *seeds, size_t n, const struct taken *t, uint32_t events, struct rng *dice)
{
	frontier_restore_begin(c->f);
	frontier_seed(c->f, seeds, n);
	for (uint32_t i = 0; i < events; i++) {
		frontier_retake(c->f, t->page[i]);
		if (dice)
			ends_somehow(c, t->page[i], dice);
		else
			crawled(c, t->page[i]);
	}
	frontier_restore_end(c->f);
}

static const struct policy *chained(const char *first, unsigned pages, const char *second)
{
	struct buf spec = BUF_EMPTY;
	const struct policy *p;
	struct err_note why;

	buf_format(&spec, "%s:%u,%s", first, pages, second);
	assert_int_equal(policy_find(spec.at, &p, &why), 0);
	assert_string_equal(p->name, spec.at);
	buf_release(&spec);
	return p;
}

static void check_pair(const struct crawl_of *on, const struct policy *a, const struct policy *b, uint64_t batch, unsigned pages,
	uint64_t dice_seed)
{
	const uint32_t seeds[] = {0, 1};
	struct crawl_of chain = *on, alone = *on;
	struct rng dice = {dice_seed}, again = {dice_seed};
	struct rng *dice1 = dice_seed ? &dice : NULL, *dice2 = dice_seed ? &again : NULL;
	struct taken t = {.n = 0}, second = {.n = 0};
	struct frontier_counts n;

	chain.policy = chained(a->name, pages, b->name);
	alone.policy = b;
	begin(&chain, batch);
	assert_ptr_equal(frontier_policy(chain.f), a);
	frontier_seed(chain.f, seeds, 2);
	while (frontier_policy(chain.f) == a) {
		uint32_t before = t.n;
		go_on(&chain, t.n + 1, dice1, &t);
		if (t.n == before)
			break; /* nothing left: too few pages for a swap */
	}
	frontier_count(chain.f, &n);
	uint32_t events = t.n;
	assert_int_equal(frontier_policy(chain.f) == b, n.crawled == pages || a == b);
	begin(&alone, batch);
	retell(&alone, seeds, 2, &t, events, dice2);
	for (uint32_t v = 0; frontier_policy(chain.f) == b && v < chain.f->pages.n; v++) {
		assert_int_equal(frontier_state(chain.f, v), frontier_state(alone.f, v));
		if (frontier_state(chain.f, v) == PAGE_QUEUED && frontier_key(chain.f, v) != frontier_key(alone.f, v))
			fail_msg("%s: the key of %u is %.17g, not %.17g", chain.policy->name, v, frontier_key(chain.f, v),
				frontier_key(alone.f, v));
	}
	if (frontier_policy(chain.f) == b) {
		go_on(&chain, UINT32_MAX, dice1, &t);
		go_on(&alone, UINT32_MAX, dice2, &second);
		assert_int_equal(t.n - events, second.n);
		assert_memory_equal(t.page + events, second.page, second.n * sizeof *second.page);
	}
	end(&chain);
	end(&alone);
	policy_free(chain.policy);
}

static void what_follows_is_what_the_next_policy_does(void **state)
{
	struct rng rng = {11};
	double score[40];

	(void)state;
	for (int round = 0; round < 24; round++) {
		uint32_t n = 10 + (uint32_t)rng_below(&rng, 30), hosts[40];
		struct graph g;
		random_graph(&g, &rng, n, 1 + (uint32_t)rng_below(&rng, 6));
		for (uint32_t i = 0; i < n; i++) {
			hosts[i] = (uint32_t)rng_below(&rng, 5);
			score[i] = (double)rng_below(&rng, 9);
		}
		struct crawl_of on = {.g = &g, .score = score};
		uint64_t batch = 1 + rng_below(&rng, 9), dice = round % 2 ? 0 : rng_next(&rng) | 1;
		unsigned pages = 1 + (unsigned)rng_below(&rng, n / 2);
		for (size_t a = 0; policies[a]; a++)
			for (size_t b = 0; policies[b]; b++) {
				if (policies[a]->oracle && policies[b]->oracle && policies[a]->oracle != policies[b]->oracle)
					continue;
				if (policies[a]->oracle == POLICY_SCORES || policies[b]->oracle == POLICY_SCORES)
					continue;
				on.host = policies[a]->host_key || policies[b]->host_key || round % 3 == 0 ? hosts : NULL;
				check_pair(&on, policies[a], policies[b], batch, pages, dice);
			}
		graph_release(&g);
	}
}

/* Three turns, of which the last is the first's policy again. */
static void a_chain_may_come_back(void **state)
{
	struct rng rng = {4};
	struct graph g;
	struct crawl_of chain = {.g = &g}, alone = {.g = &g, .policy = &policy_opic};
	struct taken t = {.n = 0}, second = {.n = 0};
	struct err_note why;
	const uint32_t seed = 0;

	(void)state;
	random_graph(&g, &rng, 60, 4);
	assert_int_equal(policy_find("opic:7,bfs:9,opic", &chain.policy, &why), 0);
	assert_int_equal(chain.policy->plan.turns[0].until, 7);
	assert_int_equal(chain.policy->plan.turns[1].until, 16);
	assert_int_equal(chain.policy->plan.turns[2].until, 0);
	begin(&chain, 3);
	frontier_seed(chain.f, &seed, 1);
	go_on(&chain, 16, NULL, &t);
	assert_ptr_equal(frontier_policy(chain.f), &policy_opic);
	begin(&alone, 3);
	retell(&alone, &seed, 1, &t, 16, NULL);
	go_on(&chain, 128, NULL, &t);
	go_on(&alone, 128, NULL, &second);
	assert_int_equal(t.n, second.n + 16);
	assert_true(second.n > 20);
	assert_memory_equal(t.page + 16, second.page, second.n * sizeof *second.page);
	end(&chain);
	end(&alone);
	policy_free(chain.policy);
	graph_release(&g);
}

/* Coming back from a log, a chain is where it was, before its swap and after it. */
static void a_chain_comes_back_from_a_log(void **state)
{
	struct rng rng = {8};
	struct graph g;
	const uint32_t seed = 2;
	struct err_note why;

	(void)state;
	random_graph(&g, &rng, 80, 4);
	for (uint32_t stop = 1; stop < 40; stop++) {
		struct crawl_of whole = {.g = &g}, back = {.g = &g};
		struct taken t = {.n = 0}, rest = {.n = 0};
		assert_int_equal(policy_find("bfs:10,ieca:10,backlink", &whole.policy, &why), 0);
		back.policy = whole.policy;
		begin(&whole, 4);
		frontier_seed(whole.f, &seed, 1);
		go_on(&whole, stop, NULL, &t);
		begin(&back, 4);
		retell(&back, &seed, 1, &t, stop, NULL);
		assert_ptr_equal(frontier_policy(whole.f), frontier_policy(back.f));
		go_on(&whole, 128, NULL, &t);
		go_on(&back, 128, NULL, &rest);
		assert_int_equal(t.n, stop + rest.n);
		assert_memory_equal(t.page + stop, rest.page, rest.n * sizeof *rest.page);
		end(&whole);
		end(&back);
		policy_free(whole.policy);
	}
	graph_release(&g);
}

/* --- beside others */

/* The order under a policy alone, or under a chain whose first turn never ends. */
static void order_of(const struct crawl_of *on, const struct policy *p, struct taken *t)
{
	struct crawl_of c = *on;
	const uint32_t seeds[] = {0, 1};

	c.policy = p;
	t->n = 0;
	begin(&c, 5);
	frontier_seed(c.f, seeds, 2);
	go_on(&c, 128, NULL, t);
	end(&c);
}

static void orders_are_the_same_with_any_other_beside(void **state)
{
	struct rng rng = {21};
	uint32_t hosts[60];
	struct graph g;
	double score[60];

	(void)state;
	random_graph(&g, &rng, 60, 4);
	for (uint32_t i = 0; i < 60; i++) {
		hosts[i] = (uint32_t)rng_below(&rng, 5);
		score[i] = (double)rng_below(&rng, 9);
	}
	struct crawl_of on = {.g = &g, .host = hosts, .score = score};
	for (size_t a = 0; policies[a]; a++) {
		struct taken alone, beside;
		order_of(&on, policies[a], &alone);
		assert_true(alone.n > 40);
		for (size_t b = 0; policies[b]; b++) {
			if (policies[a]->oracle || policies[b]->oracle)
				continue;
			const struct policy *p = chained(policies[a]->name, 1000000, policies[b]->name);
			order_of(&on, p, &beside);
			assert_int_equal(alone.n, beside.n);
			assert_memory_equal(alone.page, beside.page, alone.n * sizeof *alone.page);
			policy_free(p);
		}
	}
	graph_release(&g);
}

/* All policies at once, one graph for all, as `compare --threads` has it. */
struct thread {
	pthread_t id;
	struct crawl_of on;
	const struct policy *policy;
	struct taken taken;
};

static void *in_thread(void *arg)
{
	struct thread *t = arg;

	for (int i = 0; i < 20; i++)
		order_of(&t->on, t->policy, &t->taken);
	return NULL;
}

static void orders_are_the_same_in_any_number_of_threads(void **state)
{
	struct rng rng = {22};
	uint32_t hosts[60];
	struct graph g;
	double score[60];
	struct thread t[64];
	size_t n = 0;

	(void)state;
	random_graph(&g, &rng, 60, 4);
	for (uint32_t i = 0; i < 60; i++) {
		hosts[i] = (uint32_t)rng_below(&rng, 5);
		score[i] = (double)rng_below(&rng, 9);
	}
	while (policies[n])
		n++;
	for (size_t i = 0; i < 2 * n; i++) {
		t[i].on = (struct crawl_of){.g = &g, .host = hosts, .score = score};
		t[i].policy = policies[i % n];
		assert_int_equal(pthread_create(&t[i].id, NULL, in_thread, &t[i]), 0);
	}
	for (size_t i = 0; i < 2 * n; i++)
		pthread_join(t[i].id, NULL);
	for (size_t i = 0; i < 2 * n; i++) {
		struct taken alone;
		order_of(&t[i].on, t[i].policy, &alone);
		assert_int_equal(alone.n, t[i].taken.n);
		assert_memory_equal(alone.page, t[i].taken.page, alone.n * sizeof *alone.page);
	}
	graph_release(&g);
}

/* --- what a policy may be called */

static void specs_are_read_or_refused(void **state)
{
	static const struct {
		const char *spec;
		int err;
		const char *says;
	} want[] = {
		{"ieca", 0, NULL},
		{"bfs:1,ieca", 0, NULL},
		{"bfs:10000,ieca:5,opic", 0, NULL},
		{"icea", ERR_USAGE, "the nearest is 'ieca'"},
		{"rhubarb", ERR_USAGE, "lycosa list policies"},
		{"mine.so", ERR_USAGE, "./mine.so"},
		{"", ERR_USAGE, "no policy ''"},
		{"bfs:0,ieca", ERR_USAGE, "how many pages"},
		{"bfs,ieca", ERR_USAGE, "how many pages"},
		{"bfs:-1,ieca", ERR_USAGE, "how many pages"},
		{"bfs:1e3,ieca", ERR_USAGE, "how many pages"},
		{"bfs:99999999999999999999,ieca", ERR_USAGE, "how many pages"},
		{"bfs:10", ERR_USAGE, "which policy follows 'bfs:10'"},
		{"bfs:10,ieca:5", ERR_USAGE, "which policy follows 'ieca:5'"},
		{"bfs:10,", ERR_USAGE, "names no policy"},
		{",ieca", ERR_USAGE, "names no policy"},
		{":5,ieca", ERR_USAGE, "no policy ''"},
		{"bfs:10,iecb", ERR_USAGE, "the nearest is 'ieca'"},
		{"bfs:1:2,ieca", ERR_USAGE, "which policy follows"},
		{"omniscient:5,bfs", 0, NULL},
		{"omniscient:5,indegree-oracle", ERR_USAGE, "different things"},
		{"static:5,bfs", ERR_USAGE, "cannot stand in a chain"},
		{"./nowhere.so", ERR_FILE, "cannot open './nowhere.so'"},
		{"./nowhere.so:5,bfs", ERR_FILE, "cannot open './nowhere.so'"},
		{"/", ERR_USAGE, "no shared object"},
		{"/dev/null", ERR_USAGE, "no shared object"},
		{"bfs:1,bfs:1,bfs:1,bfs:1,bfs:1,bfs:1,bfs:1,bfs:1,bfs:1,bfs:1,bfs:1,bfs:1,bfs:1,"
		 "bfs:1,bfs:1,bfs:1,bfs",
			ERR_USAGE, "at most 16"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		const struct policy *p;
		struct err_note why = {""};
		int err = policy_find(want[i].spec, &p, &why);
		if (err != want[i].err || (want[i].says && !strstr(why.text, want[i].says)))
			fail_msg("'%s': %d, %s", want[i].spec, err, why.text);
		assert_int_equal(p != NULL, err == 0);
		policy_free(p);
	}
}

static void options_of_a_chain_are_named(void **state)
{
	const struct policy *p;
	struct opt_set opts;
	struct err_note why;

	(void)state;
	assert_int_equal(policy_find("fica:5,ieca:6,bfs:7,ieca", &p, &why), 0);
	opt_init(&opts, p->opts, p->name);
	assert_int_equal(opt_give(&opts, "ieca.delta0=0.5", &why), 0);
	assert_int_equal(opt_give(&opts, "fica.gamma=0.25", &why), 0);
	assert_int_equal(opt_give(&opts, "delta0=0.5", &why), ERR_USAGE);
	assert_int_equal(opt_give(&opts, "opic.c0=0.5", &why), ERR_USAGE);
	assert_int_equal(opt_give(&opts, "ieca.delta0=5", &why), ERR_USAGE);
	assert_int_equal(p->plan.turns[1].opts_at, p->plan.turns[3].opts_at);
	struct opt_set part = {p->plan.turns[3].policy->opts, opts.value + p->plan.turns[3].opts_at, "ieca"};
	assert_true(opt_number(&part, "delta0") == 0.5);
	opt_release(&opts);
	policy_free(p);
}

static void lists_of_specs_are_cut_between_chains(void **state)
{
	static const struct {
		const char *list;
		size_t length;
	} want[] = {{"bfs", 3}, {"bfs,opic", 3}, {"bfs:10,opic", 11}, {"bfs:10,opic,ieca", 11}, {"bfs:10,opic:20,ieca,dfs", 19},
		{"", 0}, {"bfs:10", 6}, {"./a.so,bfs", 6}};

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		assert_int_equal(policy_spec_length(want[i].list), want[i].length);
	char *kept = policy_spec_absolute("bfs:10,/tmp/../tmp/:3,./nowhere.so");
	assert_string_equal(kept, "bfs:10,/tmp:3,./nowhere.so");
	free(kept);
	assert_true(policy_spec_has_file("bfs:3,./a.so") && !policy_spec_has_file("bfs:3,ieca"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_follows_is_what_the_next_policy_does),
		cmocka_unit_test(a_chain_may_come_back),
		cmocka_unit_test(a_chain_comes_back_from_a_log),
		cmocka_unit_test(orders_are_the_same_with_any_other_beside),
		cmocka_unit_test(orders_are_the_same_in_any_number_of_threads),
		cmocka_unit_test(specs_are_read_or_refused),
		cmocka_unit_test(options_of_a_chain_are_named),
		cmocka_unit_test(lists_of_specs_are_cut_between_chains),
	};

	return cmocka_run_group_tests_name("swap", tests, NULL, NULL);
}
