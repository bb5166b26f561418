/* What an experiment prints: its head, its rows, and who is best. */
#include "base/log.h"
#include "base/mem.h"
#include "cli/lab/experiment.h"
#include "lab/measure/across.h"
#include "lab/study/seedset.h"
#include "lab/measure/verdict.h"

#include <stdlib.h>

/* What is one graph's own. */
static void print_graph(const struct experiment *x, struct results *r)
{
	results_name(r, "graph");
	results_text(r, x->graph_options->graph);
	results_name(r, "format");
	results_text(r, x->format);
	results_name(r, "fingerprint");
	results_fingerprint(r, x->found);
	results_name(r, "nodes");
	results_count(r, x->compare.nodes);
}

/* Policies with their options, those left out that were named before. */
static void print_policies(const struct experiment *x, size_t n, struct results *r)
{
	for (size_t g = 0; g < n; g++)
		for (size_t i = 0; i < x[g].compare.n_policies; i++) {
			struct buf text = BUF_EMPTY;
			size_t before = 0;
			while (before < g &&
				across_place(&x[before].compare, &x[g].compare, i) == SIZE_MAX)
				before++;
			if (before < g)
				continue;
			buf_text(&text, x[g].policy[i]->name);
			opt_describe(&x[g].opts[i], &text);
			results_name(r, "policy");
			results_text(r, text.at);
			buf_release(&text);
		}
}

static void print_crawl(const struct experiment *x, struct results *r)
{
	const struct compare *c = &x->compare;

	results_name(r, "seeds_found");
	results_count(r, c->trials[0].seeds);
	results_name(r, "batch");
	results_count(r, c->batch);
	results_name(r, "total");
	if (c->total == COMPARE_REACHABLE)
		results_text(r, "reachable");
	else
		results_count(r, c->total ? c->total : c->nodes);
}

void experiment_print_about(const struct experiment *x, size_t n, struct results *r)
{
	const struct compare *c = &x->compare;

	for (size_t i = 0; i < n; i++)
		print_graph(&x[i], r);
	print_policies(x, n, r);
	results_name(r, "seeds");
	results_text(r, c->seeds);
	for (size_t i = 0; i < n; i++)
		print_crawl(&x[i], r);
	if (c->max_pages) {
		results_name(r, "max_pages");
		results_count(r, c->max_pages);
	}
	results_name(r, "rng_seed");
	results_count(r, c->rng_seed);
	results_name(r, "tolerance");
	results_real(r, c->tolerance);
	if (x->options->ties) {
		results_name(r, "ties");
		results_text(r, "shared");
	}
}

static void print_point(
	const struct experiment *x, struct results *r, const struct trial *t, size_t i)
{
	const struct hot_point *p = &t->points[i];

	results_text(r, t->policy->name);
	results_count(r, t->draw);
	results_count(r, p->crawled);
	results_real(r, p->strict);
	results_real(r, p->discoverable);
	results_real(r, p->mass);
	results_real(r, p->lift);
	if (i + 1 == x->compare.n_at)
		results_real(r, t->auc);
	else
		results_none(r);
	results_real(r, x->at[i]);
	if (x->compare.with_tau)
		results_real(r, t->tau[i]);
	if (x->report->timing) {
		results_real(r, (double)t->cpu_ns / 1e9);
		if (t->cpu_ns) /* `ideal` has no loop */
			results_real(r, (double)t->links / ((double)t->cpu_ns / 1e9));
		else
			results_none(r);
	}
}

/* `columns` has room for all, and must outlive `r`. */
static void print_rows(
	const struct experiment *x, size_t graphs, struct results *r, const char **columns)
{
	static const char *const always[] = {"policy", "draw", "crawled", "hot", "hot_discoverable",
		"mass", "lift", "auc", "at"};
	const struct compare *c = &x->compare;
	size_t n = 0;

	if (graphs > 1)
		columns[n++] = "graph";
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		columns[n++] = always[i];
	if (c->with_tau)
		columns[n++] = "tau";
	if (x->report->timing) {
		columns[n++] = "cpu_seconds";
		columns[n++] = "links_per_second";
	}
	columns[n] = NULL;
	experiment_print_about(x, graphs, r);
	results_columns(r, columns);
	for (size_t g = 0; g < graphs; g++) {
		c = &x[g].compare;
		for (size_t t = 0; t < c->n_policies * c->draws; t++)
			for (size_t i = 0; i < c->n_at; i++) {
				if (graphs > 1)
					results_text(r, x[g].graph_options->graph);
				print_point(&x[g], r, &c->trials[t], i);
			}
	}
}

#define COLUMNS_MAX 14

int experiment_print(const struct experiment *x, size_t n, struct err_note *why)
{
	const char *columns[COLUMNS_MAX];
	struct results r;

	report_begin(x->report, &r);
	print_rows(x, n, &r, columns);
	return results_end(&r, why);
}

int experiment_print_all(const struct experiment *x, size_t n, FILE *out, enum results_form form,
	struct err_note *why)
{
	const char *columns[COLUMNS_MAX];
	struct results r;

	results_begin(&r, out, form);
	print_rows(x, n, &r, columns);
	experiment_print_tables(x, n, &r);
	return results_end(&r, why);
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
		buf_format(&text, "%s: auc %.4f [%.4f, %.4f]", c->policies[order[i]]->name, v.mean,
			v.low, v.high);
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
