/* `lycosa compare`: many policies side by side on a graph, or on several, one after the other. */
#include "base/mem.h"
#include "base/num.h"
#include "cli/flags/options.h"
#include "cli/folder.h"
#include "cli/lab/experiment.h"
#include "cli/lab/study_files.h"
#include "cli/lab/study_job.h"
#include "cli/lab/study_run.h"
#include "cli/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* --- The job that `lycosa compare` is, and the manifest that it leaves. */

struct compare_options {
	struct standard_options standard;
	struct flag_list graphs;
	struct experiment_options experiment; /* its graph has only --urls and --hosts */
	struct report_options report;
	struct flag_list policies;
	const char *out, *from;
};

static int all_are_meant(const struct compare_options *o)
{
	const struct flag_list *given = &o->policies;

	return given->count ? given->count == 1 && strcmp(given->at[0], "all") == 0 : o->experiment.policy.policy == NULL;
}

/* Returns the names of all policies, or of those given: an array of n texts, which the caller frees. */
static char **names_of(const struct compare_options *o, size_t *n)
{
	struct flag_list one = {(const char **)&o->experiment.policy.policy, 1};
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

/* --- from flags */

static void set_policies(struct job_section *s, const struct compare_options *o)
{
	size_t n;
	char **names = names_of(o, &n);
	struct buf list = BUF_EMPTY;

	for (size_t i = 0; i < n; i++) {
		buf_format(&list, "%s%s", i ? ", " : "", names[i]);
		free(names[i]);
	}
	job_take(s, JOB_POLICIES, buf_take(&list));
	free(names);
}

static void set_batch(struct job_section *s, uint64_t batch, double growth)
{
	struct buf text = BUF_EMPTY;

	batch_describe(batch, growth, &text);
	job_take(s, JOB_BATCH, buf_take(&text));
}

/* Adds a section for a graph, named by its path; if the path was given before, by the path and a number, "web.txt (2)". */
static struct job_section *add_graph(struct job *j, const char *path)
{
	const size_t before = j->graphs;
	struct job_section *s = job_graph(j, path);

	for (size_t i = 2; j->graphs == before; i++) {
		AUTO_FREE char *name = buf_made("%s (%zu)", path, i);
		s = job_graph(j, name);
	}
	return s;
}

/* Fills an empty job with the flags. Three keys say what two flags say together. Follow with job_release(). */
static void compare_job(struct job *j, const struct command *c)
{
	const struct compare_options *o = c->options;
	const struct fleet_plan *plan = &o->experiment.plan;

	job_init(j);
	job_set(&j->global, JOB_STUDY, "compare");
	job_take_flags(j, NULL, c);
	set_policies(&j->global, o);
	set_batch(&j->global, o->experiment.policy.batch, o->experiment.policy.growth);
	job_clear(&j->global, JOB_AGENTS);
	if (plan->agents)
		job_take(&j->global, JOB_AGENTS,
			buf_made("%" PRIu64 ":%" PRIu64 "%s", plan->agents, plan->lag, plan->shares == FLEET_LOAD ? ":load" : ""));
	if (all_are_meant(o))
		job_set(&j->global, JOB_IF_IMPOSSIBLE, "leave-out");
	for (size_t i = 0; i < o->graphs.count; i++)
		job_set(add_graph(j, o->graphs.at[i]), JOB_GRAPH, o->graphs.at[i]);
}

/* --- what has run */

static void settle_options(struct job_section *s, const struct policy *policy, const struct opt_set *set)
{
	for (size_t i = 0; set->table && set->table[i].name; i++) {
		const struct opt *o = &set->table[i];
		const struct opt_value *v = &set->value[i];
		if (o->kind == OPT_TEXT && !v->text)
			continue;
		struct buf text = buf_of("%s.%s=", policy->name, o->name);
		if (o->kind == OPT_TEXT || (o->kind == OPT_CHOICE && v->text))
			buf_text(&text, v->text);
		else if (o->kind == OPT_CHOICE)
			buf_add(&text, o->choices, strcspn(o->choices, "|"));
		else
			opt_shortest(&text, v->number);
		job_take(s, JOB_POLICY_OPT, buf_take(&text));
	}
}

static void settle_graph(struct job_section *s, const struct experiment *x)
{
	const struct compare *c = &x->compare;
	char text[FINGERPRINT_ROOM];

	job_set(s, JOB_FINGERPRINT, fingerprint_text(x->found, text));
	set_batch(s, c->crawl.batch, c->crawl.growth);
	if (c->tolerance > 0) {
		struct buf tolerance = BUF_EMPTY;
		opt_shortest(&tolerance, c->tolerance);
		job_take(s, JOB_TOL, buf_take(&tolerance));
	}
	job_take(s, JOB_TOTAL,
		c->crawl.total && c->crawl.total != COMPARE_REACHABLE ? buf_made("%" PRIu64, c->crawl.total)
								      : mem_text(c->crawl.total ? "reachable" : "unknown"));
	if (c->orders)
		job_take(s, JOB_DRAWS, buf_made("%u", c->draws));
	job_clear(s, JOB_DRAWN);
	for (uint32_t i = 0; i < c->draws; i++)
		job_set(s, JOB_DRAWN, fingerprint_text(c->drawn[i], text));
	job_clear(s, JOB_POLICY_OPT);
	for (size_t i = 0; i < c->n_policies; i++)
		settle_options(s, c->policies[i], &x->opts[i]);
}

static uint64_t fingerprint_of(const struct job *j, const struct experiment *x)
{
	AUTO_FREE uint64_t *numbers = mem_new(j->graphs, sizeof *numbers);

	for (size_t i = 0; i < j->graphs; i++)
		numbers[i] = compare_fingerprint(&x[i].compare);
	return XXH3_64bits(numbers, j->graphs * sizeof *numbers);
}

/* Settles a job that has run, experiment i on graph i, so that it makes the same numbers wherever and by
 * whatever version it is run: fingerprints, every option of every policy, and what had a default. */
static void compare_settle(struct job *j, const struct experiment *x)
{
	char text[FINGERPRINT_ROOM];

	job_clear(&j->global, JOB_POLICY_OPT);
	job_clear(&j->global, JOB_BATCH);
	job_clear(&j->global, JOB_TOTAL);
	job_clear(&j->global, JOB_TOL);
	if (!j->global.value[JOB_AT].n)
		job_set(&j->global, JOB_AT, job_text(j, NULL, JOB_AT));
	for (size_t i = 0; i < j->graphs; i++)
		settle_graph(&j->graph[i], &x[i]);
	job_set(&j->global, JOB_NUMBERS, fingerprint_text(fingerprint_of(j, x), text));
}

/* With several graphs, refuses flags that can belong to one graph only. Returns 0 or ERR_USAGE. */
static int check_several(const struct compare_options *o, const struct job *j, struct err_note *why)
{
	const char *seeds = job_text(j, NULL, JOB_SEEDS);

	if (j->graphs == 1)
		return 0;
	if (o->experiment.graph.urls || o->experiment.graph.hosts)
		return err_set(why, ERR_USAGE, "--%s is one graph's; of several the names lie beside them: x.%s beside x",
			o->experiment.graph.urls ? "urls" : "hosts", o->experiment.graph.urls ? "urls" : "hosts");
	if (strcmp(seeds, "-") == 0)
		return err_set(why, ERR_USAGE, "--seeds - is read once, and there are %zu graphs: give a rule or a file",
			j->graphs);
	return 0;
}

/* Writes the folder of --out. */
static int write_folder(const char *folder, struct job *j, const struct experiment *x, struct err_note *why)
{
	AUTO(study) s = {.tables = 0};

	experiment_study(x, j->graphs, &s);
	compare_settle(j, x);
	return study_files(folder, &s, j, why);
}

static int run_job(const struct compare_options *o, struct job *j, struct err_note *why)
{
	struct study_run r = {.job = j,
		.report = o->report,
		.threads = o->experiment.policy.threads,
		.with_profiles = o->out != NULL};
	int err = check_several(o, j, why);

	/* before hours of crawling */
	if (!err && o->out)
		err = folder_make(o->out, why);
	if (!err)
		err = study_run_experiments(&r, why);
	const int numbers = err ? 0 : study_numbers_check(j, job_text(j, NULL, JOB_NUMBERS), fingerprint_of(j, r.x), why);
	if (!err && o->out)
		err = write_folder(o->out, j, r.x, why);
	if (!err)
		err = experiment_print(r.x, j->graphs, why);
	if (!err && r.x->compare.n_policies > 1)
		experiment_tell(r.x, j->graphs);
	study_run_release(&r);
	return err ? err : numbers;
}

/* --- once more */

int compare_again(struct job *j, const char *out, const struct report_options *report, uint64_t threads, struct err_note *why)
{
	const struct compare_options o = {.report = *report, .out = out, .experiment.policy.threads = threads};

	return run_job(&o, j, why);
}

static int is_among(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

/* Checks that with --from no flag is given that the manifest settles; only paths and the form of the output may be given. */
static int check_given(const struct command *c, struct err_note *why)
{
	static const char *const paths[] = {"graph", "urls", "hosts", "seeds", NULL};
	static const char *const others[] = {"policy", "rerank-growth", "lag", "shares", NULL}; /* a part of a key each */
	enum job_key key;
	const struct flag *row;

	for (size_t i = 0; (row = flags_row(c->verb->flags, i, NULL)) != NULL; i++)
		if ((job_key_named(row->name, &key) ? !is_among(paths, row->name) : is_among(others, row->name)) &&
			flags_given(c->flags, row->name))
			return err_set(why, ERR_USAGE, "--%s cannot be given with --from: the manifest has settled it", row->name);
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
	static const enum job_key names[] = {JOB_URLS, JOB_HOSTS};

	if (o->graphs.count && o->graphs.count != j->graphs)
		return err_set(why, ERR_USAGE, "%s is of %zu graphs, and --graph was given %zu times", o->from, j->graphs,
			o->graphs.count);
	for (size_t i = 0; i < j->graphs; i++) {
		struct job_section *s = &j->graph[i];
		if (o->graphs.count) {
			job_set(s, JOB_GRAPH, o->graphs.at[i]);
			for (size_t k = 0; k < 2; k++) {
				job_clear(s, names[k]);
				job_clear(&j->global, names[k]);
			}
		}
		if (o->experiment.graph.urls)
			job_set(s, JOB_URLS, o->experiment.graph.urls);
		if (o->experiment.graph.hosts)
			job_set(s, JOB_HOSTS, o->experiment.graph.hosts);
		if (o->experiment.seeds)
			job_set(s, JOB_SEEDS, o->experiment.seeds);
	}
	return 0;
}

static int run_again(const struct command *c, struct err_note *why)
{
	const struct compare_options *o = c->options;
	AUTO(job) j = {0};

	TRY(check_given(c, why));
	TRY(job_read(&j, &o->from, 1, why));
	TRY(check_kind(&j, why));
	TRY(move(&j, o, why));
	TRY(job_check_files(&j, c, why));
	return run_job(o, &j, why);
}

static int run(const struct command *c, struct err_note *why)
{
	const struct compare_options *o = c->options;
	AUTO(job) j = {0};

	if (o->from)
		return run_again(c, why);
	TRY(fleet_plan_check(&o->experiment.plan, why));
	compare_job(&j, c);
	return run_job(o, &j, why);
}

#define OWN(field) offsetof(struct compare_options, field)
static const struct flag flags[] = {
	{"graph", 0, FLAG_EACH, OWN(graphs), "PATH", .help = "a graph file, or the store of a crawl; may be given more than once",
		.required = 1, .unless = "from", .is_noun = 1, .file = FLAG_READS_GRAPH},
	{"seeds", 0, FLAG_TEXT, OWN(experiment.seeds), "SEEDS", .help = "a file, random:N, random:0.1, hosts:1, roots, METHOD:N",
		.required = 1, .unless = "from", .file = FLAG_READS_SEEDS},
	{"policies", 0, FLAG_COMMAS, OWN(policies), "all|A,B", .help = "the policies (all)", .file = FLAG_READS},
	{"draws", 0, FLAG_COUNT, OWN(experiment.draws), "N", .help = "number of draws of the seeds", .min = 1, .max = 1000000},
	{"out", 0, FLAG_TEXT, OWN(out), "DIR", .help = "write results, curves, report and manifest to DIR",
		.file = FLAG_WRITES_REPORT},
	{"from", 0, FLAG_TEXT, OWN(from), "MANIFEST", .help = "repeat the comparison of a manifest.json", .file = FLAG_READS},
	{"tau", 0, FLAG_SWITCH, OWN(experiment.tau), .help = "measure Kendall's tau of PageRank within the crawled part"},
	TABLE_ROW(names_flags, OWN(experiment.graph)),
	TABLE_ROW(measure_flags, OWN(experiment)),
	TABLE_ROW(rules_flag, OWN(experiment)),
	TABLE_ROW(policy_flags, OWN(experiment.policy)),
	TABLE_ROW(virtual_flags, OWN(experiment)),
	TABLE_ROW(agents_flags, OWN(experiment)),
	NAMES_ROW("Output"),
	TABLE_ROW(report_flags, OWN(report)),
	STANDARD_ROWS,
};

static const struct compare_options defaults = {
	.experiment = {.draws = 1, .policy = POLICY_OPTIONS_DEFAULT},
};

const struct verb verb_compare = VERB("compare", "Crawls a graph under several policies, and compares them.", flags, defaults, run);
