/* The tables and curves of experiments. */
#include "base/mem.h"
#include "cli/lab/experiment.h"
#include "lab/measure/across.h"
#include "lab/measure/verdict.h"

#include <math.h>
#include <stdlib.h>

/* Where rows go: of several graphs each begins with the graph's name. */
struct sheet {
	struct results *r;
	const struct experiment *x;
	size_t n;
};

/* `columns` begin with "graph", which one graph does without. */
static void begin(const struct sheet *s, const char *name, const char *const *columns)
{
	results_table(s->r, name, s->n > 1 ? columns : columns + 1);
}

static void begin_row(const struct sheet *s, size_t graph, size_t policy)
{
	if (s->n > 1)
		results_text(s->r, s->x[graph].graph_options->graph);
	results_text(s->r, s->x[graph].policy[policy]->name);
}

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

static void print_summary(const struct sheet *s, size_t g)
{
	const struct compare *c = &s->x[g].compare;

	for (size_t p = 0; p < c->n_policies; p++)
		for (int m = MEASURE_AUC; m <= MEASURE_TAU; m++) {
			size_t n = m < MEASURE_HOT ? 1 : c->n_at;
			if ((measure_is_time((enum measure)m) && !s->x->report->timing) ||
				(m == MEASURE_TAU && !c->with_tau))
				continue;
			for (size_t i = 0; i < n; i++) {
				begin_row(s, g, p);
				results_text(s->r, measure_name((enum measure)m));
				put(s->r, m < MEASURE_HOT ? NAN : c->at[i]);
				put_interval(s->r, summary_of(c, p, (enum measure)m, i));
			}
		}
}

static void print_pairs(const struct sheet *s, size_t g)
{
	const struct compare *c = &s->x[g].compare;
	size_t *order = mem_new(c->n_policies, sizeof *order);

	summary_order(c, order);
	struct pair *pairs = verdict_pairs(c);
	for (size_t i = 0; i < c->n_policies; i++)
		for (size_t j = i + 1; j < c->n_policies; j++) {
			const struct pair *pair = &pairs[order[i] * c->n_policies + order[j]];
			begin_row(s, g, pair->policy);
			results_text(s->r, c->policies[pair->other]->name);
			put_interval(s->r, pair->difference);
			put(s->r, pair->p);
			put(s->r, pair->corrected);
			results_text(s->r, verdict_name(pair->verdict));
		}
	free(pairs);
	free(order);
}

static void print_windows(const struct sheet *s, size_t g)
{
	const struct compare *c = &s->x[g].compare;
	uint64_t size = replay_batch(c->nodes);

	for (size_t p = 0; p < c->n_policies; p++)
		for (size_t i = 0; i * size < c->nodes; i++) {
			struct interval v = summary_of(c, p, MEASURE_WINDOW, i);
			if (isnan(v.mean))
				break;
			begin_row(s, g, p);
			results_count(s->r, (i + 1) * size < c->nodes ? (i + 1) * size : c->nodes);
			put_interval(s->r, v);
		}
}

static void print_depths(const struct sheet *s, size_t g)
{
	const struct compare *c = &s->x[g].compare;

	for (size_t p = 0; p < c->n_policies; p++)
		for (size_t i = 0; i < COMPARE_DEPTHS; i++) {
			struct interval pages = summary_of(c, p, MEASURE_DEPTH_PAGES, i);
			if (!(pages.mean > 0))
				continue;
			begin_row(s, g, p);
			results_count(s->r, i);
			put_interval(s->r, pages);
			put_interval(s->r, summary_of(c, p, MEASURE_DEPTH_RANK, i));
		}
}

static void print_work(const struct sheet *s, size_t g)
{
	const struct compare *c = &s->x[g].compare;

	for (size_t p = 0; p < c->n_policies; p++) {
		begin_row(s, g, p);
		for (int f = 0; f < WORK_FIGURES; f++)
			put(s->r, summary_of_work(c, p, (enum work_figure)f));
	}
}

static void print_parts(const struct sheet *s, size_t g)
{
	const struct compare *c = &s->x[g].compare;

	for (size_t p = 0; p < c->n_policies; p++)
		for (uint32_t i = 0; i < COMPARE_STEPS; i++) {
			double queued = summary_of(c, p, MEASURE_QUEUED, i).mean;
			if (isnan(queued))
				continue;
			begin_row(s, g, p);
			results_real(s->r, (double)(i + 1) / COMPARE_STEPS);
			results_real(s->r, queued);
			put_interval(s->r, summary_of(c, p, MEASURE_PART, i));
		}
}

/* Each policy that ran on all graphs: a row a figure. */
static void print_across(const struct sheet *s)
{
	static const char *const columns[] = {
		"policy", "measure", "at", "mean", "mean_place", NULL};
	const struct compare **c = mem_new(s->n, sizeof *c);
	size_t *common = mem_new(s->x->compare.n_policies, sizeof *common);

	for (size_t g = 0; g < s->n; g++)
		c[g] = &s->x[g].compare;
	size_t m = across_common(c, s->n, common);
	results_table(s->r, "across", columns);
	for (size_t i = 0; i < m; i++)
		for (size_t k = 0; k <= c[0]->n_at; k++) {
			enum measure of = k ? MEASURE_HOT : MEASURE_AUC;
			size_t at = k ? k - 1 : 0;
			begin_row(&(struct sheet){s->r, s->x, 1}, 0, common[i]);
			results_text(s->r, measure_name(of));
			put(s->r, k ? c[0]->at[at] : NAN);
			put(s->r, across_mean(c, s->n, common[i], of, at));
			put(s->r, across_rank(c, s->n, common, m, common[i], of, at));
		}
	free(common);
	free(c);
}

static const char *const summary_columns[] = {
	"graph", "policy", "measure", "at", "mean", "low", "high", NULL};
static const char *const pair_columns[] = {"graph", "policy", "other", "difference", "low", "high",
	"wilcoxon_p", "holm_p", "policy_is", NULL};
static const char *const window_columns[] = {
	"graph", "policy", "crawled", "rank", "low", "high", NULL};
static const char *const depth_columns[] = {"graph", "policy", "depth", "pages", "pages_low",
	"pages_high", "rank", "rank_low", "rank_high", NULL};
static const char *const work_columns[] = {"graph", "policy", "links", "key_updates", "heap_moves",
	"e_log_v", "ranked_pages", "ranked_links", "rank_bound", "most_queued", "bytes_per_page",
	NULL};
_Static_assert(sizeof work_columns / sizeof *work_columns == WORK_FIGURES + 3, "a name each");
static const char *const part_columns[] = {
	"graph", "policy", "at", "queued", "taking_part", "low", "high", NULL};

static const struct table {
	const char *name;
	const char *const *columns;
	void (*print)(const struct sheet *, size_t graph);
} tables[] = {
	{"summary", summary_columns, print_summary},
	{"pairs", pair_columns, print_pairs},
	{"windows", window_columns, print_windows},
	{"depths", depth_columns, print_depths},
	{"work", work_columns, print_work},
	{"parts", part_columns, print_parts},
};

void experiment_print_tables(const struct experiment *x, size_t n, struct results *r)
{
	const struct sheet s = {r, x, n};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		begin(&s, tables[i].name, tables[i].columns);
		for (size_t g = 0; g < n; g++)
			tables[i].print(&s, g);
	}
	if (n > 1)
		print_across(&s);
}

int experiment_print_curves(const struct experiment *x, size_t n, FILE *out, struct err_note *why)
{
	static const char *const columns[] = {"graph", "policy", "at", "hot", "hot_low", "hot_high",
		"hot_discoverable", "hot_discoverable_low", "hot_discoverable_high", "mass",
		"mass_low", "mass_high", NULL};
	struct results r;
	const struct sheet s = {&r, x, n};

	results_begin(&r, out, RESULTS_TSV);
	experiment_print_about(x, n, &r);
	results_columns(&r, n > 1 ? columns : columns + 1);
	for (size_t g = 0; g < n; g++)
		for (size_t p = 0; p < x[g].compare.n_policies; p++)
			for (size_t i = 0; i < COMPARE_STEPS; i++) {
				const struct compare *c = &x[g].compare;
				begin_row(&s, g, p);
				results_real(&r, (double)(i + 1) / COMPARE_STEPS);
				put_interval(&r, summary_of(c, p, MEASURE_CURVE_HOT, i));
				put_interval(&r, summary_of(c, p, MEASURE_CURVE_DISCOVERABLE, i));
				put_interval(&r, summary_of(c, p, MEASURE_CURVE_MASS, i));
			}
	return results_end(&r, why);
}
