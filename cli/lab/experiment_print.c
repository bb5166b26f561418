/* What an experiment prints: its facts, its rows, and who is best. */
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/lab/experiment.h"
#include "cli/lab/study_files.h"
#include "lab/measure/summary.h"
#include "lab/measure/verdict.h"
#include "lab/study/seedset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds the facts that belong to one graph. */
static void tell_graph(const struct experiment *x, struct study *s)
{
	char text[FINGERPRINT_ROOM];

	study_fact(s, "graph", x->graph_options->graph);
	study_fact(s, "format", x->format);
	study_fact(s, "fingerprint", fingerprint_text(x->found, text));
	study_fact_count(s, "nodes", x->compare.nodes);
}

static int is_told(const struct study *s, const char *text)
{
	for (size_t i = 0; i < s->facts; i++)
		if (strcmp(s->fact[i].name, "policy") == 0 && strcmp(s->fact[i].value.text, text) == 0)
			return 1;
	return 0;
}

/* Policies with their options, each once. */
static void tell_policies(const struct experiment *x, size_t n, struct study *s)
{
	for (size_t g = 0; g < n; g++)
		for (size_t i = 0; i < x[g].compare.n_policies; i++) {
			struct buf text = BUF_EMPTY;
			buf_text(&text, x[g].policy[i]->name);
			opt_describe(&x[g].opts[i], &text);
			if (!is_told(s, text.at))
				study_fact(s, "policy", text.at);
			buf_release(&text);
		}
}

static void tell_crawl(const struct experiment *x, struct study *s)
{
	const struct compare *c = &x->compare;

	study_fact_count(s, "seeds_found", c->trials[0].seeds);
	study_fact_count(s, "batch", c->batch);
	if (c->total == COMPARE_REACHABLE)
		study_fact(s, "total", "reachable");
	else
		study_fact_count(s, "total", c->total ? c->total : c->nodes);
}

static void tell_facts(const struct experiment *x, size_t n, struct study *s)
{
	const struct compare *c = &x->compare;

	for (size_t i = 0; i < n; i++)
		tell_graph(&x[i], s);
	tell_policies(x, n, s);
	study_fact(s, "seeds", c->seeds);
	for (size_t i = 0; i < n; i++)
		tell_crawl(&x[i], s);
	if (c->max_pages)
		study_fact_count(s, "max_pages", c->max_pages);
	study_fact_count(s, "rng_seed", c->rng_seed);
	study_fact_real(s, "tolerance", c->tolerance);
	if (x->options->target)
		study_fact(s, "target", x->options->target);
	if (x->options->ties)
		study_fact(s, "ties", "shared");
	if (c->fleet) {
		study_fact_count(s, "agents", c->fleet->agents);
		study_fact_count(s, "lag", c->fleet->lag);
		study_fact(s, "shares", c->fleet->shares == FLEET_LOAD ? "load" : "fixed");
	}
	if (c->virtual_time) {
		study_fact(s, "politeness", x->virtual_options->politeness);
		if (c->max_time)
			study_fact_real(s, "max_time", (double)c->max_time / 1000);
	}
}

/* --- tables. A column is one line of a list: its name, whether the table has it, and the type and the value of a cell. */

#define COLUMN_NAME(name, is_there, type, value) name,
#define COLUMN_KEEP(name, is_there, type, value) \
	if (is_there) \
		names[n++] = (name);
#define COLUMN_CELL(name, is_there, type, value) \
	if (is_there) \
		study_##type(s, value);

/* of trial t at its point p; `ideal` has no loop, and so no links a second */
#define ROW_COLUMNS(COLUMN) \
	COLUMN("graph", graphs > 1, text, x->graph_options->graph) \
	COLUMN("policy", 1, text, t->policy->name) \
	COLUMN("draw", 1, count, t->draw) \
	COLUMN("crawled", 1, count, p->crawled) \
	COLUMN("hot", 1, real, p->strict) \
	COLUMN("hot_discoverable", 1, real, p->discoverable) \
	COLUMN("mass", 1, real, p->mass) \
	COLUMN("lift", 1, real, p->lift) \
	COLUMN("auc", 1, real, i + 1 == x->compare.n_at ? t->auc : NAN) \
	COLUMN("at", 1, real, x->at[i]) \
	COLUMN("tau", x->compare.with_tau, real, t->tau[i]) \
	COLUMN("cpu_seconds", x->report->timing, real, (double)t->cpu_ns / 1e9) \
	COLUMN("links_per_second", x->report->timing, real, t->cpu_ns ? (double)t->links / ((double)t->cpu_ns / 1e9) : NAN)

static void add_point(const struct experiment *x, size_t graphs, struct study *s, const struct trial *t, size_t i)
{
	const struct throughput_point *p = &t->points[i];

	ROW_COLUMNS(COLUMN_CELL)
}

void experiment_rows(const struct experiment *x, size_t graphs, struct study *s)
{
	const char *names[] = {ROW_COLUMNS(COLUMN_NAME) NULL};
	size_t n = 0;

	tell_facts(x, graphs, s);
	ROW_COLUMNS(COLUMN_KEEP)
	names[n] = NULL;
	study_table(s, "rows", NULL, "", names, STUDY_FILED);
	for (size_t g = 0; g < graphs; g++) {
		const struct compare *c = &x[g].compare;
		for (size_t t = 0; t < c->n_policies * c->draws; t++)
			for (size_t i = 0; i < c->n_at; i++)
				add_point(&x[g], graphs, s, &c->trials[t], i);
	}
}

static int is_changing(const struct experiment *x, size_t graphs)
{
	for (size_t g = 0; g < graphs; g++)
		if (x[g].compare.n_when && x[g].compare.trials[0].then)
			return 1;
	return 0;
}

/* of trial t at its time p; the last four columns are those of a changing web, whose values are unknown if `then` is NULL */
#define TIME_COLUMNS(COLUMN) \
	COLUMN("graph", graphs > 1, text, x->graph_options->graph) \
	COLUMN("policy", 1, text, t->policy->name) \
	COLUMN("draw", 1, count, t->draw) \
	COLUMN("seconds", 1, real, (double)p->ms / 1000) \
	COLUMN("crawled", 1, count, p->crawled) \
	COLUMN("found", 1, real, p->found) \
	COLUMN("mass", 1, real, p->mass) \
	COLUMN("hot", 1, real, p->strict) \
	COLUMN("hot_discoverable", 1, real, p->discoverable) \
	COLUMN("pages_per_minute", 1, real, p->ms ? p->crawled / ((double)p->ms / 60000) : NAN) \
	COLUMN("hot_then", changes, real, then ? then->strict : NAN) \
	COLUMN("found_then", changes, real, then ? then->found : NAN) \
	COLUMN("mass_then", changes, real, then ? then->mass : NAN) \
	COLUMN("fresh", changes, real, then ? then->fresh : NAN)

static void add_time(const struct experiment *x, size_t graphs, int changes, struct study *s, const struct trial *t, size_t i)
{
	const struct time_point *p = &t->timed[i];
	const struct then_point *then = t->then ? &t->then[i] : NULL;

	TIME_COLUMNS(COLUMN_CELL)
}

void experiment_times(const struct experiment *x, size_t graphs, struct study *s)
{
	const char *names[] = {TIME_COLUMNS(COLUMN_NAME) NULL};
	size_t n = 0;

	if (!x->compare.virtual_time)
		return;
	const int changes = is_changing(x, graphs);
	TIME_COLUMNS(COLUMN_KEEP)
	names[n] = NULL;
	study_table(s, "times", "By time",
		"What each crawl had found after a time. found: of the tenth of all pages with the highest PageRank; "
		"the last row of a crawl is its end.",
		names, STUDY_FILED);
	for (size_t g = 0; g < graphs; g++) {
		const struct compare *c = &x[g].compare;
		for (size_t t = 0; t < c->n_policies * c->draws; t++)
			for (size_t i = 0; c->trials[t].timed && i <= c->n_when; i++)
				/* nothing changes after the end */
				if (i == c->n_when || c->when[i] < c->trials[t].lasted)
					add_time(&x[g], graphs, changes, s, &c->trials[t], i);
	}
}

int experiment_print(const struct experiment *x, size_t n, struct err_note *why)
{
	struct study s = {.tables = 0};

	experiment_rows(x, n, &s);
	experiment_times(x, n, &s);
	experiment_agents(x, n, &s);
	const int err = study_print(&s, x->report, why);
	study_release(&s);
	return err;
}

/* --- talk */

static void tell_one(const struct experiment *x, const char *where)
{
	const struct compare *c = &x->compare;
	size_t *order = mem_new(c->n_policies, sizeof *order);
	struct buf text = BUF_EMPTY;

	summary_order(c, order);
	struct pair *pairs = verdict_pairs(c);
	for (size_t i = 0; i < c->n_policies; i++) {
		struct interval v = summary_of(c, order[i], MEASURE_AUC, 0);
		buf_clear(&text);
		buf_format(&text, "%s: auc %.4f [%.4f, %.4f]", c->policies[order[i]]->name, v.mean, v.low, v.high);
		if (i + 1 < c->n_policies) {
			buf_text(&text, "; ");
			verdict_sentence(c, &pairs[order[i] * c->n_policies + order[i + 1]], &text);
		}
		log_say("%s%s%s", where ? where : "", where ? ": " : "", text.at);
	}
	buf_release(&text);
	free(pairs);
	free(order);
}

void experiment_tell(const struct experiment *x, size_t n)
{
	if (!seedset_is_drawn(x->compare.seeds))
		log_say("the seeds '%s' are the same in every draw", x->compare.seeds);
	for (size_t i = 0; i < n; i++)
		tell_one(&x[i], n > 1 ? x[i].graph_options->graph : NULL);
}
