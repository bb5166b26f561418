#include "cli/lab/study_run.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/num.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- Lists with commas, as the values of a job have them: "ieca, opic , bfs". */

/* Returns a copy of n bytes of a text without the blanks around them. The caller frees it. */
static char *comma_list_trimmed(const char *text, size_t n)
{
	while (n && ascii_is_space(*text)) {
		text++;
		n--;
	}
	while (n && ascii_is_space(text[n - 1]))
		n--;
	char *copy = mem_new(n + 1, 1);
	memcpy(copy, text, n);
	copy[n] = 0;
	return copy;
}

/* Cuts a list at its commas: an array of *n texts and a NULL, which comma_list_free() frees. */
static char **comma_list_cut(const char *text, size_t *n)
{
	char **part = NULL;
	size_t room = 0;

	*n = 0;
	for (;;) {
		const size_t length = strcspn(text, ",");
		part = mem_grow(part, &room, *n + 2, sizeof *part);
		part[(*n)++] = comma_list_trimmed(text, length);
		part[*n] = NULL;
		if (!text[length])
			return part;
		text += length + 1;
	}
}

static void comma_list_free(char **part, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(part[i]);
	free(part);
}

/* --- The claims and findings of a job: "A > B, C: TEXT" and "A > B, C is VERDICT: TEXT". */

/* Finds a method by its name, which stands in the job under a key. ERR_USAGE with the nearest method. */
static int study_method(const struct study_run *r, enum job_key key, const char *name, size_t *method, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (*method = 0; *method < r->contest.methods; ++*method) {
		if (strcmp(r->method[*method], name) == 0)
			return 0;
		nearest_try(name, r->method[*method], &best, &distance);
	}
	return err_set(why, ERR_USAGE, "%s: the key '%s' names '%s', which is not compared; the nearest is '%s'", r->job->path,
		job_key_name(key), name, best);
}

/* Reads "A > B, C: TEXT", or a finding, "A > B, C is VERDICT: TEXT". */
static int read_claim(struct study_run *r, const char *text, enum job_key key, struct contest_claim *claim, struct err_note *why)
{
	static const char *const verdicts[] = {"holds", "not shown", "contradicted"};
	const char *colon = strchr(text, ':'), *over = strchr(text, '>'), *is = strstr(text, " is ");
	const char *end = is && is < colon ? is : key == JOB_FINDING ? NULL : colon;

	if (!colon || !over || over > colon || !end || end > colon)
		return job_wrong(r->job, NULL, key,
			key == JOB_FINDING ? "'A > B, C is VERDICT: TEXT' is wanted" : "'A > B, C: TEXT' is wanted", why);
	for (size_t i = 0; end != colon && i < 3; i++)
		if (strncmp(is + 4, verdicts[i], strlen(verdicts[i])) == 0)
			claim->expected = verdicts[i];
	if (end != colon && !claim->expected)
		return job_wrong(r->job, NULL, key, "a verdict is holds, not shown or contradicted", why);
	claim->is_finding = key == JOB_FINDING;
	claim->text = colon + 1 + strspn(colon + 1, " \t");
	AUTO_FREE char *first = comma_list_trimmed(text, (size_t)(over - text));
	AUTO_FREE char *others = comma_list_trimmed(over + 1, (size_t)(end - over - 1));
	size_t n;
	char **other = comma_list_cut(others, &n);
	size_t *place = mem_zero(n, sizeof *place);
	int err = study_method(r, key, first, &claim->method, why);
	for (size_t i = 0; !err && i < n; i++)
		err = study_method(r, key, other[i], &place[i], why);
	claim->other = place;
	claim->others = n;
	comma_list_free(other, n);
	return err;
}

/* Reads them into the contest of a run whose methods are named; study_run_release() frees them. ERR_USAGE with file
 * and line, or with the nearest method. */
static int study_claims(struct study_run *r, struct err_note *why)
{
	static const enum job_key kinds[] = {JOB_FINDING, JOB_CLAIM};
	int err = 0;

	for (size_t k = 0; k < 2; k++) {
		const char **text;
		const size_t n = job_texts(r->job, NULL, kinds[k], &text);
		r->claim = mem_resize(r->claim, r->contest.claims + n + 1, sizeof *r->claim);
		for (size_t i = 0; !err && i < n; i++) {
			struct contest_claim *claim = &r->claim[r->contest.claims++];
			*claim = (struct contest_claim){0};
			err = read_claim(r, text[i], kinds[k], claim, why);
		}
		free(text);
	}
	r->contest.claim = r->claim;
	return err;
}

/* --- The gap of a job, "gap = echo, omniscient, map": how much of the way from the best other policy to a yardstick, which knows
 * the whole graph, a policy makes on each graph (lab/study/contest.h). */

/* Adds the yardsticks to the policies of a run, since they run with them. A job without a gap has none. Returns 0, or
 * ERR_USAGE with file and line. */
static int study_yardstick(struct study_run *r, struct err_note *why)
{
	const char *text = job_text(r->job, NULL, JOB_GAP);
	size_t n;

	if (!text)
		return 0;
	char **word = comma_list_cut(text, &n);
	if (n >= 2) {
		r->policy = mem_resize(r->policy, r->policies + n, sizeof *r->policy);
		for (size_t i = 1; i < n; i++)
			r->policy[r->policies + i - 1] = mem_text(word[i]);
		r->policy[r->policies + n - 1] = NULL;
		r->contest.yardstick = (const char *const *)r->policy + r->policies;
		r->contest.yardsticks = r->yardsticks = n - 1;
	}
	comma_list_free(word, n);
	return n >= 2 ? 0 : job_wrong(r->job, NULL, JOB_GAP, "a policy and a yardstick are wanted, as in echo, omniscient", why);
}

/* Reads the policy whose gap is measured, and the smallest gap that counts, into the contest of a run whose methods are
 * named. Returns 0, or ERR_USAGE with file and line, or with the nearest method. */
static int study_gap(struct study_run *r, struct err_note *why)
{
	const char *text = job_text(r->job, NULL, JOB_GAP), *least = job_text(r->job, NULL, JOB_LEAST_GAP);

	if (!text)
		return 0;
	if (num_real(least, &r->contest.least_gap) || r->contest.least_gap < 0)
		return job_wrong(r->job, NULL, JOB_LEAST_GAP, "a number of percentage points is wanted", why);
	r->contest.least_gap /= 100;
	AUTO_FREE char *name = comma_list_trimmed(text, strcspn(text, ","));
	return study_method(r, JOB_GAP, name, &r->contest.challenger, why);
}

/* One experiment: a graph and, where something varies, a value. */
struct study_task {
	struct experiment_options o;
	uint64_t fingerprint, *drawn;
	char **assignment; /* of the options that vary */
	size_t assignments;
	const char **opts; /* those, behind the job's */
};

/* --- what the job says */

static int is_comparison(const struct study_run *r)
{
	return strcmp(job_text(r->job, NULL, JOB_STUDY), "compare") == 0;
}

/* Says whether a comparison has orders of other crawlers, so that it needs no policies. */
static int orders_are_given(const struct study_run *r)
{
	return is_comparison(r) && r->job->graphs && job_text(r->job, &r->job->graph[0], JOB_ORDER);
}

static int read_policies(struct study_run *r, struct err_note *why)
{
	const char *text = job_text(r->job, NULL, JOB_POLICIES);
	size_t n = 0;
	char **part = text ? comma_list_cut(text, &n) : NULL;

	r->policy = policy_specs(&(struct flag_list){(const char **)(uintptr_t)part, n}, &r->policies);
	comma_list_free(part, n);
	if (r->policies || (!text && orders_are_given(r)))
		return 0;
	return err_set(why, ERR_USAGE, "%s: [global] needs 'policies = A, B'", r->job->path);
}

/* Reads `vary`. "batch: N/40, N/16" varies a key of the job, "ieca.delta0: 0.1, 0.3" an option of a policy, and "ieca: form=9,
 * form=4+weight=0.1" several options together. */
static int read_vary(struct study_run *r, struct err_note *why)
{
	const char *text = job_text(r->job, NULL, JOB_VARY), *colon = text ? strchr(text, ':') : NULL;

	r->values = 1;
	r->varied = JOB_KEY_COUNT;
	if (!text)
		return 0;
	if (!colon)
		return job_wrong(r->job, NULL, JOB_VARY, "'KEY: VALUE, VALUE' is wanted", why);
	char *key = comma_list_trimmed(text, (size_t)(colon - text));
	r->value = comma_list_cut(colon + 1, &r->values);
	static const enum job_key may[] = {JOB_BATCH, JOB_SEEDS, JOB_TOTAL, JOB_MAX_PAGES, JOB_RNG_SEED, JOB_POLITENESS,
		JOB_AGENTS};
	for (size_t i = 0; i < sizeof may / sizeof *may; i++)
		if (strcmp(key, job_key_name(may[i])) == 0)
			r->varied = may[i];
	if (r->varied == JOB_KEY_COUNT)
		r->varied_option = key;
	else
		free(key);
	return 0;
}

/* Returns the number of a value: 0.3 for "0.3", "random:0.3" and "gamma=0.3"; "form=4+weight=0.1" is no number. */
static double number_of(const char *value)
{
	const char *digits = value + strcspn(value, "0123456789.");
	char *end;
	const double number = ascii_real(digits, &end);

	return *digits && !*end ? number : NAN;
}

static void number_values(struct study_run *r)
{
	if (!r->value)
		return;
	r->number = mem_new(r->values, sizeof *r->number);
	for (size_t v = 0; v < r->values; v++)
		r->number[v] = number_of(r->value[v]);
	r->contest.policies = r->policies;
	r->contest.value = r->number;
	r->contest.varied = r->varied_option ? r->varied_option : job_key_name(r->varied);
}

/* Names the methods, which are rows of the tables: by the policy, by the value if only one policy runs, or by both. */
static void name_methods(struct study_run *r)
{
	r->contest.methods = r->values * r->policies;
	r->method = mem_zero(r->contest.methods, sizeof *r->method);
	for (size_t v = 0; v < r->values; v++)
		for (size_t p = 0; p < r->policies; p++) {
			struct buf name = BUF_EMPTY;
			buf_text(&name, r->value && r->policies == 1 ? r->value[v] : r->policy[p]);
			if (r->value && r->policies > 1)
				buf_format(&name, " %s", r->value[v]);
			r->method[v * r->policies + p] = buf_take(&name);
		}
	r->contest.method = (const char *const *)r->method;
}

static const char *text_of(const struct study_run *r, const struct job_section *s, enum job_key key, size_t value)
{
	return key == r->varied ? r->value[value] : job_text(r->job, s, key);
}

#define OPTION(field) offsetof(struct experiment_options, field)

/* The keys that are values as flags have them; `wanted` says what is wrong with another. */
static const struct setting {
	enum job_key key;
	enum flag_kind kind;
	size_t at;
	const char *wanted, *words; /* words: of FLAG_CHOICE */
	double least, most;
} settings[] = {
	{JOB_GRAPH, FLAG_TEXT, OPTION(graph.graph), "a path is wanted", NULL, 0, 0},
	{JOB_URLS, FLAG_TEXT, OPTION(graph.urls), "a file is wanted", NULL, 0, 0},
	{JOB_HOSTS, FLAG_TEXT, OPTION(graph.hosts), "a file is wanted", NULL, 0, 0},
	{JOB_SEEDS, FLAG_TEXT, OPTION(seeds), "a file or a rule is wanted", NULL, 0, 0},
	{JOB_TARGET, FLAG_TEXT, OPTION(target), "a file is wanted", NULL, 0, 0},
	{JOB_RULES, FLAG_TEXT, OPTION(rules), "a file is wanted", NULL, 0, 0},
	{JOB_FORMAT, FLAG_TEXT, OPTION(format), "the name of a format is wanted", NULL, 0, 0},
	{JOB_TOTAL, FLAG_TEXT, OPTION(policy.total), "a number, all, reachable or unknown is wanted", NULL, 0, 0},
	{JOB_TIES, FLAG_CHOICE, OPTION(ties), "yes or no is wanted", "no|yes", 0, 0},
	{JOB_TAU, FLAG_CHOICE, OPTION(tau), "yes or no is wanted", "no|yes", 0, 0},
	{JOB_IF_IMPOSSIBLE, FLAG_CHOICE, OPTION(leave_out), "fail or leave-out is wanted", "fail|leave-out", 0, 0},
	{JOB_POLITENESS, FLAG_TEXT, OPTION(politeness), "a list of settings is wanted", NULL, 0, 0},
	{JOB_MAX_TIME, FLAG_TIME, OPTION(max_time), "a time such as 12h is wanted", NULL, 0, 0},
	{JOB_DRAWS, FLAG_COUNT, OPTION(draws), "a whole number is wanted", NULL, 1, 1000000},
	{JOB_RNG_SEED, FLAG_COUNT, OPTION(policy.rng_seed), "a whole number is wanted", NULL, 0, 0},
	{JOB_MAX_PAGES, FLAG_COUNT, OPTION(policy.max_pages), "a whole number is wanted", NULL, 0, 0},
	{JOB_TOL, FLAG_REAL, OPTION(policy.tol), "a number above 0 and up to 1 is wanted", NULL, DBL_MIN, 1},
	{JOB_HOST_SHARE, FLAG_REAL, OPTION(policy.host_share), "a number above 0 and up to 1 is wanted", NULL, DBL_MIN, 1},
};

/* Reads all settings into an experiment's options. */
static int read_settings(const struct study_run *r, const struct job_section *s, size_t value, struct experiment_options *o,
	struct err_note *why)
{
	for (const struct setting *k = settings; k < settings + sizeof settings / sizeof *settings; k++) {
		const char *text = text_of(r, s, k->key, value);
		const struct flag row = {.kind = k->kind, .argument = k->words, .min = k->least, .max = k->most};
		if (text && flag_take(&row, (char *)o + k->at, text, NULL, NULL))
			return job_wrong(r->job, s, k->key, k->wanted, why);
	}
	return 0;
}

/* Reads the batch: "N/40" for that many batches of equal length, or as batch_parse(). */
static int batch_of(const struct study_run *r, const struct job_section *s, size_t value, struct study_task *t,
	struct err_note *why)
{
	const char *text = text_of(r, s, JOB_BATCH, value);

	if (strncmp(text, "N/", 2) == 0 && num_count(text + 2, UINT32_MAX, &t->o.batches) == 0 && t->o.batches)
		return 0;
	if (batch_parse(text, &t->o.policy.batch, &t->o.policy.growth) == 0)
		return 0;
	return job_wrong(r->job, s, JOB_BATCH, "a number of pages, N/40, growth or growth:0.1 is wanted", why);
}

/* Makes the assignments "policy.option=value" of one value of `vary`: of "ieca.delta0" and "0.3", or of "ieca" and
 * "form=4+weight=0.1". */
static void assign(const struct study_run *r, size_t value, struct study_task *t)
{
	const char *text = r->value[value];
	const int is_one = strchr(r->varied_option, '.') != NULL;

	t->assignment = mem_zero(strlen(text) + 1, sizeof *t->assignment);
	while (*text) {
		const size_t n = is_one ? strlen(text) : strcspn(text, "+");
		t->assignment[t->assignments++] = buf_made("%s%c%.*s", r->varied_option, is_one ? '=' : '.', (int)n, text);
		text += n + (text[n] == '+');
	}
}

static void collect_options(const struct study_run *r, const struct job_section *s, size_t value, struct study_task *t)
{
	size_t n = job_texts(r->job, s, JOB_POLICY_OPT, &t->opts);

	if (r->varied_option && strcmp(r->value[value], "default") != 0)
		assign(r, value, t);
	t->opts = mem_resize(t->opts, n + t->assignments + 1, sizeof *t->opts);
	for (size_t i = 0; i < t->assignments; i++)
		t->opts[n++] = t->assignment[i];
	t->opts[n] = NULL;
	t->o.policy.policy_opt = (struct flag_list){t->opts, n};
}

static int fingerprint_of(const struct study_run *r, const struct job_section *s, enum job_key key, const char *text, uint64_t *out,
	struct err_note *why)
{
	if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
		return job_wrong(r->job, s, key, "a fingerprint is 16 hexadecimal digits", why);
	*out = strtoull(text, NULL, 16);
	return 0;
}

/* Reads the expected fingerprints of the draws of seeds: the job has one for each draw, or none. */
static int read_drawn(const struct study_run *r, const struct job_section *s, struct study_task *t, struct err_note *why)
{
	const char **text;
	const size_t n = job_texts(r->job, s, JOB_DRAWN, &text);
	int err = 0;

	if (n && n != t->o.draws)
		err = job_wrong(r->job, s, JOB_DRAWN, "there is to be a fingerprint for each draw", why);
	t->o.drawn = t->drawn = n ? mem_new(n, sizeof *t->drawn) : NULL;
	for (size_t i = 0; !err && i < n; i++)
		err = fingerprint_of(r, s, JOB_DRAWN, text[i], &t->drawn[i], why);
	free(text);
	return err;
}

static struct flag_list list_of(const char *text)
{
	struct flag_list list = {NULL, 0};

	if (text)
		list.at = (const char **)(uintptr_t)comma_list_cut(text, &list.count);
	return list;
}

/* Reads what an experiment asks for. Some keys are of comparisons alone: a contest needs every policy on every graph. */
static int read_task(const struct study_run *r, const struct job_section *s, size_t value, struct study_task *t,
	struct err_note *why)
{
	const char *fingerprint = job_text(r->job, s, JOB_FINGERPRINT);
	struct experiment_options *o = &t->o;

	o->policy = (struct policy_options)POLICY_OPTIONS_DEFAULT;
	o->policy.threads = r->threads;
	o->graph.damaged = strcmp(job_text(r->job, s, JOB_DAMAGED), "skip") == 0;
	o->at = list_of(job_text(r->job, NULL, JOB_AT));
	o->when = list_of(job_text(r->job, NULL, JOB_WHEN));
	o->orders.count = job_texts(r->job, s, JOB_ORDER, &o->orders.at);
	collect_options(r, s, value, t);
	TRY(read_settings(r, s, value, o, why));
	if (o->leave_out && !is_comparison(r))
		TRY(job_wrong(r->job, NULL, JOB_IF_IMPOSSIBLE,
			"a contest needs every policy on every graph; leave-out is for 'study = compare'", why));
	if (fleet_plan_parse(&o->plan, text_of(r, s, JOB_AGENTS, value)))
		TRY(job_wrong(r->job, s, JOB_AGENTS, "AGENTS, AGENTS:LAG or AGENTS:LAG:load is wanted", why));
	TRY(batch_of(r, s, value, t, why));
	/* seeds by the rules roots and hosts:N are the same in every draw */
	if (!is_comparison(r) && !seedset_is_drawn(o->seeds))
		o->draws = 1;
	TRY(read_drawn(r, s, t, why));
	if (o->orders.count && !is_comparison(r))
		TRY(job_wrong(r->job, s, JOB_ORDER, "only 'study = compare' measures orders", why));
	if (fingerprint) {
		o->fingerprint = &t->fingerprint;
		TRY(fingerprint_of(r, s, JOB_FINGERPRINT, fingerprint, &t->fingerprint, why));
	}
	return 0;
}

/* Reads "coverage@5": the pages within 5 links of the seeds are covered. */
static int read_coverage(struct study_run *r, const char *hops, struct err_note *why)
{
	uint64_t n;

	if (num_count(hops, COMPARE_DEPTHS - 2, &n))
		return job_wrong(r->job, NULL, JOB_JUDGE, "coverage@H wants a number of links, 98 at most", why);
	if (r->policies != 1 || strcmp(r->policy[0], "bfs") != 0)
		return job_wrong(r->job, NULL, JOB_POLICIES, "coverage is judged of breadth-first crawls: policies = bfs", why);
	r->contest.judge = MEASURE_COVERED;
	r->contest.at = n;
	return 0;
}

/* Reads by which throughput, and at which point, policies are judged, as in "discoverable@0.45"; "auc" judges at all sizes of the
 * crawl. */
static int read_judge(struct study_run *r, struct err_note *why)
{
	const char *text = job_text(r->job, NULL, JOB_JUDGE), *at = strchr(text, '@');
	const struct flag_list *given = &r->task[0].o.at;
	double point, there;

	if (strncmp(text, "coverage@", 9) == 0)
		return read_coverage(r, text + 9, why);
	if (strcmp(text, "auc") == 0) {
		r->contest.judge = MEASURE_AUC;
		return 0;
	}
	r->contest.judge = strncmp(text, "strict@", 7) == 0 ? MEASURE_HOT : MEASURE_DISCOVERABLE;
	if (!at || num_real(at + 1, &point) ||
		(r->contest.judge == MEASURE_DISCOVERABLE && strncmp(text, "discoverable@", 13) != 0))
		return job_wrong(r->job, NULL, JOB_JUDGE, "discoverable@F, strict@F, auc or coverage@H is wanted", why);
	for (r->contest.at = 0; r->contest.at < given->count; r->contest.at++)
		if (num_real(given->at[r->contest.at], &there) == 0 && there >= point && there <= point)
			return 0;
	return job_wrong(r->job, NULL, JOB_JUDGE, "the fraction is none of 'at'", why);
}

/* Reads what is to be run. */
static int read_experiments(struct study_run *r, struct err_note *why)
{
	int err = read_policies(r, why);

	if (!err)
		err = study_yardstick(r, why);
	if (!err)
		err = read_vary(r, why);
	if (err)
		return err;
	name_methods(r);
	number_values(r);
	r->contest.graphs = r->job->graphs;
	r->task = mem_zero(r->job->graphs * r->values, sizeof *r->task);
	r->x = mem_zero(r->job->graphs * r->values, sizeof *r->x);
	for (size_t g = 0; !err && g < r->job->graphs; g++)
		for (size_t v = 0; !err && v < r->values; v++) {
			const size_t i = g * r->values + v;
			err = read_task(r, &r->job->graph[g], v, &r->task[i], why);
			r->x[i] = (struct experiment){.o = &r->task[i].o,
				.report = &r->report,
				.policies = (const char *const *)r->policy,
				.compare = {.n_policies = r->policies + r->yardsticks, .with_profiles = r->with_profiles}};
		}
	return err;
}

/* Reads what is to be judged. */
static int read_contest(struct study_run *r, struct err_note *why)
{
	const char *effect = job_text(r->job, NULL, JOB_SMALLEST_EFFECT);
	const struct flag no_or_yes = {.kind = FLAG_CHOICE, .argument = "no|yes"};
	int drop = 0, err = read_judge(r, why);

	if (!err && flag_take(&no_or_yes, &drop, job_text(r->job, NULL, JOB_DROP_SHORT), NULL, NULL))
		err = job_wrong(r->job, NULL, JOB_DROP_SHORT, "yes or no is wanted", why);
	if (!err && (num_real(effect, &r->contest.smallest_effect) || r->contest.smallest_effect < 0))
		err = job_wrong(r->job, NULL, JOB_SMALLEST_EFFECT, "a number of percentage points is wanted", why);
	r->contest.smallest_effect /= 100;
	if (!err && drop && (r->contest.judge == MEASURE_COVERED || r->contest.judge == MEASURE_AUC))
		err = job_wrong(r->job, NULL, JOB_DROP_SHORT, "only a point of a crawl has draws that are too short", why);
	r->contest.draws = drop ? CONTEST_DROP_SHORT : CONTEST_ALL_DRAWS;
	if (!err)
		err = study_gap(r, why);
	return err ? err : study_claims(r, why);
}

/* --- running it */

static void set_graph(struct study_run *r, size_t g)
{
	const struct job_section *s = &r->job->graph[g];
	const char *family = job_text(r->job, s, JOB_FAMILY);
	const struct experiment *x = &r->x[g * r->values];
	struct contest_entry *entry = mem_zero(r->contest.methods + r->yardsticks, sizeof *entry);

	for (size_t m = 0; m < r->contest.methods; m++)
		entry[m] = (struct contest_entry){&x[m / r->policies].compare, m % r->policies};
	for (size_t y = 0; y < r->yardsticks; y++)
		entry[r->contest.methods + y] = (struct contest_entry){&x->compare, r->policies + y};
	r->graph[g] = (struct contest_graph){.name = s->name,
		.family = family ? family : s->name,
		.seeds = x->o->seeds,
		.fingerprint = x->found,
		.entry = entry};
}

static int run_graph(struct study_run *r, size_t g, struct err_note *why)
{
	int err = 0;

	if (r->job->graphs > 1)
		log_detail("graph %zu of %zu: %s", g + 1, r->job->graphs, r->job->graph[g].name);
	for (size_t v = 0; v < r->values && !err; v++) {
		struct experiment *x = &r->x[g * r->values + v];
		err = experiment_run(x, why);
		experiment_let_go(x);
	}
	return err;
}

int study_run_experiments(struct study_run *r, struct err_note *why)
{
	TRY(read_experiments(r, why));
	for (size_t g = 0; g < r->job->graphs; g++)
		TRY(run_graph(r, g, why));
	return 0;
}

int study_run(struct study_run *r, struct err_note *why)
{
	int err = read_experiments(r, why);

	if (!err)
		err = read_contest(r, why);
	r->graph = mem_zero(r->job->graphs, sizeof *r->graph);
	r->contest.graph = r->graph;
	for (size_t g = 0; !err && g < r->job->graphs; g++) {
		err = run_graph(r, g, why);
		if (!err)
			set_graph(r, g);
	}
	return err;
}

void study_run_release(struct study_run *r)
{
	for (size_t i = 0; r->task && i < r->job->graphs * r->values; i++) {
		struct study_task *t = &r->task[i];
		experiment_release(&r->x[i]);
		free(t->drawn);
		comma_list_free((char **)(uintptr_t)t->o.at.at, t->o.at.count);
		comma_list_free((char **)(uintptr_t)t->o.when.at, t->o.when.count);
		free(t->o.orders.at);
		free(t->opts);
		comma_list_free(t->assignment, t->assignments);
	}
	for (size_t g = 0; r->graph && g < r->job->graphs; g++)
		free(r->graph[g].entry);
	for (size_t i = 0; i < r->contest.claims; i++)
		free((void *)(uintptr_t)r->claim[i].other);
	comma_list_free(r->policy, r->policies + r->yardsticks);
	comma_list_free(r->value, r->value ? r->values : 0);
	comma_list_free(r->method, r->method ? r->contest.methods : 0);
	free((void *)(uintptr_t)r->varied_option);
	free(r->number);
	free(r->claim);
	free(r->graph);
	free(r->task);
	free(r->x);
}
