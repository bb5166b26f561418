/* `lycosa study`: a job file of graphs and policies, run and written as a folder. */
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/folder.h"
#include "cli/lab/study_again.h"
#include "cli/lab/study_each.h"
#include "cli/lab/study_files.h"
#include "cli/lab/study_run.h"
#include "cli/lab/study_agents.h"
#include "cli/lab/study_times.h"
#include "cli/verbs.h"
#include "lab/report/contest_report.h"

#include <stdlib.h>
#include <string.h>

struct study_options {
	struct standard_options standard;
	struct report_options report;
	const char *out;
	uint64_t threads;
};

/* Writes into the job what was run: the fingerprints of the graphs and of the numbers, and the default values. */
static void settle(struct job *j, const struct study_run *r, const struct study *s)
{
	static const enum job_key global[] = {JOB_AT, JOB_JUDGE, JOB_DROP_SHORT, JOB_SMALLEST_EFFECT, JOB_TIES};
	static const enum job_key each[] = {JOB_SEEDS, JOB_DRAWS, JOB_BATCH, JOB_RNG_SEED, JOB_MAX_PAGES};
	char text[FINGERPRINT_ROOM];

	for (size_t i = 0; i < sizeof global / sizeof *global; i++)
		if (!j->global.value[global[i]].n)
			job_set(&j->global, global[i], job_text(j, NULL, global[i]));
	for (size_t i = 0; i < sizeof each / sizeof *each; i++)
		if (!j->global.value[each[i]].n)
			job_set(&j->global, each[i], job_text(j, NULL, each[i]));
	for (size_t g = 0; g < j->graphs; g++)
		job_set(&j->graph[g], JOB_FINGERPRINT, fingerprint_text(r->contest.graph[g].fingerprint, text));
	job_set(&j->global, JOB_NUMBERS, fingerprint_text(study_fingerprint(s), text));
}

/* Compares the fingerprint of the results with the one that the job states. A job that states one is a manifest. Returns 0 or
 * ERR_OTHER. */
static int check_numbers(const struct job *j, const char *wanted, const struct study *s, struct err_note *why)
{
	char found[FINGERPRINT_ROOM];

	if (!wanted)
		return 0;
	if (strcmp(wanted, fingerprint_text(study_fingerprint(s), found)) != 0)
		return err_set(why, ERR_OTHER, "the numbers are not those of '%s' (%s, not %s)", j->path, found, wanted);
	log_say("the numbers are those of '%s'", j->path);
	return 0;
}

static void tell_facts(const struct job *j, struct study *s)
{
	static const enum job_key told[] = {JOB_JUDGE, JOB_DROP_SHORT, JOB_SMALLEST_EFFECT, JOB_TIES, JOB_VARY};

	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		if (job_text(j, NULL, told[i]))
			study_fact(s, job_key_name(told[i]), job_text(j, NULL, told[i]));
}

/* Findings are looked at last: the folder shows what contradicts them. */
static int report(const struct study_options *o, struct job *j, struct study_run *r, struct err_note *why)
{
	const char *title = job_text(j, NULL, JOB_TITLE), *numbers = job_text(j, NULL, JOB_NUMBERS);
	char *wanted = numbers ? strdup(numbers) : NULL;
	struct study s = {.tables = 0};
	struct contest_across across;

	contest_across_make(&r->contest, &across);
	contest_report(&r->contest, &across, &s);
	if (r->contest.yardstick)
		contest_gaps(&r->contest, &s);
	contest_curves(&r->contest, CONTEST_CURVES_MAIN, &s);
	contest_values(&r->contest, &s);
	study_times(r, &s);
	study_agents(r, &s);
	tell_facts(j, &s);
	settle(j, r, &s);
	s.title = mem_text(title ? title : "A study of crawl policies");
	int err = o->out ? study_files(o->out, &s, j, why) : study_print(&s, &o->report, why);
	if (!err)
		err = check_numbers(j, wanted, &s, why);
	if (!err)
		err = contest_check(&r->contest, &across, why);
	contest_across_release(&across);
	study_release(&s);
	free(wanted);
	return err;
}

static int run_contest(const struct study_options *o, struct job *j, struct err_note *why)
{
	struct study_run r = {.job = j, .report = o->report, .threads = o->threads, .with_profiles = 1};
	int err = o->out ? folder_make(o->out, why) : 0;

	if (!err)
		err = study_run(&r, why);
	if (!err)
		err = report(o, j, &r, why);
	study_run_release(&r);
	return err;
}

/* Runs a manifest that `lycosa compare` has left by `lycosa compare --from`. */
static int run_comparison(const struct study_options *o, const struct job *j, struct err_note *why)
{
	const char *argv[7] = {"lycosa", "compare", "--from", j->path, o->out ? "--out" : NULL, o->out, NULL};
	const int argc = o->out ? 6 : 4;

	return verb_main(argc, argv, why);
}

static int run_evaluation(const struct study_options *o, struct job *j, struct err_note *why)
{
	return study_each_is_meant(j) ? study_each(j, o->out, why) : study_again(j, o->out, why);
}

static int run(const struct command *c, struct err_note *why)
{
	const struct study_options *o = c->options;
	static const char *const kinds[] = {"study", "compare", "seeds", "coverage"};
	struct job j;
	size_t kind = 0;
	int err = job_read(&j, c->flags->operand, c->flags->operands, why);

	if (!err)
		err = job_check_files(&j, c, why);
	while (!err && kind < 4 && strcmp(kinds[kind], job_text(&j, NULL, JOB_STUDY)) != 0)
		kind++;
	if (!err)
		err = kind == 0     ? run_contest(o, &j, why)
			: kind == 1 ? run_comparison(o, &j, why)
			: kind < 4  ? run_evaluation(o, &j, why)
				    : job_wrong(&j, NULL, JOB_STUDY, "study, compare, seeds or coverage is wanted", why);
	job_release(&j);
	return err;
}

#define STUDY(field) offsetof(struct study_options, field)
static const struct flag study_flags[] = {
	{"out", 0, FLAG_TEXT, STUDY(out), "DIR", .help = "write tables, figures, report and manifest to DIR",
		.file = FLAG_WRITES_REPORT},
	{.name = NULL},
};
static const struct study_options defaults;
static const struct flag_group groups[] = {
	{NULL, study_flags, 0, FLAGS_A_LINE_EACH},
	{NULL, threads_flag, STUDY(threads), FLAGS_A_LINE_EACH},
	{NULL, json_flag, STUDY(report.json), FLAGS_A_LINE_EACH},
	{NULL, progress_flag, STUDY(report.progress), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

const struct verb verb_study = {
	.name = "study",
	.summary = "Runs a job file: policies on several graphs, claims checked.",
	.operands = "FILE...",
	.operand_file = FLAG_READS,
	.least = 1,
	.most = OPERANDS_ANY,
	.groups = groups,
	.defaults = &defaults,
	.size = sizeof defaults,
	.run = run,
};
