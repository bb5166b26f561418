#include "cli/lab/study_run.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/num.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* One experiment: a graph and, where something varies, a value. */
struct study_task {
	struct graph_options graph;
	struct experiment_options options;
	struct policy_options policy;
	struct experiment x;
	uint64_t fingerprint;
	char **assignment; /* of the options that vary */
	size_t assignments;
	const char **opts; /* those, behind the job's */
};

/* --- what the job says */

static char *copy_trimmed(const char *text, size_t n)
{
	while (n && isspace((unsigned char)*text)) {
		text++;
		n--;
	}
	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	char *copy = mem_new(n + 1, 1);
	memcpy(copy, text, n);
	copy[n] = 0;
	return copy;
}

/* Cuts a list at its commas; an array of *n texts and a NULL, to be freed with them. */
static char **cut_list(const char *text, size_t *n)
{
	char **part = NULL;
	size_t room = 0;

	*n = 0;
	for (;;) {
		const size_t length = strcspn(text, ",");
		part = mem_grow(part, &room, *n + 2, sizeof *part);
		part[(*n)++] = copy_trimmed(text, length);
		part[*n] = NULL;
		if (!text[length])
			return part;
		text += length + 1;
	}
}

static void free_list(char **part, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(part[i]);
	free(part);
}

static int read_policies(struct study_run *r, struct err_note *why)
{
	const char *text = job_text(r->job, NULL, JOB_POLICIES);
	size_t n;

	if (!text)
		return err_set(
			why, ERR_USAGE, "%s: [global] needs 'policies = A, B'", r->job->path);
	char **part = cut_list(text, &n);
	const struct flag_list parts = {(const char **)(uintptr_t)part, n};
	r->policy = policy_specs(&parts, &r->policies);
	free_list(part, n);
	return 0;
}

/* "batch: N/40, N/16": a key of the job; "ieca.delta0: 0.1, 0.3": an option of a policy; "ieca: form=9,
 * form=4+weight=0.1": several options at once. */
static int read_vary(struct study_run *r, struct err_note *why)
{
	const char *text = job_text(r->job, NULL, JOB_VARY),
		   *colon = text ? strchr(text, ':') : NULL;

	r->values = 1;
	r->varied = JOB_KEY_COUNT;
	if (!text)
		return 0;
	if (!colon)
		return job_wrong(r->job, NULL, JOB_VARY, "'KEY: VALUE, VALUE' is wanted", why);
	char *key = copy_trimmed(text, (size_t)(colon - text));
	r->value = cut_list(colon + 1, &r->values);
	static const enum job_key may[] = {
		JOB_BATCH, JOB_SEEDS, JOB_TOTAL, JOB_MAX_PAGES, JOB_RNG_SEED};
	for (size_t i = 0; i < sizeof may / sizeof *may; i++)
		if (strcmp(key, job_key_name(may[i])) == 0)
			r->varied = may[i];
	if (r->varied == JOB_KEY_COUNT)
		r->varied_option = key;
	else
		free(key);
	return 0;
}

/* Rows of the tables: a policy, a value, or both. */
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

static const char *text_of(
	const struct study_run *r, const struct job_section *s, enum job_key key, size_t value)
{
	return key == r->varied ? r->value[value] : job_text(r->job, s, key);
}

static int count_of(const struct study_run *r, const struct job_section *s, enum job_key key,
	size_t value, uint64_t least, uint64_t most, uint64_t *out, struct err_note *why)
{
	const char *text = text_of(r, s, key, value);

	if (!text || num_count(text, most, out) || *out < least)
		return job_wrong(r->job, s, key, "a whole number is wanted", why);
	return 0;
}

/* "1000", or "N/40": so many batches of equal length. */
static int batch_of(const struct study_run *r, const struct job_section *s, size_t value,
	struct study_task *t, struct err_note *why)
{
	const char *text = text_of(r, s, JOB_BATCH, value);

	if (strncmp(text, "N/", 2) == 0 && num_count(text + 2, UINT32_MAX, &t->x.batches) == 0 &&
		t->x.batches)
		return 0;
	if (num_count(text, UINT64_MAX, &t->policy.batch) == 0 && t->policy.batch)
		return 0;
	return job_wrong(r->job, s, JOB_BATCH, "a number of pages, or N/40, is wanted", why);
}

static int yes_or_no(const struct study_run *r, enum job_key key, int *out, struct err_note *why)
{
	const char *text = job_text(r->job, NULL, key);

	*out = strcmp(text, "yes") == 0;
	return *out || strcmp(text, "no") == 0
		       ? 0
		       : job_wrong(r->job, NULL, key, "yes or no is wanted", why);
}

/* "ieca.delta0" and "0.3", or "ieca" and "form=4+weight=0.1": what is given to the policy. */
static void assign(const struct study_run *r, size_t value, struct study_task *t)
{
	const char *text = r->value[value];
	const int is_one = strchr(r->varied_option, '.') != NULL;

	t->assignment = mem_zero(strlen(text) + 1, sizeof *t->assignment);
	while (*text) {
		const size_t n = is_one ? strlen(text) : strcspn(text, "+");
		struct buf b = BUF_EMPTY;
		buf_format(&b, "%s%c%.*s", r->varied_option, is_one ? '=' : '.', (int)n, text);
		t->assignment[t->assignments++] = buf_take(&b);
		text += n + (text[n] == '+');
	}
}

static void collect_options(
	const struct study_run *r, const struct job_section *s, size_t value, struct study_task *t)
{
	size_t n = job_texts(r->job, s, JOB_POLICY_OPT, &t->opts);

	if (r->varied_option && strcmp(r->value[value], "default") != 0)
		assign(r, value, t);
	t->opts = mem_resize(t->opts, n + t->assignments + 1, sizeof *t->opts);
	for (size_t i = 0; i < t->assignments; i++)
		t->opts[n++] = t->assignment[i];
	t->opts[n] = NULL;
	t->policy.policy_opt = (struct flag_list){t->opts, n};
}

static int prepare(struct study_run *r, const struct job_section *s, size_t value,
	struct study_task *t, struct err_note *why)
{
	const char *fingerprint = job_text(r->job, s, JOB_FINGERPRINT);
	uint64_t draws = 0;
	size_t n;

	t->graph = (struct graph_options){job_text(r->job, s, JOB_GRAPH),
		job_text(r->job, s, JOB_URLS), job_text(r->job, s, JOB_HOSTS)};
	t->options.seeds = text_of(r, s, JOB_SEEDS, value);
	t->options.at.at = (const char **)(uintptr_t)cut_list(job_text(r->job, NULL, JOB_AT), &n);
	t->options.at.count = n;
	t->policy = (struct policy_options)POLICY_OPTIONS_DEFAULT;
	t->policy.threads = r->threads;
	t->policy.total = text_of(r, s, JOB_TOTAL, value);
	collect_options(r, s, value, t);
	int err = yes_or_no(r, JOB_TIES, &t->options.ties, why);
	if (!err)
		err = count_of(r, s, JOB_DRAWS, value, 1, 1000000, &draws, why);
	if (!err)
		err = count_of(r, s, JOB_RNG_SEED, value, 0, UINT64_MAX, &t->policy.rng_seed, why);
	if (!err)
		err = count_of(
			r, s, JOB_MAX_PAGES, value, 0, UINT64_MAX, &t->policy.max_pages, why);
	if (!err)
		err = batch_of(r, s, value, t, why);
	if (fingerprint)
		t->fingerprint = strtoull(fingerprint, NULL, 16);
	/* roots and a page a host are the same in every draw */
	if (!seedset_is_drawn(t->options.seeds))
		draws = 1;
	t->x = (struct experiment){.graph_options = &t->graph,
		.options = &t->options,
		.policy_options = &t->policy,
		.report = &r->report,
		.policies = (const char *const *)r->policy,
		.fingerprint = fingerprint ? &t->fingerprint : NULL,
		.batches = t->x.batches,
		.compare = {
			.n_policies = r->policies, .draws = (uint32_t)draws, .with_profiles = 1}};
	return err;
}

/* "discoverable@0.45": which throughput is judged, and where. */
static int read_judge(struct study_run *r, struct err_note *why)
{
	const char *text = job_text(r->job, NULL, JOB_JUDGE), *at = strchr(text, '@');
	const struct flag_list *given = &r->task[0].options.at;
	double point, there;

	r->contest.judge = strncmp(text, "strict@", 7) == 0 ? MEASURE_HOT : MEASURE_DISCOVERABLE;
	if (!at || num_real(at + 1, &point) ||
		(r->contest.judge == MEASURE_DISCOVERABLE &&
			strncmp(text, "discoverable@", 13) != 0))
		return job_wrong(
			r->job, NULL, JOB_JUDGE, "discoverable@F or strict@F is wanted", why);
	for (r->contest.at = 0; r->contest.at < given->count; r->contest.at++)
		if (num_real(given->at[r->contest.at], &there) == 0 && there >= point &&
			there <= point)
			return 0;
	return job_wrong(r->job, NULL, JOB_JUDGE, "the fraction is none of 'at'", why);
}

static int method_named(
	const struct study_run *r, const char *name, size_t *method, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (*method = 0; *method < r->contest.methods; ++*method) {
		if (strcmp(r->method[*method], name) == 0)
			return 0;
		nearest_try(name, r->method[*method], &best, &distance);
	}
	return err_set(why, ERR_USAGE,
		"%s: a claim names '%s', which is not compared; the nearest is '%s'", r->job->path,
		name, best);
}

/* "A > B, C: TEXT", of a finding "A > B, C is VERDICT: TEXT". */
static int read_claim(struct study_run *r, const char *text, enum job_key key,
	struct contest_claim *claim, struct err_note *why)
{
	static const char *const verdicts[] = {"holds", "not shown", "contradicted"};
	const char *colon = strchr(text, ':'), *over = strchr(text, '>'),
		   *is = strstr(text, " is ");
	const char *end = key == JOB_FINDING ? is : colon;

	if (!colon || !over || over > colon || !end || end > colon)
		return job_wrong(r->job, NULL, key,
			key == JOB_FINDING ? "'A > B, C is VERDICT: TEXT' is wanted"
					   : "'A > B, C: TEXT' is wanted",
			why);
	for (size_t i = 0; key == JOB_FINDING && i < 3; i++)
		if (strncmp(is + 4, verdicts[i], strlen(verdicts[i])) == 0)
			claim->expected = verdicts[i];
	if (key == JOB_FINDING && !claim->expected)
		return job_wrong(
			r->job, NULL, key, "a verdict is holds, not shown or contradicted", why);
	claim->text = colon + 1 + strspn(colon + 1, " \t");
	char *first = copy_trimmed(text, (size_t)(over - text));
	char *others = copy_trimmed(over + 1, (size_t)(end - over - 1));
	size_t n;
	char **other = cut_list(others, &n);
	size_t *place = mem_zero(n, sizeof *place);
	int err = method_named(r, first, &claim->method, why);
	for (size_t i = 0; !err && i < n; i++)
		err = method_named(r, other[i], &place[i], why);
	claim->other = place;
	claim->others = n;
	free_list(other, n);
	free(others);
	free(first);
	return err;
}

static int read_claims(struct study_run *r, struct err_note *why)
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

static int read_job(struct study_run *r, struct err_note *why)
{
	const char *effect = job_text(r->job, NULL, JOB_SMALLEST_EFFECT);
	int drop = 0, err = read_policies(r, why);

	if (!err)
		err = read_vary(r, why);
	if (err)
		return err;
	name_methods(r);
	r->contest.graphs = r->job->graphs;
	r->task = mem_zero(r->job->graphs * r->values, sizeof *r->task);
	for (size_t g = 0; !err && g < r->job->graphs; g++)
		for (size_t v = 0; !err && v < r->values; v++)
			err = prepare(r, &r->job->graph[g], v, &r->task[g * r->values + v], why);
	if (!err)
		err = read_judge(r, why);
	if (!err)
		err = yes_or_no(r, JOB_DROP_SHORT, &drop, why);
	if (!err &&
		(num_real(effect, &r->contest.smallest_effect) || r->contest.smallest_effect < 0))
		err = job_wrong(r->job, NULL, JOB_SMALLEST_EFFECT,
			"a number of percentage points is wanted", why);
	r->contest.smallest_effect /= 100;
	r->contest.draws = drop ? CONTEST_DROP_SHORT : CONTEST_ALL_DRAWS;
	return err ? err : read_claims(r, why);
}

/* --- running it */

static void set_graph(struct study_run *r, size_t g)
{
	const struct job_section *s = &r->job->graph[g];
	const char *family = job_text(r->job, s, JOB_FAMILY);
	const struct compare **compare = mem_zero(r->contest.methods, sizeof *compare);
	size_t *place = mem_zero(r->contest.methods, sizeof *place);

	for (size_t v = 0; v < r->values; v++)
		for (size_t p = 0; p < r->policies; p++) {
			compare[v * r->policies + p] = &r->task[g * r->values + v].x.compare;
			place[v * r->policies + p] = p;
		}
	r->graph[g] = (struct contest_graph){.name = s->name,
		.family = family ? family : s->name,
		.seeds = r->task[g * r->values].options.seeds,
		.fingerprint = r->task[g * r->values].x.found,
		.compare = compare,
		.place = place};
}

int study_run(struct study_run *r, struct err_note *why)
{
	int err = read_job(r, why);

	r->graph = mem_zero(r->job->graphs, sizeof *r->graph);
	r->contest.graph = r->graph;
	for (size_t g = 0; !err && g < r->job->graphs; g++) {
		log_detail("graph %zu of %zu: %s", g + 1, r->job->graphs, r->job->graph[g].name);
		for (size_t v = 0; !err && v < r->values; v++) {
			struct experiment *x = &r->task[g * r->values + v].x;
			err = experiment_run(x, why);
			experiment_let_go(x);
		}
		if (!err)
			set_graph(r, g);
	}
	return err;
}

void study_run_release(struct study_run *r)
{
	for (size_t i = 0; r->task && i < r->job->graphs * r->values; i++) {
		struct study_task *t = &r->task[i];
		experiment_release(&t->x);
		free_list((char **)(uintptr_t)t->options.at.at, t->options.at.count);
		free(t->opts);
		free_list(t->assignment, t->assignments);
	}
	for (size_t g = 0; r->graph && g < r->job->graphs; g++) {
		free((void *)(uintptr_t)r->graph[g].compare);
		free((void *)(uintptr_t)r->graph[g].place);
	}
	for (size_t i = 0; i < r->contest.claims; i++)
		free((void *)(uintptr_t)r->claim[i].other);
	free_list(r->policy, r->policies);
	free_list(r->value, r->value ? r->values : 0);
	free_list(r->method, r->method ? r->contest.methods : 0);
	free((void *)(uintptr_t)r->varied_option);
	free(r->claim);
	free(r->graph);
	free(r->task);
}
