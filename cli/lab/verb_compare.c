/* `lycosa compare`: many policies side by side on a graph, or on several, one after the other. */
#include "base/log.h"
#include "base/num.h"
#include "base/mem.h"
#include "cli/lab/experiment.h"
#include "cli/folder.h"
#include "cli/lab/manifest.h"
#include "cli/lab/study_files.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

struct compare_options {
	struct standard_options standard;
	struct flag_list graphs;
	struct graph_options names; /* --urls and --hosts of the one graph */
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

/* All names, or those given; an array of n texts, the caller's to free. */
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

/* What is done on a graph, and what it is told. */
struct task {
	struct graph_options graph;
	struct experiment_options options;
	struct policy_options policy;
};

struct tasks {
	const struct compare_options *o;
	struct task *at;
	struct experiment *x;
	size_t n;
};

static void tasks_init(struct tasks *t, const struct compare_options *o, size_t n)
{
	*t = (struct tasks){o, mem_zero(n, sizeof *t->at), mem_zero(n, sizeof *t->x), n};
	for (size_t i = 0; i < n; i++) {
		t->at[i] = (struct task){o->names, o->experiment, o->policy};
		t->at[i].graph.graph = i < o->graphs.count ? o->graphs.at[i] : NULL;
		t->x[i] = (struct experiment){.graph_options = &t->at[i].graph,
			.options = &t->at[i].options,
			.policy_options = &t->at[i].policy,
			.report = &o->report};
	}
}

static void tasks_release(struct tasks *t)
{
	for (size_t i = 0; i < t->n; i++)
		experiment_release(&t->x[i]);
	free(t->x);
	free(t->at);
}

/* What makes sense for one graph alone. */
static int check_several(const struct tasks *t, struct err_note *why)
{
	const struct task *first = &t->at[0];

	if (t->n == 1)
		return 0;
	if (t->o->names.urls || t->o->names.hosts)
		return err_set(why, ERR_USAGE,
			"--%s is one graph's; of several the names lie beside them: x.%s beside x",
			t->o->names.urls ? "urls" : "hosts", t->o->names.urls ? "urls" : "hosts");
	if (first->options.seeds && strcmp(first->options.seeds, "-") == 0)
		return err_set(why, ERR_USAGE,
			"--seeds - is read once, and there are %zu graphs: give a rule or a file",
			t->n);
	return 0;
}

/* The folder of --out. */
static int write_folder(const struct tasks *t, const char *folder, struct err_note *why)
{
	struct buf manifest = BUF_EMPTY;
	struct study s = {.tables = 0};

	experiment_study(t->x, t->n, &s);
	int err = study_files(folder, &s, why);
	if (!err) {
		manifest_write(t->x, t->n, &manifest);
		err = folder_write(folder, "manifest.json", manifest.at, manifest.used, why);
	}
	buf_release(&manifest);
	study_release(&s);
	return err;
}

/* One graph after the other is read, crawled and forgotten. */
static int run_tasks(struct tasks *t, struct err_note *why)
{
	const struct compare_options *o = t->o;
	int err = check_several(t, why);

	/* before hours of crawling */
	if (!err && o->out)
		err = folder_make(o->out, why);
	for (size_t i = 0; !err && i < t->n; i++) {
		t->x[i].compare.with_profiles = o->out != NULL;
		if (t->n > 1)
			log_detail("graph %zu of %zu: %s", i + 1, t->n, t->at[i].graph.graph);
		err = experiment_run(&t->x[i], why);
		experiment_let_go(&t->x[i]);
	}
	if (!err && o->out)
		err = write_folder(t, o->out, why);
	if (!err)
		err = experiment_print(t->x, t->n, why);
	if (!err && t->x->compare.draws > 1)
		experiment_tell(t->x, t->n);
	return err;
}

/* What the manifest says stands; only where things lie and how they are shown may be said anew. */
static int check_given(const struct command *c, struct err_note *why)
{
	static const char *const settled[] = {"policies", "draws", "tau", "at", "ties", "policy",
		"policy-opt", "max-pages", "batch", "total", "tol", "rng-seed"};

	for (size_t i = 0; i < sizeof settled / sizeof *settled; i++)
		if (flags_given(c->flags, settled[i]))
			return err_set(why, ERR_USAGE,
				"--%s cannot be given with --from: the manifest has settled it",
				settled[i]);
	return 0;
}

/* The manifest's word on a graph, under what was given. */
static void merge(struct tasks *t, size_t i, const struct manifest *m)
{
	const struct compare_options *o = t->o;
	struct task *task = &t->at[i];

	task->policy = m->policy;
	task->policy.threads = o->policy.threads;
	task->options = m->experiment;
	if (o->experiment.seeds)
		task->options.seeds = o->experiment.seeds;
	if (!task->graph.graph) {
		task->graph.graph = m->graph.graph;
		if (!o->names.urls)
			task->graph.urls = m->graph.urls;
		if (!o->names.hosts)
			task->graph.hosts = m->graph.hosts;
	}
	t->x[i].policies = m->policies.at;
	t->x[i].fingerprint = &m->graph_fingerprint;
	t->x[i].compare = (struct compare){.n_policies = m->policies.count,
		.draws = (uint32_t)m->draws,
		.with_tau = m->tau,
		.expected = m->seed_fingerprints};
}

static int check_places(const struct tasks *t, struct err_note *why)
{
	const struct compare_options *o = t->o;

	if (o->graphs.count && o->graphs.count != t->n)
		return err_set(why, ERR_USAGE,
			"%s is of %zu graphs, and --graph was given %zu times", o->from, t->n,
			o->graphs.count);
	for (size_t i = 0; i < t->n; i++)
		if (!t->at[i].graph.graph || !t->at[i].options.seeds)
			return err_set(why, ERR_USAGE, "%s does not say where the %s: give --%s",
				o->from, t->at[i].graph.graph ? "seeds are" : "graph is",
				t->at[i].graph.graph ? "seeds" : "graph");
	return 0;
}

static int check_numbers(const struct tasks *t, const struct manifest *m, struct err_note *why)
{
	char found[FINGERPRINT_ROOM], expected[FINGERPRINT_ROOM];

	for (size_t i = 0; i < t->n; i++) {
		uint64_t numbers = compare_fingerprint(&t->x[i].compare);
		uint64_t wanted = manifest_of(m, i)->numbers;
		if (numbers != wanted)
			return err_set(why, ERR_OTHER,
				"the numbers are not those of '%s' (%s, not %s), which "
				"lycosa %s made",
				t->o->from, fingerprint_text(numbers, found),
				fingerprint_text(wanted, expected),
				m->version ? m->version : "of an unknown version");
	}
	log_say("the numbers are those of '%s'", t->o->from);
	return 0;
}

static int run_again(const struct command *c, struct err_note *why)
{
	const struct compare_options *o = c->options;
	struct manifest m;
	struct tasks t;
	int err = check_given(c, why);

	if (err)
		return err;
	err = manifest_read(&m, o->from, why);
	tasks_init(&t, o, m.graphs);
	for (size_t i = 0; !err && i < t.n; i++)
		merge(&t, i, manifest_of(&m, i));
	if (!err)
		err = check_places(&t, why);
	if (!err)
		err = run_tasks(&t, why);
	if (!err)
		err = check_numbers(&t, &m, why);
	tasks_release(&t);
	manifest_release(&m);
	return err;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct compare_options *o = c->options;
	struct tasks t;
	size_t n;

	if (o->from)
		return run_again(c, why);
	char **names = names_of(o, &n);
	tasks_init(&t, o, o->graphs.count);
	for (size_t i = 0; i < t.n; i++) {
		t.x[i].policies = (const char *const *)names;
		t.x[i].if_possible = all_are_meant(o);
		t.x[i].compare = (struct compare){
			.n_policies = n, .draws = (uint32_t)o->draws, .with_tau = o->tau};
	}
	int err = run_tasks(&t, why);
	tasks_release(&t);
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return err;
}

#define OWN(field) offsetof(struct compare_options, field)
static const struct flag own[] = {
	{"graph", 0, FLAG_EACH, OWN(graphs), "PATH",
		.help = "a graph file, or the store of a crawl; may be given more than once",
		.required = 1, .unless = "from", .is_noun = 1},
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
	{NULL, names_flags, OWN(names), FLAGS_A_LINE_EACH},
	{NULL, measure_flags, OWN(experiment), FLAGS_A_LINE_EACH},
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
