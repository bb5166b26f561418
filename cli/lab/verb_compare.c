/* `lycosa compare`: many policies side by side on a graph, or on several, one after the other. */
#include "base/log.h"
#include "base/mem.h"
#include "cli/folder.h"
#include "cli/lab/compare_job.h"
#include "cli/lab/study_files.h"
#include "cli/lab/study_run.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

struct compare_options {
	struct standard_options standard;
	struct flag_list graphs;
	struct graph_options names; /* --urls and --hosts of the one graph */
	struct experiment_options experiment;
	struct virtual_options virtual;
	struct agents_options agents;
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

	return given->count ? given->count == 1 && strcmp(given->at[0], "all") == 0 : o->policy.policy == NULL;
}

/* Returns the names of all policies, or of those given: an array of n texts, which the caller frees. */
static char **names_of(const struct compare_options *o, size_t *n)
{
	struct flag_list one = {(const char **)&o->policy.policy, 1};
	size_t all = 0;

	if (!all_are_meant(o))
		return policy_specs(o->policies.count ? &o->policies : &one, n);
	while (policy_word(all))
		all++;
	char **names = mem_new(all, sizeof *names);
	for (size_t i = 0; i < all; i++)
		names[i] = mem_text(policy_word(i));
	*n = all;
	return names;
}

/* With several graphs, refuses flags that can belong to one graph only. Returns 0 or ERR_USAGE. */
static int check_several(const struct compare_options *o, const struct job *j, struct err_note *why)
{
	const char *seeds = job_text(j, NULL, JOB_SEEDS);

	if (j->graphs == 1)
		return 0;
	if (o->names.urls || o->names.hosts)
		return err_set(why, ERR_USAGE, "--%s is one graph's; of several the names lie beside them: x.%s beside x",
			o->names.urls ? "urls" : "hosts", o->names.urls ? "urls" : "hosts");
	if (strcmp(seeds, "-") == 0)
		return err_set(why, ERR_USAGE, "--seeds - is read once, and there are %zu graphs: give a rule or a file",
			j->graphs);
	return 0;
}

/* Writes the folder of --out. */
static int write_folder(const char *folder, struct job *j, const struct experiment *x, struct err_note *why)
{
	struct study s = {.tables = 0};

	experiment_study(x, j->graphs, &s);
	compare_settle(j, x);
	const int err = study_files(folder, &s, j, why);
	study_release(&s);
	return err;
}

static int run_job(const struct compare_options *o, struct job *j, struct err_note *why)
{
	struct study_run r = {.job = j, .report = o->report, .threads = o->policy.threads, .with_profiles = o->out != NULL};
	int err = check_several(o, j, why);

	/* before hours of crawling */
	if (!err && o->out)
		err = folder_make(o->out, why);
	if (!err)
		err = study_run_experiments(&r, why);
	const int numbers = err ? 0 : compare_check(j, r.x, why);
	if (!err && o->out)
		err = write_folder(o->out, j, r.x, why);
	if (!err)
		err = experiment_print(r.x, j->graphs, why);
	if (!err && r.x->compare.draws > 1)
		experiment_tell(r.x, j->graphs);
	study_run_release(&r);
	return err ? err : numbers;
}

/* --- once more */

/* Checks that with --from no flag is given that the manifest settles; only paths and the form of the output may be given. */
static int check_given(const struct command *c, struct err_note *why)
{
	static const char *const settled[] = {"policies", "draws", "tau", "at", "ties", "target", "policy", "policy-opt",
		"max-pages", "batch", "total", "tol", "rng-seed", "politeness", "when", "max-time", "agents", "lag", "shares"};

	for (size_t i = 0; i < sizeof settled / sizeof *settled; i++)
		if (flags_given(c->flags, settled[i]))
			return err_set(why, ERR_USAGE, "--%s cannot be given with --from: the manifest has settled it", settled[i]);
	return 0;
}

static int check_kind(const struct job *j, struct err_note *why)
{
	const char *kind = job_text(j, NULL, JOB_STUDY);

	return strcmp(kind, "compare") == 0
		? 0
		: err_set(why, ERR_USAGE, "%s is of 'lycosa %s', not of a comparison: 'lycosa study %s' does it again", j->path,
			  kind, j->path);
}

/* Replaces the paths of graphs and seeds in a manifest by where they are now. */
static int move(struct job *j, const struct compare_options *o, struct err_note *why)
{
	if (o->graphs.count && o->graphs.count != j->graphs)
		return err_set(why, ERR_USAGE, "%s is of %zu graphs, and --graph was given %zu times", o->from, j->graphs,
			o->graphs.count);
	for (size_t i = 0; i < j->graphs; i++) {
		struct job_section *s = &j->graph[i];
		if (o->graphs.count) {
			job_set(s, JOB_GRAPH, o->graphs.at[i]);
			job_clear(s, JOB_URLS);
			job_clear(s, JOB_HOSTS);
		}
		if (o->names.urls)
			job_set(s, JOB_URLS, o->names.urls);
		if (o->names.hosts)
			job_set(s, JOB_HOSTS, o->names.hosts);
		if (o->experiment.seeds)
			job_set(s, JOB_SEEDS, o->experiment.seeds);
	}
	return 0;
}

static int run_again(const struct command *c, struct err_note *why)
{
	const struct compare_options *o = c->options;
	struct job j;
	int err = check_given(c, why);

	if (err)
		return err;
	err = job_read(&j, &o->from, 1, why);
	if (!err)
		err = check_kind(&j, why);
	if (!err)
		err = move(&j, o, why);
	if (!err)
		err = job_check_files(&j, c, why);
	if (!err)
		err = run_job(o, &j, why);
	job_release(&j);
	return err;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct compare_options *o = c->options;
	struct job j;
	size_t n;

	if (o->from)
		return run_again(c, why);
	int err = agents_options_check(&o->agents, why);
	if (err)
		return err;
	char **names = names_of(o, &n);
	compare_job(&j,
		&(struct compare_words){.graphs = &o->graphs,
			.names = &o->names,
			.experiment = &o->experiment,
			.virtual = &o->virtual,
			.agents = &o->agents,
			.policy = &o->policy,
			.policies = (const char *const *)names,
			.n_policies = n,
			.draws = o->draws,
			.tau = o->tau,
			.if_possible = all_are_meant(o)});
	err = run_job(o, &j, why);
	job_release(&j);
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return err;
}

#define OWN(field) offsetof(struct compare_options, field)
static const struct flag own[] = {
	{"graph", 0, FLAG_EACH, OWN(graphs), "PATH", .help = "a graph file, or the store of a crawl; may be given more than once",
		.required = 1, .unless = "from", .is_noun = 1, .file = FLAG_READS_GRAPH},
	{"seeds", 0, FLAG_TEXT, OWN(experiment.seeds), "SEEDS",
		.help = "a file, random:N, random:0.001, hosts:1, roots or METHOD:N", .required = 1, .unless = "from",
		.file = FLAG_READS_SEEDS},
	{"policies", 0, FLAG_COMMAS, OWN(policies), "all|A,B", .help = "the policies (all)", .file = FLAG_READS},
	{"draws", 0, FLAG_COUNT, OWN(draws), "N", .help = "number of draws of the seeds", .min = 1, .max = 1000000},
	{"out", 0, FLAG_TEXT, OWN(out), "DIR", .help = "write results, curves, report and manifest to DIR",
		.file = FLAG_WRITES_REPORT},
	{"from", 0, FLAG_TEXT, OWN(from), "MANIFEST", .help = "repeat the comparison of a manifest.json", .file = FLAG_READS},
	{"tau", 0, FLAG_SWITCH, OWN(tau), .help = "measure Kendall's tau of PageRank within the crawled part"},
	{.name = NULL},
};

static const struct flag_group groups[] = {
	{NULL, own, 0, FLAGS_A_LINE_EACH},
	{NULL, names_flags, OWN(names), FLAGS_A_LINE_EACH},
	{NULL, measure_flags, OWN(experiment), FLAGS_A_LINE_EACH},
	{NULL, policy_flags, OWN(policy), FLAGS_A_LINE_EACH},
	{NULL, virtual_flags, OWN(virtual), FLAGS_A_LINE_EACH},
	{NULL, agents_flags, OWN(agents), FLAGS_A_LINE_EACH},
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
