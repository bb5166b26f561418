#include "cli/lab/compare_job.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* --- from flags */

static void set_count(struct job_section *s, enum job_key key, uint64_t n)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, n);
	job_set(s, key, text);
}

static void set_real(struct job_section *s, enum job_key key, double x)
{
	struct buf text = BUF_EMPTY;

	opt_shortest(&text, x);
	job_set(s, key, text.at);
	buf_release(&text);
}

static void set_list(struct job_section *s, enum job_key key, const char *const *text, size_t n)
{
	struct buf list = BUF_EMPTY;

	for (size_t i = 0; i < n; i++)
		buf_format(&list, "%s%s", i ? ", " : "", text[i]);
	if (n)
		job_set(s, key, list.at);
	buf_release(&list);
}

static void set_text(struct job_section *s, enum job_key key, const char *text)
{
	if (text)
		job_set(s, key, text);
}

static void set_global(struct job_section *s, const struct compare_words *w)
{
	const struct policy_options *p = w->policy;

	job_set(s, JOB_STUDY, "compare");
	set_list(s, JOB_POLICIES, w->policies, w->n_policies);
	set_list(s, JOB_AT, w->experiment->at.at, w->experiment->at.count);
	set_text(s, JOB_SEEDS, w->experiment->seeds);
	set_text(s, JOB_TOTAL, p->total);
	set_text(s, JOB_POLITENESS, w->virtual->politeness);
	set_list(s, JOB_WHEN, w->virtual->when.at, w->virtual->when.count);
	if (w->virtual->max_time) {
		struct buf time = BUF_EMPTY;
		buf_format(&time, "%lldms", (long long)w->virtual->max_time);
		job_set(s, JOB_MAX_TIME, time.at);
		buf_release(&time);
	}
	if (w->agents->plan.agents) {
		struct buf text = BUF_EMPTY;
		buf_format(&text, "%" PRIu64 ":%" PRIu64 "%s", w->agents->plan.agents, w->agents->plan.lag,
			w->agents->plan.shares == FLEET_LOAD ? ":load" : "");
		job_set(s, JOB_AGENTS, text.at);
		buf_release(&text);
	}
	set_count(s, JOB_DRAWS, w->draws);
	set_count(s, JOB_RNG_SEED, p->rng_seed);
	set_count(s, JOB_MAX_PAGES, p->max_pages);
	if (p->batch)
		set_count(s, JOB_BATCH, p->batch);
	if (p->tol > 0)
		set_real(s, JOB_TOL, p->tol);
	set_text(s, JOB_TIES, w->experiment->ties ? "yes" : NULL);
	set_text(s, JOB_TAU, w->tau ? "yes" : NULL);
	set_text(s, JOB_IF_IMPOSSIBLE, w->if_possible ? "leave-out" : NULL);
	for (size_t i = 0; i < p->policy_opt.count; i++)
		job_set(s, JOB_POLICY_OPT, p->policy_opt.at[i]);
}

/* Adds a section for a graph, named by its path; if the path was given before, by the path and a number, "web.txt (2)". */
static struct job_section *add_graph(struct job *j, const char *path)
{
	const size_t before = j->graphs;
	struct job_section *s = job_graph(j, path);

	for (size_t i = 2; j->graphs == before; i++) {
		struct buf name = BUF_EMPTY;
		buf_format(&name, "%s (%zu)", path, i);
		s = job_graph(j, name.at);
		buf_release(&name);
	}
	return s;
}

void compare_job(struct job *j, const struct compare_words *w)
{
	job_init(j);
	set_global(&j->global, w);
	for (size_t i = 0; i < w->graphs->count; i++) {
		struct job_section *s = add_graph(j, w->graphs->at[i]);
		job_set(s, JOB_GRAPH, w->graphs->at[i]);
		set_text(s, JOB_URLS, w->names->urls);
		set_text(s, JOB_HOSTS, w->names->hosts);
		set_text(s, JOB_TARGET, w->experiment->target);
	}
}

/* --- what has run */

static void settle_options(struct job_section *s, const struct policy *policy, const struct opt_set *set)
{
	for (size_t i = 0; set->table && set->table[i].name; i++) {
		const struct opt *o = &set->table[i];
		const struct opt_value *v = &set->value[i];
		struct buf text = BUF_EMPTY;
		if (o->kind == OPT_TEXT && !v->text)
			continue;
		buf_format(&text, "%s.%s=", policy->name, o->name);
		if (o->kind == OPT_TEXT || (o->kind == OPT_CHOICE && v->text))
			buf_text(&text, v->text);
		else if (o->kind == OPT_CHOICE)
			buf_add(&text, o->choices, strcspn(o->choices, "|"));
		else
			opt_shortest(&text, v->number);
		job_set(s, JOB_POLICY_OPT, text.at);
		buf_release(&text);
	}
}

static void settle_graph(struct job_section *s, const struct experiment *x)
{
	const struct compare *c = &x->compare;
	char text[FINGERPRINT_ROOM];

	job_set(s, JOB_FINGERPRINT, fingerprint_text(x->found, text));
	set_count(s, JOB_BATCH, c->batch);
	if (c->tolerance > 0)
		set_real(s, JOB_TOL, c->tolerance);
	if (c->total == COMPARE_REACHABLE)
		job_set(s, JOB_TOTAL, "reachable");
	else
		set_count(s, JOB_TOTAL, c->total ? c->total : c->nodes);
	job_clear(s, JOB_DRAWN);
	for (uint32_t i = 0; i < c->draws; i++)
		job_set(s, JOB_DRAWN, fingerprint_text(c->drawn[i], text));
	job_clear(s, JOB_POLICY_OPT);
	for (size_t i = 0; i < c->n_policies; i++)
		settle_options(s, c->policies[i], &x->opts[i]);
}

static uint64_t fingerprint_of(const struct job *j, const struct experiment *x)
{
	uint64_t *numbers = mem_new(j->graphs, sizeof *numbers);

	for (size_t i = 0; i < j->graphs; i++)
		numbers[i] = compare_fingerprint(&x[i].compare);
	const uint64_t all = XXH3_64bits(numbers, j->graphs * sizeof *numbers);
	free(numbers);
	return all;
}

void compare_settle(struct job *j, const struct experiment *x)
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

int compare_check(const struct job *j, const struct experiment *x, struct err_note *why)
{
	const char *wanted = job_text(j, NULL, JOB_NUMBERS);
	char found[FINGERPRINT_ROOM];

	if (!wanted)
		return 0;
	fingerprint_text(fingerprint_of(j, x), found);
	if (strcmp(found, wanted) != 0)
		return err_set(why, ERR_OTHER, "the numbers are not those of '%s' (%s, not %s)", j->path, found, wanted);
	log_say("the numbers are those of '%s'", j->path);
	return 0;
}
