#include "base/mem.h"
#include "frontier/policy.h"
#include "lab/study/oracle.h"
#include "lab/study/compare.h"
#include "lab/study/summary.h"
#include "lib/lib_internal.h"
#include "policies/policies.h"

#include <stdlib.h>
#include <string.h>

/* --- the policies that a caller names */

/* The policies that a caller names, with their options. */

struct policy_list {
	const struct policy **policy;
	struct opt_set *opts; /* one for each policy */
	size_t n;
};

/* Returns the part of an option that is for a policy: what stands behind "name.", or all of it if the
 * policy has the key, else NULL. */
static const char *part_for(const struct policy *p, const char *option)
{
	size_t n = strlen(p->name);

	if (strncmp(option, p->name, n) == 0 && option[n] == '.')
		return option + n + 1;
	for (const struct opt *o = p->opts; o && o->name; o++) {
		n = strlen(o->name);
		if (strncmp(option, o->name, n) == 0 && option[n] == '=')
			return option;
	}
	return NULL;
}

static int give(struct policy_list *list, const char *option, struct err_note *why)
{
	size_t given = 0;

	for (size_t i = 0; i < list->n; i++) {
		const char *part = part_for(list->policy[i], option);
		const int err = part ? opt_give(&list->opts[i], part, why) : 0;
		if (err)
			return err;
		given += part != NULL;
	}
	if (given)
		return 0;
	if (list->n == 1)
		return opt_give(&list->opts[0], option, why); /* names the nearest key */
	return err_set(why, ERR_USAGE, "none of these policies has the option '%s'", option);
}

static void add(struct policy_list *list, const struct policy *policy)
{
	list->policy[list->n] = policy;
	opt_init(&list->opts[list->n], policy->opts, policy->name);
	list->n++;
}

static int add_named(struct policy_list *list, const char *spec, struct err_note *why)
{
	const struct policy *policy = &policy_ideal;

	TRY(strcmp(spec, policy->name) == 0 ? 0 : policy_find(spec, &policy, why));
	add(list, policy);
	return 0;
}

static size_t count_built_in(void)
{
	size_t n = 0;

	while (policies[n])
		n++;
	return n;
}

/* Adds the caller's own policies until the list has `most`. */
static void add_own(struct policy_list *list, const struct lycosa_graph *graph, const struct lycosa_crawl_options *options,
	size_t most)
{
	for (size_t i = 0; i < options->n_own && list->n < most; i++)
		add(list, own_policy_make(&options->own[i], graph->data.graph.nodes));
}

/* Finds the policies of options->policies and the caller's own, the first `most` of them, and gives them their options.
 * If the caller has none, the list has every built-in policy that can run on the graph. Errors:
 * ERR_USAGE; those of policy_load(). The caller calls policy_list_release() after an error, too. */
static int policy_list_read(struct policy_list *list, const struct lycosa_graph *graph, const struct lycosa_crawl_options *options,
	size_t most, struct err_note *why)
{
	const size_t named = options->n_policies < most ? options->n_policies : most;
	const int is_given = named || options->n_own;
	const size_t room = is_given ? named + options->n_own : count_built_in();
	int err = 0;

	*list = (struct policy_list){mem_zero(room, sizeof *list->policy), mem_zero(room, sizeof *list->opts), 0};
	for (size_t i = 0; !err && i < named; i++)
		err = add_named(list, options->policies[i], why);
	if (!err)
		add_own(list, graph, options, most);
	for (size_t i = 0; !is_given && i < room; i++)
		if (!(policy_needs(policies[i]) & ~dataset_sights(&graph->data)) && policies[i]->oracle != POLICY_SCORES)
			add(list, policies[i]);
	for (size_t i = 0; !err && i < options->n_policy_options; i++)
		err = give(list, options->policy_options[i], why);
	return err;
}

static void policy_list_release(struct policy_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		opt_release(&list->opts[i]);
		if (own_policy_is(list->policy[i]))
			own_policy_free(list->policy[i]);
		else
			policy_free(list->policy[i]);
	}
	free(list->policy);
	free(list->opts);
}

/* Returns the error of crawls under the policies: of the first one that the caller's own functions ended, or else `err`. */
static int own_error(const struct policy_list *list, int err, struct err_note *why)
{
	int own = 0;

	for (size_t i = 0; err && !own && i < list->n; i++)
		if (own_policy_is(list->policy[i]))
			own = own_policy_error(list->policy[i], why);
	return own ? own : err;
}

/* --- what both kinds of crawl are given */

static struct lycosa_point point_of(struct throughput_point p)
{
	return (struct lycosa_point){p.k, p.crawled, p.strict, p.discoverable, p.mass, p.lift};
}

/* Finds what is wrong with options that do not depend on a policy. */
static int check(const struct lycosa_graph *graph, const struct lycosa_crawl_options *o, struct err_note *why)
{
	const uint32_t nodes = graph->data.graph.nodes;

	if (o->draws > LYCOSA_MOST_DRAWS)
		return err_set(why, ERR_USAGE, "%u draws: %d are the most", o->draws, LYCOSA_MOST_DRAWS);
	if (!nodes)
		return err_set(why, ERR_NOTHING, "the graph has no nodes");
	if (!o->seeds && !o->n_seed_ids)
		return err_set(why, ERR_NOTHING, "no seed is given: name a rule or ids of nodes");
	for (size_t i = 0; !o->seeds && i < o->n_seed_ids; i++)
		if (o->seed_ids[i] >= nodes)
			return err_set(why, ERR_USAGE, "seed %u is no node: the graph has %u", o->seed_ids[i], nodes);
	return 0;
}

static uint64_t rng_seed(const struct lycosa_crawl_options *o)
{
	return o->rng_seed ? o->rng_seed : 1;
}

/* --- one crawl */

struct lycosa_replay {
	struct replay replay;
	struct throughput hot; /* refers to the graph's benchmark */
};

static int read_seeds(struct seedset *seeds, const struct lycosa_graph *graph, const struct lycosa_crawl_options *o,
	struct err_note *why)
{
	if (o->seeds)
		return seedset_read(seeds, o->seeds, &graph->data, rng_seed(o), why);
	return seedset_take(seeds, o->seed_ids, o->n_seed_ids, &graph->data, why);
}

static int run_replay(struct lycosa_replay *r, const struct lycosa_graph *graph, const struct lycosa_crawl_options *o,
	struct err_note *why)
{
	AUTO(seedset) seeds = {0};

	TRY(read_seeds(&seeds, graph, o, why));
	r->replay.benchmark = inside_benchmark(graph, inside_threads(o->threads));
	TRY(replay_run(&r->replay, &graph->data, &seeds, why));
	throughput_measure(&r->hot, r->replay.benchmark, &graph->data.graph, graph->data.outside, r->replay.order,
		r->replay.crawled, seeds.ids, seeds.n);
	return 0;
}

int lycosa_replay_run(struct lycosa_replay **replay, const struct lycosa_graph *graph, const struct lycosa_crawl_options *options,
	struct lycosa_note *why)
{
	AUTO(policy_list) list = {0};
	struct lycosa_replay *r;
	int err = check(graph, options, inside_note(why));

	*replay = NULL;
	if (!err && !options->n_policies && !options->n_own)
		err = err_set(inside_note(why), ERR_USAGE, "a replay needs a policy");
	if (!err)
		err = policy_list_read(&list, graph, options, 1, inside_note(why));
	if (!err) {
		r = mem_zero(1, sizeof *r);
		r->replay = (struct replay){.policy = list.policy[0],
			.opts = &list.opts[0],
			.batch = options->batch,
			.total = options->total,
			.max_pages = options->max_pages,
			.rng_seed = rng_seed(options)};
		err = own_error(&list, run_replay(r, graph, options, inside_note(why)), inside_note(why));
		if (err)
			free(r);
		else
			*replay = r;
	}
	return err;
}

void lycosa_replay_free(struct lycosa_replay *replay)
{
	if (!replay)
		return;
	throughput_release(&replay->hot);
	replay_release(&replay->replay);
	free(replay);
}

const uint32_t *lycosa_replay_order(const struct lycosa_replay *replay, uint32_t *n)
{
	*n = replay->replay.crawled;
	return replay->replay.order;
}

void lycosa_replay_curve(const struct lycosa_replay *replay, struct lycosa_point *point, size_t n)
{
	for (size_t i = 0; i < n; i++)
		point[i] = point_of(throughput_at(&replay->hot, throughput_k(((double)i + 1) / (double)n, replay->hot.nodes)));
}

double lycosa_replay_auc(const struct lycosa_replay *replay)
{
	return replay->hot.auc;
}

/* --- several crawls */

struct lycosa_comparison {
	struct policy_list list; /* has the names of the trials */
	struct lycosa_trial *trials;
	struct lycosa_point *points;
	struct lycosa_pair *pairs;
	size_t n, n_pairs;
};

/* Takes the pairs of policies, the better ones first. */
static void fill_pairs(struct lycosa_comparison *c, const struct compare *compare)
{
	const size_t n = compare->n_policies;
	AUTO_FREE size_t *order = mem_new(n, sizeof *order);
	AUTO_FREE struct pair *pairs = verdict_pairs(compare);

	c->pairs = mem_zero(n * n, sizeof *c->pairs);
	summary_order(compare, order);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			const struct pair *p = &pairs[order[i] * n + order[j]];
			c->pairs[c->n_pairs++] = (struct lycosa_pair){.policy = compare->policies[p->policy]->name,
				.other = compare->policies[p->other]->name,
				.difference = p->difference.mean,
				.low = p->difference.low,
				.high = p->difference.high,
				.share = p->share,
				.p = p->p,
				.holm_p = p->corrected,
				.draws = p->draws,
				.comparisons = p->comparisons,
				.verdict = verdict_name(p->verdict)};
		}
}

/* Takes what the library tells out of the laboratory's trials. */
static void fill(struct lycosa_comparison *c, const struct compare *compare)
{
	c->n = compare->n_policies * compare->draws;
	c->trials = mem_new(c->n, sizeof *c->trials);
	c->points = mem_new(c->n * COMPARE_STEPS, sizeof *c->points);
	for (size_t i = 0; i < c->n; i++) {
		const struct trial *t = &compare->trials[i];
		struct lycosa_point *curve = c->points + i * COMPARE_STEPS;
		for (size_t k = 0; k < COMPARE_STEPS; k++)
			curve[k] = point_of(t->curve[k]);
		c->trials[i] = (struct lycosa_trial){.policy = t->policy->name,
			.draw = t->draw,
			.crawled = t->crawled,
			.seeds = t->seeds,
			.auc = t->auc,
			.curve = curve,
			.points = COMPARE_STEPS};
	}
}

static int run_comparison(struct lycosa_comparison *c, const struct lycosa_graph *graph, const struct lycosa_crawl_options *o,
	struct err_note *why)
{
	const unsigned threads = inside_threads(o->threads);
	struct compare compare = {.data = &graph->data,
		.crawl = {.benchmark = inside_benchmark(graph, threads),
			.batch = o->batch,
			.total = o->total,
			.max_pages = o->max_pages,
			.rng_seed = rng_seed(o)},
		.policies = c->list.policy,
		.opts = c->list.opts,
		.n_policies = c->list.n,
		.seeds = o->seeds,
		.seed_ids = o->seed_ids,
		.n_seed_ids = o->n_seed_ids,
		.draws = o->draws ? o->draws : 1,
		.threads = threads,
		.with_profiles = 1};
	const int err = compare_run(&compare, why);

	if (!err) {
		fill(c, &compare);
		fill_pairs(c, &compare);
	}
	compare_release(&compare);
	return err;
}

int lycosa_compare(struct lycosa_comparison **comparison, const struct lycosa_graph *graph,
	const struct lycosa_crawl_options *options, struct lycosa_note *why)
{
	struct lycosa_comparison *c = mem_zero(1, sizeof *c);
	int err = check(graph, options, inside_note(why));

	*comparison = NULL;
	if (!err)
		err = policy_list_read(&c->list, graph, options, SIZE_MAX, inside_note(why));
	if (!err)
		err = own_error(&c->list, run_comparison(c, graph, options, inside_note(why)), inside_note(why));
	if (err)
		lycosa_comparison_free(c);
	else
		*comparison = c;
	return err;
}

void lycosa_comparison_free(struct lycosa_comparison *comparison)
{
	if (!comparison)
		return;
	policy_list_release(&comparison->list);
	free(comparison->trials);
	free(comparison->points);
	free(comparison->pairs);
	free(comparison);
}

const struct lycosa_trial *lycosa_comparison_trials(const struct lycosa_comparison *comparison, size_t *n)
{
	*n = comparison->n;
	return comparison->trials;
}

const struct lycosa_pair *lycosa_comparison_pairs(const struct lycosa_comparison *comparison, size_t *n)
{
	*n = comparison->n_pairs;
	return comparison->pairs;
}
