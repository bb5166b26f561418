#include "cli/lab/experiment.h"
#include "base/num.h"
#include "base/log.h"
#include "base/mem.h"
#include "graph/kernels/harmonic.h"
#include "lab/study/oracle.h"
#include "lab/study/virtual_time.h"
#include "policies/policies.h"
#include "scope/rules.h"
#include "storage/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* PageRank of the benchmark: to this L1 change */
#define BENCHMARK_TOLERANCE 1e-12

#define OPTION(field) offsetof(struct experiment_options, field)
const struct flag seeds_flag[] = {
	{"seeds", 0, FLAG_TEXT, OPTION(seeds), "SEEDS", .help = "a file, random:N, random:0.1, hosts:1, roots, METHOD:N",
		.required = 1, .file = FLAG_READS_SEEDS},
	{.name = NULL},
};
const struct flag measure_flags[] = {
	{"at", 0, FLAG_COMMAS, OPTION(at), "FRACTIONS", .help = "fractions at which to measure (0.1,0.2,0.3,0.45,0.6,1)"},
	{"ties", 0, FLAG_SWITCH, OPTION(ties), .help = "pages that tie with the K-th are hot, too"},
	{"target", 0, FLAG_TEXT, OPTION(target), "FILE", .help = "scores of pages (id TAB score), a store, or harmonic",
		.file = FLAG_READS},
	{.name = NULL},
};
const struct flag rules_flag[] = {
	{"rules", 0, FLAG_TEXT, OPTION(rules), "FILE", .help = "accept, reject, order pages by their URLs", .file = FLAG_READS},
	{.name = NULL},
};
const struct flag virtual_flags[] = {
	{"politeness", 0, FLAG_TEXT, OPTION(politeness), "LIST",
		.help = "crawl in virtual time: live, or delay=2s,parallel=64,latency=100ms:0.5 ..."},
	{"when", 0, FLAG_COMMAS, OPTION(when), "TIMES", .help = "virtual times at which to measure (1m,10m,1h,6h,1d,7d)"},
	{"max-time", 0, FLAG_TIME, OPTION(max_time), "TIME", .help = "end after this virtual time"},
	{.name = NULL},
};
const struct flag agents_flags[] = {
	{"agents", 0, FLAG_COUNT, OPTION(plan.agents), "K", .min = 1, .max = PARTITIONS,
		.help = "crawl by K agents, which divide the hosts (simulated)"},
	{"lag", 0, FLAG_COUNT, OPTION(plan.lag), "T", .max = FLEET_LAG_MOST,
		.help = "their letters are T pages of an agent late (0)"},
	{"shares", 0, FLAG_CHOICE, OPTION(plan.shares), "fixed|load", .help = "an idle agent takes a share of the busiest one"},
	{.name = NULL},
};

int fleet_plan_parse(struct fleet_plan *plan, const char *text)
{
	static const char *const words[] = {[FLEET_FIXED] = "fixed", [FLEET_LOAD] = "load"};
	char *copy, *rest, *part;
	int err = 0, n = 0;

	*plan = (struct fleet_plan){0};
	if (!text || strcmp(text, "none") == 0)
		return 0;
	rest = copy = mem_text(text);
	for (; !err && (part = strsep(&rest, ":")); n++) {
		if (n < 2)
			err = num_count(part, n ? FLEET_LAG_MOST : PARTITIONS, n ? &plan->lag : &plan->agents);
		else if (n == 2 && strcmp(part, words[FLEET_LOAD]) == 0)
			plan->shares = FLEET_LOAD;
		else if (n > 2 || strcmp(part, words[FLEET_FIXED]) != 0)
			err = ERR_USAGE;
	}
	free(copy);
	return err || !plan->agents ? ERR_USAGE : 0;
}

int fleet_plan_check(const struct fleet_plan *plan, struct err_note *why)
{
	if (plan->agents || !(plan->lag || plan->shares))
		return 0;
	return err_set(why, ERR_USAGE, "--%s is of a crawl by several agents: give --agents, too", plan->lag ? "lag" : "shares");
}

static int read_agents(struct experiment *x, struct err_note *why)
{
	if (x->o->plan.agents) {
		x->compare.crawl.fleet = &x->o->plan;
		x->compare.run = fleet_run;
	}
	return fleet_plan_check(&x->o->plan, why);
}

static int read_when(struct experiment *x, struct err_note *why)
{
	static const char *const usual[] = {"1m", "10m", "1h", "6h", "1d", "7d"};
	const struct flag_list *given = &x->o->when;
	const size_t n = given->count ? given->count : sizeof usual / sizeof *usual;
	int64_t last = -1;

	x->when = mem_new(n, sizeof *x->when);
	x->compare.when = x->when;
	x->compare.n_when = n;
	for (size_t i = 0; i < n; i++) {
		const char *text = given->count ? given->at[i] : usual[i];
		if (num_time(text, &x->when[i]) || x->when[i] <= last)
			return err_set(why, ERR_USAGE,
				"--when %s: times such as 90s or 1h are wanted, each later than the one before", text);
		last = x->when[i];
	}
	return 0;
}

/* Reads whether the crawls are in virtual time, and its settings. */
static int read_manners(struct experiment *x, struct err_note *why)
{
	const struct experiment_options *o = x->o;

	if (!o->politeness || strcmp(o->politeness, "none") == 0) {
		/* --politeness none is allowed together with --when, since in a study the value of politeness may vary between
		 * "none" and others */
		if (!o->politeness && (o->when.count || o->max_time))
			return err_set(why, ERR_USAGE, "--%s is of virtual time: give --politeness, too",
				o->when.count ? "when" : "max-time");
		return 0;
	}
	x->compare.crawl.virtual_time = &x->virtual_time;
	x->compare.crawl.max_time = o->max_time;
	TRY(virtual_time_parse(&x->virtual_time, o->politeness, why));
	return read_when(x, why);
}

/* With --politeness store: reads the politeness and the page sizes from the store that is replayed, and then applies the items
 * of --politeness over them. */
static int read_store(struct experiment *x, struct err_note *why)
{
	const char *politeness = x->compare.crawl.virtual_time ? x->o->politeness : "";

	if (!virtual_time_wants_store(politeness))
		return 0;
	if (!x->data.crawled)
		return err_set(why, ERR_USAGE, "--politeness store: '%s' is not the store of a crawl", x->o->graph.graph);
	TRY(virtual_time_from_store(&x->virtual_time, x->o->graph.graph, &x->data, why));
	return virtual_time_give(&x->virtual_time, politeness, why);
}

static int read_at(struct experiment *x, struct err_note *why)
{
	static const double usual[] = {0.1, 0.2, 0.3, 0.45, 0.6, 1};
	const struct flag_list *given = &x->o->at;

	x->compare.n_at = given->count ? given->count : sizeof usual / sizeof *usual;
	x->at = mem_new(x->compare.n_at, sizeof *x->at);
	x->compare.at = x->at;
	if (!given->count)
		memcpy(x->at, usual, sizeof usual);
	for (size_t i = 0; i < given->count; i++)
		if (num_real(given->at[i], &x->at[i]) || x->at[i] <= 0 || x->at[i] > 1)
			return err_set(why, ERR_USAGE, "--at %s: a fraction above 0 and up to 1 is wanted", given->at[i]);
	return 0;
}

/* Reads the orders of other crawlers, if there are any, and puts the crawlers before the policies. */
static int read_orders(struct experiment *x, struct err_note *why)
{
	const struct experiment_options *o = x->o;
	struct compare *c = &x->compare;

	if (!o->orders.count)
		return 0;
	if (c->crawl.virtual_time || c->crawl.fleet)
		return err_set(why, ERR_USAGE, "--%s is not for orders, which have no times and no agents",
			c->crawl.virtual_time ? "politeness" : "agents");
	TRY(crawl_orders_read(&x->orders, o->orders.at, o->orders.count, o->format, &x->data, why));
	const size_t n = x->orders.crawlers;
	x->policy = mem_resize(x->policy, n + c->n_policies, sizeof *x->policy);
	x->opts = mem_resize(x->opts, n + c->n_policies, sizeof *x->opts);
	memmove(x->policy + n, x->policy, c->n_policies * sizeof *x->policy);
	memmove(x->opts + n, x->opts, c->n_policies * sizeof *x->opts);
	for (size_t i = 0; i < n; i++) {
		x->policy[i] = &x->orders.crawler[i];
		x->opts[i] = (struct opt_set){0};
	}
	c->policies = x->policy;
	c->opts = x->opts;
	c->n_policies += n;
	c->orders = &x->orders;
	c->draws = x->orders.draws;
	for (size_t i = n; i < c->n_policies; i++)
		for (size_t k = 0; k < n; k++)
			if (strcmp(x->policy[i]->name, x->policy[k]->name) == 0)
				return err_set(why, ERR_USAGE, "--order %s: a policy has this name; give another, NAME=FILE",
					x->policy[k]->name);
	return 0;
}

static int read_policies(struct experiment *x, struct err_note *why)
{
	size_t n = x->compare.n_policies;
	int err = 0;

	struct policy_options given = x->o->policy;

	given.beside = x->policies;
	given.n_beside = n;
	x->opts = mem_zero(n, sizeof *x->opts);
	x->policy = mem_zero(n, sizeof *x->policy);
	for (size_t i = 0; !err && i < n; i++)
		err = policy_options_read(x->policies[i], &given, &x->policy[i], &x->opts[i], why);
	x->compare.policies = x->policy;
	x->compare.opts = x->opts;
	return err;
}

/* Returns what policies can see (enum policy_sight). */
static unsigned sights_of(const struct experiment *x)
{
	return dataset_sights(&x->data) | (x->o->target ? POLICY_SEES_SCORES : 0u);
}

/* Says whether the policy can run: the data set shows it all that it needs to see, and an oracle of scores has its file. */
static int is_possible(const struct experiment *x, size_t i)
{
	const struct policy *p = x->policy[i];

	return !(policy_needs(p) & ~sights_of(x)) && (p->oracle != POLICY_SCORES || opt_text(&x->opts[i], "scores"));
}

static void leave_out_impossible(struct experiment *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->compare.n_policies; i++) {
		if (is_possible(x, i)) {
			x->policy[n] = x->policy[i];
			x->opts[n++] = x->opts[i];
			continue;
		}
		const char *sight = policy_sight_words(policy_needs(x->policy[i]) & ~sights_of(x));
		log_say("'%s' is left out: it goes by %s, and %s", x->policy[i]->name, *sight ? sight : "a file of scores",
			*sight ? "the graph has none" : "none was given");
		opt_release(&x->opts[i]);
		policy_free(x->policy[i]);
	}
	x->compare.n_policies = n;
}

static void tick(void *ctx, size_t done)
{
	progress_tick(ctx, done, NULL);
}

static int check_graph(struct experiment *x, struct err_note *why)
{
	char found[FINGERPRINT_ROOM], wanted[FINGERPRINT_ROOM];
	const struct policy_options *p = &x->o->policy;
	uint32_t n = x->data.graph.nodes;

	if (!n)
		return err_set(why, ERR_NOTHING, "the graph '%s' has no nodes", x->o->graph.graph);
	if (p->max_pages > n)
		return err_set(why, ERR_USAGE, "--max-pages %llu: the graph has only %u nodes", (unsigned long long)p->max_pages,
			n);
	x->format = x->data.format;
	x->found = graph_fingerprint(&x->data.graph);
	if (!x->o->fingerprint || x->found == *x->o->fingerprint)
		return 0;
	return err_set(why, ERR_USAGE, "the graph '%s' is another: its fingerprint is %s, the manifest's %s", x->o->graph.graph,
		fingerprint_text(x->found, found), fingerprint_text(*x->o->fingerprint, wanted));
}

/* Reads the scores of --target: the harmonic centrality of the pages, scores of a file, or those that a score command has given the
 * pages of the store that is the graph. */
static int read_target(struct experiment *x, unsigned threads, double *score, struct err_note *why)
{
	const char *target = x->o->target;

	if (strcmp(target, "harmonic") == 0) {
		struct harmonic h = {.registers = HARMONIC_BY_SIZE, .threads = threads};
		harmonic_run(&h, dataset_reverse(&x->data, threads), score);
		return 0;
	}
	if (!store_is(target))
		return oracle_read_scores(target, &x->data.graph, score, why);
	if (strcmp(target, x->o->graph.graph) != 0)
		return err_set(why, ERR_USAGE, "--target '%s' is another store than --graph '%s'", target, x->o->graph.graph);
	if (!x->data.score)
		return err_set(why, ERR_USAGE, "the pages of '%s' have no scores: no --score-cmd scored them", target);
	for (uint32_t u = 0; u < x->data.graph.nodes; u++)
		score[u] = isnan(x->data.score[u]) ? 0 : x->data.score[u];
	return 0;
}

/* Makes the ranking that says which pages are hot: by PageRank, or by the scores of --target. */
static int rank_pages(struct experiment *x, unsigned threads, struct err_note *why)
{
	const struct policy_options *p = &x->o->policy;
	const struct graph *g = &x->data.graph;
	const char *target = x->o->target;

	if (!target) {
		benchmark_make(&x->benchmark, g, p->tol > 0 ? p->tol : BENCHMARK_TOLERANCE, threads);
		return 0;
	}
	double *score = mem_zero(g->nodes, sizeof *score), most = 0;
	int err = read_target(x, threads, score, why);
	for (uint32_t u = 0; !err && u < g->nodes; u++) {
		if (!(score[u] >= 0 && score[u] <= NUM_SCORE_MOST))
			err = err_set(why, ERR_FORMAT, "%s: the score of node %llu is not a number from 0 to %g", target,
				(unsigned long long)graph_label(g, u), NUM_SCORE_MOST);
		most = fmax(most, score[u]);
	}
	if (!err && !(most > 0))
		err = err_set(why, ERR_FORMAT, "%s: no page has a score above 0", target);
	if (err)
		free(score);
	else
		benchmark_take_scores(&x->benchmark, g->nodes, score);
	return err;
}

/* Makes the web that changes, if it does, and its ranking at the times asked for, unless a target gives the ranking. */
static int make_changes(struct experiment *x, unsigned threads, struct err_note *why)
{
	struct compare *c = &x->compare;
	struct graph g;

	if (!c->crawl.virtual_time)
		return 0;
	const int err = changing_web(&x->changing, &x->data, x->o->graph.graph, c->crawl.virtual_time, why);
	c->crawl.changing = x->changing;
	if (err || !x->changing || x->o->target)
		return err;
	c->then = x->then = mem_zero(c->n_when, sizeof *x->then);
	for (size_t i = 0; i < c->n_when; i++) {
		changing_graph(x->changing, (c->crawl.virtual_time->clock_ms + c->when[i]) / 1000, &g);
		benchmark_make(&x->then[i], &g, x->benchmark.tolerance, threads);
		graph_release(&g);
	}
	return 0;
}

int experiment_run(struct experiment *x, struct err_note *why)
{
	const struct policy_options *p = &x->o->policy;
	struct compare *c = &x->compare;
	unsigned threads = threads_of(p->threads);
	struct graph_options graph = x->o->graph;
	uint64_t total;

	TRY(read_at(x, why));
	graph.made_up = !x->o->orders.count;
	c->draws = (uint32_t)x->o->draws;
	c->with_tau = x->o->tau;
	c->expected = x->o->drawn;
	TRY(read_manners(x, why));
	TRY(read_agents(x, why));
	if (x->o->rules)
		TRY(rules_read(&x->rules, x->o->rules, why));
	c->crawl.rules = x->rules;
	TRY(read_policies(x, why));
	TRY(total_of(p->total, &total, why));
	TRY(graph_options_open(&graph, threads, &x->data, why));
	TRY(check_graph(x, why));
	TRY(read_store(x, why));
	TRY(read_orders(x, why));
	if (x->o->leave_out)
		leave_out_impossible(x);
	TRY(rank_pages(x, threads, why));
	TRY(make_changes(x, threads, why));
	if (x->o->ties)
		benchmark_share_ties(&x->benchmark);
	c->data = &x->data;
	c->seeds = x->o->seeds;
	c->crawl.benchmark = &x->benchmark;
	c->crawl.batch = x->o->batches ? (x->data.graph.nodes + x->o->batches - 1) / x->o->batches : p->batch;
	c->crawl.growth = p->growth;
	c->crawl.max_pages = p->max_pages;
	c->crawl.host_share = p->host_share;
	c->crawl.rng_seed = p->rng_seed;
	c->crawl.total = total == TOTAL_REACHABLE ? COMPARE_REACHABLE : total == TOTAL_ALL ? x->data.graph.nodes : total;
	c->threads = threads;
	c->tell = tick;
	c->ctx = &x->progress;
	progress_init(&x->progress, (enum progress_mode)x->report->progress, "crawls", c->n_policies * c->draws);
	if (c->crawl.virtual_time && !x->data.names.host)
		log_say("the graph '%s' has no hosts: all its pages are on one", x->o->graph.graph);
	const int err = compare_run(c, why);
	progress_done(&x->progress);
	if (!err && c->trials[0].missing)
		log_say("%llu seeds of '%s' are not in the graph and were left out", (unsigned long long)c->trials[0].missing,
			c->seeds);
	return err;
}

void experiment_let_go(struct experiment *x)
{
	for (size_t i = 0; x->then && i < x->compare.n_when; i++)
		benchmark_release(&x->then[i]);
	free(x->then);
	x->then = NULL;
	changing_free(x->changing);
	x->changing = NULL;
	virtual_time_release(&x->virtual_time);
	benchmark_release(&x->benchmark);
	dataset_release(&x->data);
}

void experiment_release(struct experiment *x)
{
	compare_release(&x->compare);
	experiment_let_go(x);
	for (size_t i = 0; x->opts && i < x->compare.n_policies; i++) {
		opt_release(&x->opts[i]);
		policy_free(x->policy[i]);
	}
	free(x->opts);
	free(x->policy);
	crawl_orders_release(&x->orders);
	rules_free(x->rules);
	free(x->at);
	free(x->when);
}
