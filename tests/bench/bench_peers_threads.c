#include "lab/study/compare.h"
#include "policies/policies.h"
#include "tests/bench/bench_peers.h"

#include <pthread.h>

#define POLICIES 4

static void compare_on(const struct bench *b, unsigned threads)
{
	static const char *const names[POLICIES] = {"opic", "ieca", "fica", "backlink"};
	static const double at[] = {0.1, 0.5};
	const struct policy *policy[POLICIES];
	struct opt_set opts[POLICIES];
	struct benchmark hot;
	struct err_note why;

	for (int i = 0; i < POLICIES; i++) {
		policy[i] = policy_named(names[i]);
		opt_init(&opts[i], policy[i]->opts, names[i]);
	}
	benchmark_make(&hot, &b->data.graph, 1e-12, threads);
	struct compare c = {.data = &b->data,
		.crawl = {.benchmark = &hot, .rng_seed = 1},
		.policies = policy,
		.opts = opts,
		.n_policies = POLICIES,
		.seeds = "random:0.001",
		.draws = 1,
		.at = at,
		.n_at = sizeof at / sizeof *at,
		.threads = threads};
	if (compare_run(&c, &why))
		peers_die(why.text);
	compare_release(&c);
	benchmark_release(&hot);
	for (int i = 0; i < POLICIES; i++)
		opt_release(&opts[i]);
}

static void compare_on_two(void *ctx)
{
	compare_on(ctx, 2);
}

static void compare_on_one(void *ctx)
{
	compare_on(ctx, 1);
}

static void load_on_two(void *ctx)
{
	peers_load(ctx, "g", 2);
}

static void load_on_one(void *ctx)
{
	peers_load(ctx, "g", 1);
}

/* --- what two threads of this machine do that share nothing but its memory */

static void *compare_alone(void *b)
{
	compare_on(b, 1);
	return NULL;
}

static void two_at_once(void *ctx)
{
	pthread_t other;

	if (pthread_create(&other, NULL, compare_alone, ctx))
		peers_die("cannot start a thread");
	compare_alone(ctx);
	pthread_join(other, NULL);
}

static void one_after_the_other(void *ctx)
{
	compare_alone(ctx);
	compare_alone(ctx);
}

void peers_threads(struct bench *b)
{
	peers_graph_row(b, "elapsed: a BVGraph read on two threads", CLOCK_MONOTONIC, load_on_two, load_on_one, "one thread", b);
	peers_graph_row(b, "elapsed: a comparison of four crawls on two threads, PageRank included", CLOCK_MONOTONIC,
		compare_on_two, compare_on_one, "one thread", b);
	peers_graph_row(b, "elapsed: two such comparisons at once, a thread each", CLOCK_MONOTONIC, two_at_once,
		one_after_the_other, "one after the other", b);
}
