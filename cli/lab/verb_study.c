/* `lycosa study`: a job file of graphs and policies, run and written as a folder. */
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/folder.h"
#include "cli/lab/study_files.h"
#include "cli/lab/study_job.h"
#include "cli/lab/study_run.h"
#include "cli/verbs.h"
#include "lab/report/contest_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Of a study with agents: how idle they were, and what they sent. */

static void add_agents(const struct study_run *r, size_t g, size_t value, size_t policy, struct study *s)
{
	const struct compare *c = &r->x[g * r->values + value].compare;
	double auc = 0, idle = 0, letters = 0, bytes = 0, crawled = 0, twice = 0;

	for (uint32_t d = 0; d < c->draws; d++) {
		const struct trial *t = compare_trial(c, policy, d);
		if (!t->figures)
			return;
		auc += t->auc / c->draws;
		idle += fleet_idle(t->figures) / c->draws;
		letters += (double)t->figures->all.letters / c->draws;
		bytes += (double)t->figures->all.bytes / c->draws;
		crawled += (double)t->crawled / c->draws;
		twice += (double)t->figures->twice;
	}
	STUDY_CELLS(s, cell_text(r->job->graph[g].name), cell_text(r->method[value * r->policies + policy]),
		cell_count(c->crawl.fleet->agents), cell_count(c->crawl.fleet->lag),
		cell_text(c->crawl.fleet->shares == FLEET_LOAD ? "load" : "fixed"), cell_real(auc), cell_real(idle),
		cell_real(letters / crawled), cell_real(bytes / crawled), cell_real(twice));
}

/* Returns the mean AUC of a method, and in *agents the number of its agents if its letters have no lag and its shares are fixed,
 * else 0. */
static double auc_of(const struct study_run *r, size_t g, size_t value, size_t policy, double *agents)
{
	const struct compare *c = &r->x[g * r->values + value].compare;
	double auc = 0;

	*agents = c->crawl.fleet && !c->crawl.fleet->lag && c->crawl.fleet->shares == FLEET_FIXED ? (double)c->crawl.fleet->agents
												  : 0;
	for (uint32_t d = 0; d < c->draws; d++)
		auc += compare_trial(c, policy, d)->auc / c->draws;
	return auc;
}

/* Draws the AUC on a graph by the number of agents, a curve a policy. */
static void draw_agents(const struct study_run *r, size_t g, struct study *s)
{
	struct chart chart = {.x_label = "agents", .y_label = "AUC", .x_scale = CHART_LOG};

	for (size_t p = 0; p < r->policies; p++) {
		double agents, most = 0;
		chart_curve(&chart, r->policy[p], CHART_CANDIDATE);
		for (size_t v = 0; v < r->values; v++) {
			const double auc = auc_of(r, g, v, p, &agents);
			if (agents > most)
				chart_point(&chart, agents, auc);
			most = fmax(most, agents);
		}
	}
	study_chart(s, &chart, buf_made("agents-%s", r->job->graph[g].name), mem_text(r->job->graph[g].name),
		mem_text("The mean AUC by the number of agents, with fixed shares and letters that arrive before the next tick."));
}

/* Appends a table "agents" with a row a graph and method, the means of all draws, if the crawls have agents. */
static void study_agents(const struct study_run *r, struct study *s)
{
	int has_agents = 0;

	for (size_t i = 0; i < r->job->graphs * r->values; i++)
		has_agents |= r->x[i].compare.crawl.fleet != NULL;
	if (!has_agents)
		return;
	study_table(s, "agents", "Agents",
		mem_text(
			"The means of all draws. idle: the share of the agents' turns without a page; letters and bytes sent for each page "
			"crawled; twice: pages that were asked for more than once, in all draws."),
		"graph method agents lag shares auc idle letters_a_page bytes_a_page twice", STUDY_SHOWN);
	for (size_t g = 0; g < r->job->graphs; g++)
		for (size_t p = 0; p < r->policies; p++)
			for (size_t v = 0; v < r->values; v++)
				add_agents(r, g, v, p, s);
	for (size_t g = 0; r->values > 1 && g < r->job->graphs; g++)
		draw_agents(r, g, s);
}

/* --- The table of a study in virtual time: what each method had found after a time. */

/* Returns the mean over all draws of a policy of a field at time i: of struct time_point, or, with OF_THEN, of struct then_point,
 * which is NAN if the web does not change. i = n_when is the end of the crawl. */
enum by { OF_TIME, OF_THEN };
static double mean_at(const struct compare *c, size_t policy, size_t i, enum by by, size_t field)
{
	double sum = 0;

	for (uint32_t d = 0; d < c->draws; d++) {
		const struct trial *t = compare_trial(c, policy, d);
		const char *point = by == OF_TIME ? (const char *)&t->timed[i] : (const char *)(t->then ? &t->then[i] : NULL);
		sum += (point ? *(const double *)(const void *)(point + field) : NAN) / c->draws;
	}
	return sum;
}
#define TIME_MEAN(field) mean_at(c, policy, i, OF_TIME, offsetof(struct time_point, field))
#define THEN_MEAN(field) mean_at(c, policy, i, OF_THEN, offsetof(struct then_point, field))

static int has_rankings_by_time(const struct study_run *r, size_t g, size_t value)
{
	const struct compare *c = &r->x[g * r->values + value].compare;

	for (size_t p = 0; p < r->policies; p++)
		if (compare_trial(c, p, 0)->then)
			return 1;
	return 0;
}

static void add_rows(const struct study_run *r, size_t g, size_t value, size_t policy, int with_then, struct study *s)
{
	const struct compare *c = &r->x[g * r->values + value].compare;

	for (size_t i = 0; c->crawl.virtual_time && compare_trial(c, policy, 0)->timed && i <= c->n_when; i++) {
		double crawled = 0, ms = 0;
		for (uint32_t d = 0; d < c->draws; d++) {
			ms += (double)compare_trial(c, policy, d)->timed[i].ms / c->draws;
			crawled += (double)compare_trial(c, policy, d)->timed[i].crawled / c->draws;
		}
		STUDY_CELLS(s, cell_text(r->job->graph[g].name), cell_text(r->method[value * r->policies + policy]),
			cell_text(i < c->n_when ? "" : "end"), cell_real((double)(int64_t)ms / 1000),
			cell_count((uint64_t)(crawled + 0.5)), cell_real(TIME_MEAN(found)), cell_real(TIME_MEAN(mass)),
			cell_real(TIME_MEAN(strict)));
		if (with_then)
			STUDY_CELLS(s, cell_real(THEN_MEAN(found)), cell_real(THEN_MEAN(mass)), cell_real(THEN_MEAN(strict)),
				cell_real(THEN_MEAN(fresh)));
	}
}

/* --- the figure of a web that changes */

/* Adds the curve of a policy: by the ranking of the web as it is at each time, or as it was given. */
static void add_curve(struct chart *chart, const struct study_run *r, const struct compare *c, size_t policy, enum chart_role role)
{
	chart_curve(chart, r->policy[policy], role);
	for (size_t i = 0; i < c->n_when; i++)
		chart_point(chart, (double)c->when[i] / 3600000,
			100 * (role == CHART_YARDSTICK ? TIME_MEAN(found) : THEN_MEAN(found)));
}

/* Draws two curves for each policy: by the ranking of the web as it is at each time, and, in grey, by the ranking of the graph as
 * it was given. */
static void draw(const struct study_run *r, size_t g, size_t value, struct study *s)
{
	static const double shares[] = {0, 100};
	const struct compare *c = &r->x[g * r->values + value].compare;
	const char *graph = r->job->graph[g].name, *varied = r->value ? r->value[value] : "";
	struct chart chart = {.x_label = "virtual time, hours",
		.y_label = "best tenth found, %",
		.x_scale = CHART_LOG,
		.y_range = shares};

	for (size_t p = 0; p < r->policies; p++)
		if (compare_trial(c, p, 0)->then) {
			add_curve(&chart, r, c, p, CHART_CANDIDATE);
			add_curve(&chart, r, c, p, CHART_YARDSTICK);
		}
	study_chart(s, &chart, buf_made("then-%s%s%s", graph, r->value ? "-" : "", varied),
		buf_made("Found by then on %s%s%s", graph, r->value ? ", " : "", varied),
		mem_text(
			"The share crawled of the tenth of all pages with the highest PageRank, by the web as it is by then; in grey, by the "
			"graph as it was given. The means of all draws."));
}

/* Appends a table "times" with a row for each graph, method and time, the means of all draws; nothing if no crawl of the study is
 * in virtual time. A crawl that has ended keeps what it had found. */
static void study_times(const struct study_run *r, struct study *s)
{
	int is_timed = 0, is_changing = 0;

	for (size_t i = 0; i < r->job->graphs * r->values; i++) {
		is_timed |= r->x[i].compare.crawl.virtual_time != NULL;
		is_changing |= has_rankings_by_time(r, i / r->values, i % r->values);
	}
	if (!is_timed)
		return;
	study_table(s, "times", "By time",
		mem_text(is_changing
				? "What each method had found after a time, in seconds, and at the end of the crawl; the means of all draws. "
				  "found: of the tenth of all pages with the highest PageRank; hot: of as many hot pages as were crawled; both "
				  "by the graph as it was given, and then by the web as it is by then. fresh: of the pages crawled, those that have "
				  "not changed since."
				: "What each method had found after a time, in seconds, and at the end of the crawl; the means of all draws. "
				  "found: of the tenth of all pages with the highest PageRank; hot: of as many hot pages as were crawled."),
		is_changing ? "graph method at seconds crawled found mass hot found_then mass_then hot_then fresh"
			    : "graph method at seconds crawled found mass hot",
		STUDY_SHOWN);
	for (size_t g = 0; g < r->job->graphs; g++)
		for (size_t v = 0; v < r->values; v++)
			if (has_rankings_by_time(r, g, v))
				draw(r, g, v, s);
	for (size_t g = 0; g < r->job->graphs; g++)
		for (size_t p = 0; p < r->policies; p++)
			for (size_t v = 0; v < r->values; v++)
				add_rows(r, g, v, p, is_changing, s);
}

/* --- A job of `lycosa seeds` or `lycosa coverage` with several graphs or with findings: each graph is evaluated into a folder of
 * its own, DIR/NAME, and DIR has the verdicts on the paper's claims over all graphs. */

/* Returns whether study_each() has to run a job of `lycosa seeds` or `lycosa coverage`: it has several graphs, or one graph and
 * a finding. evaluation_run() runs any other. */
static int study_each_is_meant(const struct job *j)
{
	return j->graphs > 1 || (j->graphs && j->global.value[JOB_FINDING].n);
}

static int check_job(const struct job *j, const char *out, struct err_note *why)
{
	if (!out)
		return err_set(why, ERR_USAGE, "%s is of 'lycosa %s': --out DIR is needed", j->path, job_text(j, NULL, JOB_STUDY));
	if (job_text(j, NULL, JOB_CLAIM))
		return job_wrong(j, NULL, JOB_CLAIM,
			"the claims of this study are the paper's; 'finding = CLAIM is VERDICT: TEXT' judges one", why);
	for (size_t g = 0; g < j->graphs; g++)
		if (strchr(j->graph[g].name, '/') || j->graph[g].name[0] == '.')
			return err_set(why, ERR_USAGE,
				"%s: [%s] is the name of a folder here, so it has no / and does not begin with a dot", j->path,
				j->graph[g].name);
	return folder_make(out, why);
}

/* Returns the job of graph g alone: its section and [global], without the keys about all graphs together. The result borrows
 * from *j. */
static struct job job_of_graph(const struct job *j, size_t g)
{
	static const enum job_key of_the_whole[] = {JOB_FINDING, JOB_NUMBERS, JOB_ONLY, JOB_IF_MISSING};
	struct job one = *j; /* borrows all */

	one.graph = &j->graph[g];
	one.graphs = 1;
	for (size_t i = 0; i < sizeof of_the_whole / sizeof *of_the_whole; i++)
		one.global.value[of_the_whole[i]].n = 0;
	return one;
}

/* Adds the verdicts of an evaluation. A graph without a site that coverage judges has none. */
static void take_claims(const struct study *s, const char *graph, struct paper_claims *p)
{
	for (size_t i = 0; i < s->tables; i++) {
		const struct study_table *t = &s->table[i];
		for (size_t k = 0; strcmp(t->name, "claims") == 0 && k < t->cells; k += t->columns)
			paper_claims_add(p, graph, t->cell[k].text, t->cell[k + 1].text, t->cell[k + 2].text);
	}
}

static int run_graph(struct job *j, size_t g, const char *out, struct paper_claims *p, struct err_note *why)
{
	const struct job one = job_of_graph(j, g);
	AUTO(evaluation) e = {0};

	AUTO(buf) folder = buf_of("%s/%s", out, j->graph[g].name);

	log_detail("graph %zu of %zu: %s", g + 1, j->graphs, j->graph[g].name);
	TRY(evaluation_run(&e, &one, folder.at, why));
	take_claims(&e.study, j->graph[g].name, p);
	job_set(&j->graph[g], JOB_FINGERPRINT, job_text(&e.job, &e.job.graph[0], JOB_FINGERPRINT));
	return 0;
}

static int read_findings(const struct job *j, struct paper_claims *p, struct err_note *why)
{
	const char **text;
	const size_t n = job_texts(j, NULL, JOB_FINDING, &text);
	struct err_note wrong;
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		if ((err = paper_claims_find(p, text[i], &wrong)) != 0)
			err = err_set(why, err, "%s: %s", j->path, wrong.text);
	free(text);
	return err;
}

/* Writes the folder with the verdicts over all graphs, and settles the job with their fingerprint. Returns ERR_OTHER if the job,
 * a manifest, states another fingerprint, or if a finding is contradicted. */
static int write_whole(struct job *j, const char *out, struct paper_claims *p, struct err_note *why)
{
	const char *title = job_text(j, NULL, JOB_TITLE);
	AUTO(study) s = {.title = mem_text(title ? title : "Claims over several graphs")};

	paper_claims_report(p, &s);
	TRY(study_leave(out, &s, j, NULL, why));
	return paper_claims_check(p, why);
}

/* Runs the job, and settles it with the fingerprints of graphs and numbers. ERR_USAGE with file and line where the
 * job is wrong; ERR_OTHER where a finding is contradicted or the numbers are not the stated ones, after
 * the folder was written; ERR_* of an evaluation. */
static int study_each(struct job *j, const char *out, struct err_note *why)
{
	AUTO(paper_claims) p = {.claims = 0};

	TRY(check_job(j, out, why));
	for (size_t g = 0; g < j->graphs; g++)
		TRY(run_graph(j, g, out, &p, why));
	TRY(read_findings(j, &p, why));
	return write_whole(j, out, &p, why);
}

struct study_options {
	struct standard_options standard;
	struct report_options report;
	const char *out;
	uint64_t threads;
};

/* Writes into the job what was run: the fingerprints of the graphs, and the default values. */
static void settle(struct job *j, const struct study_run *r)
{
	static const enum job_key told[] = {JOB_AT, JOB_JUDGE, JOB_DROP_SHORT, JOB_SMALLEST_EFFECT, JOB_TIES, JOB_SEEDS, JOB_DRAWS,
		JOB_BATCH, JOB_RNG_SEED, JOB_MAX_PAGES};
	char text[FINGERPRINT_ROOM];

	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		if (!j->global.value[told[i]].n)
			job_set(&j->global, told[i], job_text(j, NULL, told[i]));
	for (size_t g = 0; g < j->graphs; g++)
		job_set(&j->graph[g], JOB_FINGERPRINT, fingerprint_text(r->contest.graph[g].fingerprint, text));
}

static void tell_facts(const struct job *j, struct study *s)
{
	static const enum job_key told[] = {JOB_JUDGE, JOB_DROP_SHORT, JOB_SMALLEST_EFFECT, JOB_TIES, JOB_VARY};

	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		if (job_text(j, NULL, told[i]))
			study_fact(s, job_key_name(told[i]), cell_text(job_text(j, NULL, told[i])));
}

/* Findings are looked at last: the folder shows what contradicts them. */
static int report(const struct study_options *o, struct job *j, struct study_run *r, struct err_note *why)
{
	const char *title = job_text(j, NULL, JOB_TITLE);
	AUTO(study) s = {.tables = 0};
	AUTO(contest_across) across = {0};

	contest_across_make(&r->contest, &across);
	contest_report(&r->contest, &across, &s);
	if (r->contest.yardsticks)
		contest_gaps(&r->contest, &s);
	contest_curves(&r->contest, CONTEST_CURVES_MAIN, &s);
	contest_values(&r->contest, &s);
	study_times(r, &s);
	study_agents(r, &s);
	tell_facts(j, &s);
	settle(j, r);
	s.title = mem_text(title ? title : "A study of crawl policies");
	TRY(study_leave(o->out, &s, j, &o->report, why));
	return contest_check(&r->contest, &across, why);
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

/* Does the evaluation of one graph again, or those of several graphs. */
static int run_evaluation(const struct study_options *o, struct job *j, struct err_note *why)
{
	AUTO(evaluation) e = {0};

	if (study_each_is_meant(j))
		return study_each(j, o->out, why);
	return evaluation_run(&e, j, o->out, why);
}

static int run(const struct command *c, struct err_note *why)
{
	const struct study_options *o = c->options;
	static const char *const kinds[] = {"study", "compare", "seeds", "coverage"};
	AUTO(job) j = {0};
	size_t kind = 0;

	TRY(job_read(&j, c->flags->operand, c->flags->operands, why));
	TRY(job_check_files(&j, c, why));
	while (kind < 4 && strcmp(kinds[kind], job_text(&j, NULL, JOB_STUDY)) != 0)
		kind++;
	return kind == 0    ? run_contest(o, &j, why)
		: kind == 1 ? compare_again(&j, o->out, &o->report, o->threads, why)
		: kind < 4  ? run_evaluation(o, &j, why)
			    : job_wrong(&j, NULL, JOB_STUDY, "study, compare, seeds or coverage is wanted", why);
}

#define STUDY(field) offsetof(struct study_options, field)
static const struct study_options defaults;
static const struct flag flags[] = {
	{"out", 0, FLAG_TEXT, STUDY(out), "DIR", .help = "write tables, figures, report and manifest to DIR",
		.file = FLAG_WRITES_REPORT},
	THREADS_ROW(STUDY(threads)),
	JSON_ROW(STUDY(report.json)),
	PROGRESS_ROW(STUDY(report.progress)),
	STANDARD_ROWS,
};

const struct verb verb_study = VERB("study", "Runs a job file: policies on several graphs, claims checked.", flags, defaults, run,
	.operands = "FILE...", .operand_file = FLAG_READS);
