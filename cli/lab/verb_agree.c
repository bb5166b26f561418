/* `lycosa agree`: one crawl in three worlds, a replay, virtual time and the live crawler on the served graph. */
#include "base/log.h"
#include "base/mem.h"
#include "cli/flags/options.h"
#include "cli/lab/agreement.h"
#include "cli/lab/live_world.h"
#include "cli/verbs.h"
#include "lab/measure/oracle.h"
#include "lab/study/changing_web.h"
#include "policies/policies.h"

#include <stdlib.h>
#include <string.h>

struct agree_options {
	struct standard_options standard;
	struct graph_options graph;
	const char *seeds, *politeness;
	struct flag_list policies;
	struct policy_options policy;
	int json;
};

struct agree {
	const struct agree_options *o;
	struct dataset data;
	struct benchmark benchmark;
	struct seedset seeds;
	struct virtual_time virtual_time; /* with --politeness */
	struct changing *changing;        /* NULL: the web does not change */
	struct results results;
	unsigned differ; /* policies under which the worlds differ */
};

/* --- orders: one page at a time, without delays */

static void print_order(struct agree *a, const struct policy *p, const struct replay world[3])
{
	static const char *const name[] = {"replay", "virtual", "live"};
	struct results *r = &a->results;

	for (int i = 1; i < 3; i++) {
		const uint32_t same = agreement_same(&world[0], &world[i]);
		const int agrees = same == world[0].crawled && same == world[i].crawled;
		a->differ += !agrees;
		results_text(r, p->name);
		results_text(r, name[i]);
		results_count(r, world[0].crawled);
		results_count(r, world[i].crawled);
		results_count(r, same);
		results_text(r, agrees ? "yes" : "no");
	}
}

static int agree_on_order(struct agree *a, struct replay *r, struct err_note *why)
{
	struct virtual_time alone;
	struct replay world[3] = {*r, *r, *r};
	int err = virtual_time_parse(&alone, "delay=0,parallel=1,latency=0,bandwidth=0", why);

	world[1].virtual_time = &alone;
	if (!err)
		err = replay_run(&world[0], &a->data, &a->seeds, why);
	if (!err)
		err = replay_run(&world[1], &a->data, &a->seeds, why);
	if (!err)
		err = live_world_crawl(&world[2], &a->data, &a->seeds, &a->o->policy.policy_opt, why);
	if (!err)
		print_order(a, r->policy, world);
	for (int i = 0; i < 3; i++)
		replay_release(&world[i]);
	return err;
}

/* --- times: many pages at a time, politely */

static void print_times(struct agree *a, const struct policy *p, const struct agreement *g)
{
	struct results *r = &a->results;
	const int agrees = agreement_holds(g);

	a->differ += !agrees;
	results_text(r, p->name);
	results_count(r, g->crawled[0]);
	results_count(r, g->crawled[1]);
	results_real(r, g->per_minute[0]);
	results_real(r, g->per_minute[1]);
	results_real(r, g->deviation);
	results_count(r, g->hosts);
	results_real(r, g->host_deviation);
	results_text(r, g->hosts && a->data.names.host ? a->data.names.host_text + a->data.names.host_start[g->worst_host] : "");
	results_real(r, g->curve_mean);
	results_real(r, g->curve_max);
	results_text(r, agrees ? "yes" : "no");
}

static int agree_on_times(struct agree *a, struct replay *r, struct err_note *why)
{
	struct replay world[2] = {*r, *r};
	struct agreement g;

	world[0].virtual_time = world[1].virtual_time = &a->virtual_time;
	world[0].changing = world[1].changing = a->changing;
	int err = replay_run(&world[0], &a->data, &a->seeds, why);
	if (!err)
		err = live_world_crawl(&world[1], &a->data, &a->seeds, &a->o->policy.policy_opt, why);
	if (!err) {
		agreement_measure(&g, &a->data, &a->benchmark, &a->seeds, &world[0], &world[1]);
		print_times(a, r->policy, &g);
	}
	replay_release(&world[0]);
	replay_release(&world[1]);
	return err;
}

/* --- the policies */

static int agree_on(struct agree *a, const char *name, struct err_note *why)
{
	const struct policy_options *p = &a->o->policy;
	const struct policy *policy;
	struct opt_set opts;
	int err = policy_options_read(name, p, &policy, &opts, why);

	if (!err && policy_with_oracle(policy))
		err = err_set(why, ERR_USAGE, "the policy '%s' looks at the whole graph, which a live crawl has not seen", name);
	if (!err) {
		struct replay r = {.policy = policy,
			.opts = &opts,
			.batch = p->batch ? p->batch : replay_batch(a->data.graph.nodes),
			.total = a->data.graph.nodes,
			.max_pages = p->max_pages,
			.rng_seed = p->rng_seed,
			.benchmark = &a->benchmark};
		log_detail("%s", name);
		err = a->o->politeness ? agree_on_times(a, &r, why) : agree_on_order(a, &r, why);
	}
	opt_release(&opts);
	policy_free(policy);
	return err;
}

/* Compares the crawls under every policy that a live crawl can have and for which this graph has hosts. */
static int agree_on_all(struct agree *a, struct err_note *why)
{
	const struct policy *p;
	int err = 0;

	for (size_t i = 0; !err && (p = policy_listed(i)); i++)
		if (!policy_with_oracle(p) && p != &policy_ideal && !(policy_needs(p) & ~dataset_sights(&a->data)))
			err = agree_on(a, p->name, why);
	return err;
}

static int agree_on_given(struct agree *a, struct err_note *why)
{
	size_t n;
	char **name = policy_specs(&a->o->policies, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		err = agree_on(a, name[i], why);
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
	return err;
}

/* --- the verb */

static int read_politeness(struct agree *a, struct err_note *why)
{
	struct virtual_web_settings *web = &a->virtual_time.web;
	int err = virtual_time_parse(&a->virtual_time, a->o->politeness, why);

	if (err)
		return err;
	/* loopback answers at once */
	web->latency = web->bandwidth = web->size = (struct spread){0, 0};
	const uint32_t hosts = a->data.names.host ? a->data.names.hosts : 1;
	if (!web->addresses)
		web->addresses = hosts < LIVE_WORLD_ADDRESSES ? hosts : LIVE_WORLD_ADDRESSES;
	err = live_world_check(&a->virtual_time, why);
	return err ? err : changing_web(&a->changing, &a->data, a->o->graph.graph, &a->virtual_time, why);
}

static int begin(struct agree *a, struct err_note *why)
{
	const struct agree_options *o = a->o;
	const unsigned threads = threads_of(o->policy.threads);
	int err = graph_options_open(&o->graph, threads, &a->data, why);

	if (!err && a->data.crawled)
		err = err_set(why, ERR_USAGE, "'%s' is a store; a graph is wanted, as 'lycosa graph convert' makes of it",
			o->graph.graph);
	if (!err && !a->data.graph.nodes)
		err = err_set(why, ERR_NOTHING, "the graph '%s' has no nodes", o->graph.graph);
	if (!err && o->politeness)
		err = read_politeness(a, why);
	if (!err)
		err = seedset_read(&a->seeds, o->seeds, &a->data, o->policy.rng_seed, why);
	if (!err && o->politeness)
		benchmark_make(&a->benchmark, &a->data.graph, 1e-12, threads);
	return err;
}

static void begin_table(struct agree *a)
{
	static const char *const orders[] = {"policy", "world", "crawled_replay", "crawled", "same", "agrees", NULL};
	static const char *const times[] = {"policy", "crawled_virtual", "crawled_live", "per_minute_virtual", "per_minute_live",
		"deviation", "hosts", "host_deviation", "worst_host", "curve_mean", "curve_max", "agrees", NULL};
	const struct agree_options *o = a->o;
	struct results *r = &a->results;

	results_begin(r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
	report_graph(r, &o->graph, &a->data);
	results_name(r, "seeds");
	results_text(r, o->seeds);
	if (o->politeness) {
		results_name(r, "politeness");
		results_text(r, o->politeness);
	}
	results_columns(r, o->politeness ? times : orders);
}

static int run(const struct command *c, struct err_note *why)
{
	struct agree a = {.o = c->options};
	int err = begin(&a, why);

	if (!err) {
		begin_table(&a);
		err = a.o->policies.count ? agree_on_given(&a, why) : agree_on_all(&a, why);
		const int printed = results_end(&a.results, err ? NULL : why);
		err = err ? err : printed;
	}
	if (!err && a.differ)
		err = err_set(why, ERR_OTHER, "the worlds differ in %u rows", a.differ);
	seedset_release(&a.seeds);
	benchmark_release(&a.benchmark);
	changing_free(a.changing);
	dataset_release(&a.data);
	return err;
}

#define OWN(field) offsetof(struct agree_options, field)
static const struct flag own[] = {
	{"seeds", 0, FLAG_TEXT, OWN(seeds), "SEEDS", .help = "a file, random:N, random:0.001, hosts:1, roots or METHOD:N",
		.file = FLAG_READS_SEEDS},
	{"policies", 0, FLAG_COMMAS, OWN(policies), "A,B", .help = "the policies; all that a live crawl can have",
		.file = FLAG_READS},
	{"politeness", 0, FLAG_TEXT, OWN(politeness), "LIST", .help = "compare times: delay=100ms,parallel=64,slow=0.1:60ms ..."},
	{"policy-opt", 0, FLAG_EACH, OWN(policy.policy_opt), "KEY=VALUE", .help = "an option of a policy", .file = FLAG_READS},
	{"max-pages", 0, FLAG_COUNT, OWN(policy.max_pages), "N", .help = "end each crawl after N pages; 0: no limit"},
	{"batch", 0, FLAG_COUNT, OWN(policy.batch), "K", .help = "crawled pages between two reranks", .min = 1},
	{.name = NULL},
};

static const struct flag_group groups[] = {
	{NULL, graph_flags, OWN(graph), FLAGS_A_LINE_EACH},
	{NULL, own, 0, FLAGS_A_LINE_EACH},
	{NULL, rng_seed_flag, OWN(policy.rng_seed), FLAGS_A_LINE_EACH},
	{NULL, threads_flag, OWN(policy.threads), FLAGS_A_LINE_EACH},
	{NULL, json_flag, OWN(json), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

static const struct agree_options defaults = {.seeds = "random:3", .policy = {.rng_seed = 1}};

const struct verb verb_agree = {
	.name = "agree",
	.summary = "Compares replay, virtual time and live crawl of a graph.",
	.groups = groups,
	.defaults = &defaults,
	.size = sizeof defaults,
	.run = run,
};
