/* `lycosa compare`: many policies side by side on a graph. */
#include "base/log.h"
#include "base/mem.h"
#include "cli/experiment.h"
#include "cli/manifest.h"
#include "cli/options.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

struct compare_options {
	struct standard_options standard;
	struct graph_options graph;
	struct experiment_options experiment;
	struct policy_options policy;
	struct report_options report;
	struct flag_list policies;
	uint64_t draws;
	int tau;
	const char *out, *from;
};

static int all_are_meant(const struct compare_options *o)
{
	const struct flag_list *given = &o->policies;

	return given->count ? given->count == 1 && strcmp(given->at[0], "all") == 0
			    : o->policy.policy == NULL;
}

/* All names, or those given; an array that is the caller's to free. */
static const char **names_of(const struct compare_options *o, size_t *n)
{
	size_t all = 0;

	if (!all_are_meant(o)) {
		*n = o->policies.count ? o->policies.count : 1;
		return mem_copy(o->policies.count ? o->policies.at : &o->policy.policy,
			*n * sizeof *o->policies.at);
	}
	while (policy_word(all))
		all++;
	const char **names = mem_new(all, sizeof *names);
	for (size_t i = 0; i < all; i++)
		names[i] = policy_word(i);
	*n = all;
	return names;
}

static int run_experiment(
	struct experiment *x, const struct compare_options *o, struct err_note *why)
{
	x->compare.with_tau = o->tau;
	x->compare.with_profiles = o->out != NULL;
	/* before hours of crawling */
	int err = o->out ? experiment_folder(o->out, why) : 0;

	if (!err)
		err = experiment_run(x, why);
	if (!err && o->out)
		err = experiment_write(x, o->out, why);
	if (!err)
		err = experiment_print(x, why);
	if (!err && x->compare.draws > 1)
		experiment_tell(x);
	return err;
}

/* What the manifest says stands; only where things lie and how they are shown may be said anew. */
static int check_given(const struct command *c, struct err_note *why)
{
	static const char *const settled[] = {"policies", "draws", "tau", "at", "policy",
		"policy-opt", "max-pages", "batch", "total", "tol", "rng-seed"};

	for (size_t i = 0; i < sizeof settled / sizeof *settled; i++)
		if (flags_given(c->flags, settled[i]))
			return err_set(why, ERR_USAGE,
				"--%s cannot be given with --from: the manifest has settled it",
				settled[i]);
	return 0;
}

/* The manifest's options under those given. */
static void merge(struct compare_options *o, const struct manifest *m)
{
	o->policy = m->policy;
	o->experiment.at = m->experiment.at;
	o->draws = m->draws;
	o->tau = m->tau;
	if (!o->experiment.seeds)
		o->experiment.seeds = m->experiment.seeds;
	if (!o->graph.graph) {
		const struct graph_options given = o->graph;
		o->graph = m->graph;
		o->graph.urls = given.urls ? given.urls : m->graph.urls;
		o->graph.hosts = given.hosts ? given.hosts : m->graph.hosts;
	}
}

static int run_again(const struct command *c, struct err_note *why)
{
	struct compare_options o = *(const struct compare_options *)c->options;
	const uint64_t threads = o.policy.threads;
	struct manifest m;
	int err = check_given(c, why);

	if (err)
		return err;
	err = manifest_read(&m, o.from, why);
	if (!err) {
		merge(&o, &m);
		o.policy.threads = threads;
	}
	if (!err && (!o.graph.graph || !o.experiment.seeds))
		err = err_set(why, ERR_USAGE, "%s does not say where the %s: give --%s", o.from,
			o.graph.graph ? "seeds are" : "graph is",
			o.graph.graph ? "seeds" : "graph");
	struct experiment x = {.graph_options = &o.graph,
		.options = &o.experiment,
		.policy_options = &o.policy,
		.report = &o.report,
		.policies = m.policies.at,
		.fingerprint = &m.graph_fingerprint,
		.compare = {.n_policies = m.policies.count,
			.draws = (uint32_t)m.draws,
			.expected = m.seed_fingerprints}};
	if (!err)
		err = run_experiment(&x, &o, why);
	uint64_t numbers = err ? 0 : compare_fingerprint(&x.compare);
	if (!err && numbers != m.numbers)
		err = err_set(why, ERR_OTHER,
			"the numbers are not those of '%s' (%016llx, not %016llx), which lycosa %s "
			"made",
			o.from, (unsigned long long)numbers, (unsigned long long)m.numbers,
			m.version ? m.version : "of an unknown version");
	if (!err)
		log_say("the numbers are those of '%s'", o.from);
	experiment_release(&x);
	manifest_release(&m);
	return err;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct compare_options *o = c->options;
	size_t n;

	if (o->from)
		return run_again(c, why);
	const char **names = names_of(o, &n);
	struct experiment x = {.graph_options = &o->graph,
		.options = &o->experiment,
		.policy_options = &o->policy,
		.report = &o->report,
		.policies = names,
		.if_possible = all_are_meant(o),
		.compare = {.n_policies = n, .draws = (uint32_t)o->draws}};
	int err = run_experiment(&x, o, why);
	experiment_release(&x);
	free(names);
	return err;
}

#define OWN(field) offsetof(struct compare_options, field)
static const struct flag own[] = {
	{"graph", 0, FLAG_TEXT, OWN(graph.graph), "PATH",
		.help = "a graph file, or the store of a crawl", .required = 1, .unless = "from"},
	{"seeds", 0, FLAG_TEXT, OWN(experiment.seeds), "SEEDS",
		.help = "a file, random:N, random:0.001, hosts:1 or roots", .required = 1,
		.unless = "from"},
	{"policies", 0, FLAG_COMMAS, OWN(policies), "all|A,B",
		.help = "which; all of them where not given"},
	{"draws", 0, FLAG_COUNT, OWN(draws), "N", .help = "draws of the seeds, from --rng-seed on",
		.min = 1, .max = 1000000},
	{"out", 0, FLAG_TEXT, OWN(out), "DIR",
		.help = "write results, curves, report, manifest there"},
	{"from", 0, FLAG_TEXT, OWN(from), "MANIFEST", .help = "do again what manifest.json says"},
	{"tau", 0, FLAG_SWITCH, OWN(tau), .help = "Kendall's tau of each part's own PageRank"},
	{.name = NULL},
};

static const struct flag_group groups[] = {
	{NULL, own, 0, FLAGS_A_LINE_EACH},
	{NULL, names_flags, OWN(graph), FLAGS_A_LINE_EACH},
	{NULL, at_flag, OWN(experiment), FLAGS_A_LINE_EACH},
	{NULL, policy_flags, OWN(policy), FLAGS_A_LINE_EACH},
	{"Output", report_flags, OWN(report), FLAGS_NAMES_ONLY},
	STANDARD_GROUP,
	{.flags = NULL},
};

static const struct compare_options defaults = {
	.policy = POLICY_OPTIONS_DEFAULT,
	.draws = 1,
};

const struct verb verb_compare = {
	.name = "compare",
	.summary = "Crawls a graph under several policies, and compares them.",
	.groups = groups,
	.defaults = &defaults,
	.size = sizeof defaults,
	.run = run,
};
