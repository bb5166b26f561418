/* What an experiment prints: rows, tables, curves, and who is best. */
#include "base/log.h"
#include "base/mem.h"
#include "cli/experiment.h"
#include "lab/summary.h"

#include <math.h>
#include <stdlib.h>

static void print_about(const struct experiment *x, struct results *r)
{
	const struct compare *c = &x->compare;

	report_graph(r, x->graph_options, &x->data);
	results_name(r, "nodes");
	results_count(r, x->data.graph.nodes);
	for (size_t i = 0; i < c->n_policies; i++) {
		struct buf text = BUF_EMPTY;
		buf_text(&text, x->policy[i]->name);
		opt_describe(&x->opts[i], &text);
		results_name(r, "policy");
		results_text(r, text.at);
		buf_release(&text);
	}
	results_name(r, "seeds");
	results_text(r, c->seeds);
	results_name(r, "seeds_found");
	results_count(r, c->trials[0].seeds);
	results_name(r, "batch");
	results_count(r, c->batch);
	results_name(r, "total");
	if (c->total == COMPARE_REACHABLE)
		results_text(r, "reachable");
	else
		results_count(r, c->total ? c->total : x->data.graph.nodes);
	if (c->max_pages) {
		results_name(r, "max_pages");
		results_count(r, c->max_pages);
	}
	results_name(r, "rng_seed");
	results_count(r, c->rng_seed);
	results_name(r, "tolerance");
	results_real(r, x->benchmark.tolerance);
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
static void print_rows(const struct experiment *x, struct results *r, const char **columns)
{
	static const char *const always[] = {"policy", "draw", "crawled", "hot", "hot_discoverable",
		"mass", "lift", "auc", "at"};
	const struct compare *c = &x->compare;
	size_t n = 0;

	for (; n < sizeof always / sizeof *always; n++)
		columns[n] = always[n];
	if (c->with_tau)
		columns[n++] = "tau";
	if (x->report->timing) {
		columns[n++] = "cpu_seconds";
		columns[n++] = "links_per_second";
	}
	columns[n] = NULL;
	print_about(x, r);
	results_columns(r, columns);
	for (size_t t = 0; t < c->n_policies * c->draws; t++)
		for (size_t i = 0; i < c->n_at; i++)
			print_point(x, r, &c->trials[t], i);
}

#define COLUMNS_MAX 13

int experiment_print(struct experiment *x, struct err_note *why)
{
	const char *columns[COLUMNS_MAX];
	struct results r;

	report_begin(x->report, &r);
	print_rows(x, &r, columns);
	return results_end(&r, why);
}

/* --- tables */

static void put(struct results *r, double real)
{
	if (isnan(real))
		results_none(r);
	else
		results_real(r, real);
}

static void put_interval(struct results *r, struct interval v)
{
	put(r, v.mean);
	put(r, v.low);
	put(r, v.high);
}

static void print_summary(const struct experiment *x, struct results *r)
{
	static const char *const columns[] = {
		"policy", "measure", "at", "mean", "low", "high", NULL};
	const struct compare *c = &x->compare;

	results_table(r, "summary", columns);
	for (size_t p = 0; p < c->n_policies; p++)
		for (int m = MEASURE_AUC; m <= MEASURE_TAU; m++) {
			size_t n = m < MEASURE_HOT ? 1 : c->n_at;
			if ((m == MEASURE_NS_A_LINK && !x->report->timing) ||
				(m == MEASURE_TAU && !c->with_tau))
				continue;
			for (size_t i = 0; i < n; i++) {
				results_text(r, c->policies[p]->name);
				results_text(r, measure_name((enum measure)m));
				put(r, m < MEASURE_HOT ? NAN : x->at[i]);
				put_interval(r, summary_of(c, p, (enum measure)m, i));
			}
		}
}

static void print_pairs(const struct experiment *x, struct results *r, const size_t *order)
{
	static const char *const columns[] = {
		"policy", "other", "difference", "low", "high", "wilcoxon_p", "policy_is", NULL};
	const struct compare *c = &x->compare;

	results_table(r, "pairs", columns);
	for (size_t i = 0; i < c->n_policies; i++)
		for (size_t j = i + 1; j < c->n_policies; j++) {
			struct pair pair = summary_pair(c, order[i], order[j]);
			results_text(r, c->policies[pair.policy]->name);
			results_text(r, c->policies[pair.other]->name);
			put_interval(r, pair.difference);
			put(r, c->draws > 1 ? pair.p : NAN);
			results_text(r, verdict_name(pair.verdict));
		}
}

static void print_windows(const struct experiment *x, struct results *r)
{
	static const char *const columns[] = {"policy", "crawled", "rank", "low", "high", NULL};
	const struct compare *c = &x->compare;
	uint32_t nodes = x->data.graph.nodes;
	uint64_t size = replay_batch(nodes);

	results_table(r, "windows", columns);
	for (size_t p = 0; p < c->n_policies; p++)
		for (size_t i = 0; i * size < nodes; i++) {
			struct interval v = summary_of(c, p, MEASURE_WINDOW, i);
			if (isnan(v.mean))
				break;
			results_text(r, c->policies[p]->name);
			results_count(r, (i + 1) * size < nodes ? (i + 1) * size : nodes);
			put_interval(r, v);
		}
}

static void print_depths(const struct experiment *x, struct results *r)
{
	static const char *const columns[] = {"policy", "depth", "pages", "pages_low", "pages_high",
		"rank", "rank_low", "rank_high", NULL};
	const struct compare *c = &x->compare;

	results_table(r, "depths", columns);
	for (size_t p = 0; p < c->n_policies; p++)
		for (size_t i = 0; i < COMPARE_DEPTHS; i++) {
			struct interval pages = summary_of(c, p, MEASURE_DEPTH_PAGES, i);
			if (!(pages.mean > 0))
				continue;
			results_text(r, c->policies[p]->name);
			results_count(r, i);
			put_interval(r, pages);
			put_interval(r, summary_of(c, p, MEASURE_DEPTH_RANK, i));
		}
}

int experiment_print_all(
	struct experiment *x, FILE *out, enum results_form form, struct err_note *why)
{
	const char *columns[COLUMNS_MAX];
	size_t *order = mem_new(x->compare.n_policies, sizeof *order);
	struct results r;

	summary_order(&x->compare, order);
	results_begin(&r, out, form);
	print_rows(x, &r, columns);
	print_summary(x, &r);
	print_pairs(x, &r, order);
	print_windows(x, &r);
	print_depths(x, &r);
	free(order);
	return results_end(&r, why);
}

int experiment_print_curves(struct experiment *x, FILE *out, struct err_note *why)
{
	static const char *const columns[] = {"policy", "at", "hot", "hot_low", "hot_high",
		"hot_discoverable", "hot_discoverable_low", "hot_discoverable_high", "mass",
		"mass_low", "mass_high", NULL};
	const struct compare *c = &x->compare;
	struct results r;

	results_begin(&r, out, RESULTS_TSV);
	print_about(x, &r);
	results_columns(&r, columns);
	for (size_t p = 0; p < c->n_policies; p++)
		for (size_t i = 0; i < COMPARE_STEPS; i++) {
			results_text(&r, c->policies[p]->name);
			results_real(&r, (double)(i + 1) / COMPARE_STEPS);
			put_interval(&r, summary_of(c, p, MEASURE_CURVE_HOT, i));
			put_interval(&r, summary_of(c, p, MEASURE_CURVE_DISCOVERABLE, i));
			put_interval(&r, summary_of(c, p, MEASURE_CURVE_MASS, i));
		}
	return results_end(&r, why);
}

/* --- talk */

void experiment_tell(const struct experiment *x)
{
	const struct compare *c = &x->compare;
	size_t *order = mem_new(c->n_policies, sizeof *order);
	struct buf text = BUF_EMPTY;

	summary_order(c, order);
	for (size_t i = 0; i < c->n_policies; i++) {
		struct interval v = summary_of(c, order[i], MEASURE_AUC, 0);
		buf_clear(&text);
		buf_format(&text, "%s: auc %.4f [%.4f, %.4f]", c->policies[order[i]]->name, v.mean,
			v.low, v.high);
		if (i + 1 < c->n_policies) {
			struct pair pair = summary_pair(c, order[i], order[i + 1]);
			buf_text(&text, "; ");
			summary_sentence(c, &pair, &text);
		}
		log_say("%s", text.at);
	}
	buf_release(&text);
	free(order);
}
