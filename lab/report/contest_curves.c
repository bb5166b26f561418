/* The curves of a contest, and its values one a row. */
#include "base/mem.h"
#include "lab/study/summary.h"
#include "lab/report/chart.h"
#include "lab/report/contest_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 100 /* percent */
#define SHARES 3   /* kinds of curves */

static const struct share {
	const char *name, *label, *caption, *y;
	enum measure measure;
} shares[SHARES] = {
	{"curves", "Discoverable throughput", "Hot pages found, of those that the seeds lead to", "discoverable hot pages, %",
		MEASURE_CURVE_DISCOVERABLE},
	{"strict", "Strict throughput", "Hot pages found, of all, whether the seeds lead to them or not", "hot pages of all, %",
		MEASURE_CURVE_HOT},
	{"mass", "PageRank found", "PageRank of the pages crawled, of all", "PageRank, %", MEASURE_CURVE_MASS},
};

static int runs_on(const struct contest *c, size_t g, size_t m)
{
	return c->graph[g].place[m] != SIZE_MAX;
}

static int is_yardstick(const struct contest *c, size_t g, size_t m)
{
	const struct contest_graph *graph = &c->graph[g];

	return summary_is_yardstick(graph->compare[m]->policies[graph->place[m]]);
}

static double clamped(double share)
{
	return POINTS * (share < 0 ? 0 : share > 1 ? 1 : share);
}

/* Fills a curve whose low, mean and high stand behind one another in y[]. */
static void fill(const struct contest *c, size_t g, size_t m, enum measure of, double *y)
{
	for (size_t k = 0; k < COMPARE_STEPS; k++) {
		const struct interval v = contest_mean(c, g, m, of, k);
		y[k] = POINTS * v.mean;
		y[COMPARE_STEPS + k] = clamped(v.low);
		y[2 * COMPARE_STEPS + k] = clamped(v.high);
	}
}

/* Draws the curves of all methods on a graph: the share of hot pages, or of mass, by pages crawled, with 95% bands. */
static void draw(const struct contest *c, size_t g, const struct share *share, struct study *s)
{
	static const double all[] = {0, POINTS};
	double x[COMPARE_STEPS], *y = mem_new(3 * c->methods * COMPARE_STEPS, sizeof *y);
	struct chart_curve *curve = mem_zero(c->methods, sizeof *curve);
	struct drawing d;
	size_t curves = 0;

	for (size_t k = 0; k < COMPARE_STEPS; k++)
		x[k] = POINTS * (double)(k + 1) / COMPARE_STEPS;
	for (size_t m = 0; m < c->methods; m++) {
		double *own = y + 3 * m * COMPARE_STEPS;
		if (!runs_on(c, g, m))
			continue;
		fill(c, g, m, share->measure, own);
		curve[curves++] = (struct chart_curve){c->method[m], x, own, own + COMPARE_STEPS, own + 2 * COMPARE_STEPS,
			COMPARE_STEPS, is_yardstick(c, g, m)};
	}
	const struct chart chart = {.x_label = "pages crawled, %",
		.y_label = share->y,
		.x_range = all,
		.y_range = all,
		.curve = curve,
		.curves = curves};
	chart_draw(&d, &chart);
	struct buf label = buf_of("%s on %s", share->label, c->graph[g].name);
	struct buf name = buf_of("%s-%s", share->name, c->graph[g].name);
	struct buf caption = buf_of("%s, on %s; bands are 95%% intervals of the mean over %u draws.", share->caption,
		c->graph[g].name, contest_kept(c, g));
	study_figure(s, name.at, &d, label.at, caption.at);
	buf_release(&label);
	buf_release(&name);
	buf_release(&caption);
	free(curve);
	free(y);
}

/* Writes the rows of one method on one graph: every share at every step of the crawl. */
static void rows(const struct contest *c, size_t g, size_t m, struct study *s)
{
	static const enum measure order[] = {MEASURE_CURVE_HOT, MEASURE_CURVE_DISCOVERABLE, MEASURE_CURVE_MASS};

	for (size_t k = 0; k < COMPARE_STEPS; k++) {
		if (c->graphs > 1)
			STUDY_CELLS(s, cell_text(c->graph[g].name));
		STUDY_CELLS(s, cell_text(c->method[m]), cell_real((double)(k + 1) / COMPARE_STEPS));
		for (size_t i = 0; i < SHARES; i++) {
			const struct interval v = contest_mean(c, g, m, order[i], k);
			STUDY_CELLS(s, cell_real(v.mean), cell_real(v.low), cell_real(v.high));
		}
	}
}

void contest_curves(const struct contest *c, enum contest_curves which, struct study *s)
{
	static const char *const columns[] = {"graph", "policy", "at", "hot", "hot_low", "hot_high", "hot_discoverable",
		"hot_discoverable_low", "hot_discoverable_high", "mass", "mass_low", "mass_high", NULL};

	study_table(s, "curves", "Curves", "", c->graphs > 1 ? columns : columns + 1, STUDY_FILED);
	for (size_t g = 0; g < c->graphs; g++) {
		if (!contest_kept(c, g))
			continue;
		for (size_t i = 0; i < (which == CONTEST_CURVES_ALL ? SHARES : 1); i++)
			draw(c, g, &shares[i], s);
		for (size_t m = 0; m < c->methods; m++)
			if (runs_on(c, g, m))
				rows(c, g, m, s);
	}
}

/* --- one value a row */

static void add_value(struct study *s, const struct contest *c, size_t g, size_t m, uint32_t draw, double at, const char *measure,
	double x)
{
	STUDY_CELLS(s, cell_text(c->graph[g].name), cell_text(c->method[m]), cell_count(draw + 1), cell_real(at),
		cell_text(measure), cell_real(x));
}

/* Adds the values of each draw, so that a reader can compute other statistics than this study's. */
static void add_values(const struct contest *c, size_t g, size_t m, struct study *s)
{
	static const enum measure measures[] = {MEASURE_DISCOVERABLE, MEASURE_HOT, MEASURE_MASS, MEASURE_LIFT};
	const struct compare *own = c->graph[g].compare[m];

	for (uint32_t d = 0; d < own->draws; d++) {
		const struct trial *t = compare_trial(own, c->graph[g].place[m], d);
		for (size_t k = 0; k < own->n_at; k++)
			for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
				add_value(s, c, g, m, d, own->at[k], measure_name(measures[i]), measure_of(own, t, measures[i], k));
		if (c->judge == MEASURE_COVERED)
			add_value(s, c, g, m, d, (double)c->at, "covered", measure_of(own, t, MEASURE_COVERED, c->at));
		add_value(s, c, g, m, d, 1, "auc", t->auc);
		add_value(s, c, g, m, d, 1, "crawled", t->crawled);
	}
}

void contest_values(const struct contest *c, struct study *s)
{
	static const char *const columns[] = {"graph", "policy", "draw", "at", "measure", "value", NULL};

	study_table(s, "values", NULL, "", columns, STUDY_FILED);
	for (size_t g = 0; g < c->graphs; g++)
		for (size_t m = 0; m < c->methods; m++)
			if (runs_on(c, g, m))
				add_values(c, g, m, s);
}

/* --- What the crawls of each graph held, and what they had to look at. */

#define POINTS 100 /* percent */

/* A method on a graph where it ran. */
struct entry {
	const struct contest *c;
	size_t g, m;
	const struct compare *own;
	size_t place; /* of its policy there */
};

/* Moves on to the next entry; before the first one, g is 0 and m is SIZE_MAX. Returns 0 after the last one. */
static int next(struct entry *e)
{
	do {
		e->m++;
		if (e->m == e->c->methods) {
			e->m = 0;
			e->g++;
		}
		if (e->g == e->c->graphs)
			return 0;
		e->own = e->c->graph[e->g].compare[e->m];
		e->place = e->c->graph[e->g].place[e->m];
	} while (e->place == SIZE_MAX);
	return 1;
}

static struct entry before_first(const struct contest *c)
{
	return (struct entry){.c = c, .m = SIZE_MAX};
}

static void begin(struct study *s, const struct contest *c, const char *name, const char *heading, const char *caption,
	const char *const *columns, enum study_shown shown)
{
	/* `columns` begin with "graph", which one graph does without */
	study_table(s, name, heading, caption, c->graphs > 1 ? columns : columns + 1, shown);
}

static void begin_row(struct study *s, const struct entry *e)
{
	if (e->c->graphs > 1)
		STUDY_CELLS(s, cell_text(e->c->graph[e->g].name));
	STUDY_CELLS(s, cell_text(e->c->method[e->m]));
}

static void put(struct study *s, struct interval v)
{
	STUDY_CELLS(s, cell_real(v.mean), cell_real(v.low), cell_real(v.high));
}

static struct interval mean_of(const struct entry *e, enum measure m, size_t i)
{
	return contest_mean(e->c, e->g, e->m, m, i);
}

/* --- each figure over the draws */

static int is_told(const struct entry *e, enum measure m, enum contest_costs costs)
{
	return (costs == CONTEST_TIMED || !measure_is_time(m)) && (m != MEASURE_TAU || e->own->with_tau);
}

/* Writes the mean and its interval of each measure of each policy, at each size of the crawl for the measures that depend on it. */
static void summaries(const struct contest *c, enum contest_costs costs, struct study *s)
{
	static const char *const columns[] = {"graph", "policy", "measure", "at", "mean", "low", "high", NULL};

	begin(s, c, "summary", NULL, "", columns, STUDY_FILED);
	for (struct entry e = before_first(c); next(&e);)
		for (int m = MEASURE_AUC; m <= MEASURE_TAU; m++) {
			const size_t n = m < MEASURE_HOT ? 1 : e.own->n_at;
			for (size_t i = 0; is_told(&e, (enum measure)m, costs) && i < n; i++) {
				begin_row(s, &e);
				STUDY_CELLS(s, cell_text(measure_name((enum measure)m)),
					cell_real(m < MEASURE_HOT ? NAN : e.own->at[i]));
				put(s, mean_of(&e, (enum measure)m, i));
			}
		}
}

/* --- pairs: within one comparison, whose policies began with the same seeds */

/* Writes a row for each pair of policies on one graph, the better one first: their difference, p and verdict. */
static void pair_rows(const struct entry *e, struct study *s)
{
	const struct compare *c = e->own;
	size_t *order = mem_new(c->n_policies, sizeof *order);

	summary_order(c, order);
	struct pair *pairs = verdict_pairs(c);
	for (size_t i = 0; i < c->n_policies; i++)
		for (size_t j = i + 1; j < c->n_policies; j++) {
			const struct pair *pair = &pairs[order[i] * c->n_policies + order[j]];
			if (e->c->graphs > 1)
				STUDY_CELLS(s, cell_text(e->c->graph[e->g].name));
			STUDY_CELLS(s, cell_text(c->policies[pair->policy]->name), cell_text(c->policies[pair->other]->name));
			put(s, pair->difference);
			STUDY_CELLS(s, cell_real(pair->p), cell_real(pair->corrected), cell_text(verdict_name(pair->verdict)),
				cell_real(pair->share), cell_count(pair->draws), cell_count(pair->comparisons));
		}
	free(pairs);
	free(order);
}

static void pairs(const struct contest *c, struct study *s)
{
	static const char *const columns[] = {"graph", "policy", "other", "difference", "low", "high", "wilcoxon_p", "holm_p",
		"policy_is", "share_of_draws_better", "draws", "comparisons", NULL};
	const struct compare *last = NULL;

	begin(s, c, "pairs", NULL, "", columns, STUDY_FILED);
	for (struct entry e = before_first(c); next(&e); last = e.own)
		if (e.own != last)
			pair_rows(&e, s);
}

/* Writes the mean AUC of each policy on each graph, with its interval over the draws. */
static void areas(const struct contest *c, struct study *s)
{
	static const char *const columns[] = {"graph", "policy", "auc", "low", "high", "draws", NULL};

	begin(s, c, "areas", NULL, "", columns, STUDY_FILED);
	for (struct entry e = before_first(c); next(&e);) {
		if (c->graphs > 1)
			STUDY_CELLS(s, cell_text(c->graph[e.g].name));
		STUDY_CELLS(s, cell_text(c->method[e.m]));
		put(s, mean_of(&e, MEASURE_AUC, 0));
		STUDY_CELLS(s, cell_count(e.own->draws));
	}
}

void contest_verdicts(const struct contest *c, struct study *s)
{
	areas(c, s);
	pairs(c, s);
}

/* Writes the policies of one graph from the best to the worst, each with how surely it beats the next one. */
static void standing_rows(const struct entry *e, struct study *s)
{
	const struct compare *c = e->own;
	size_t *order = mem_new(c->n_policies, sizeof *order);
	struct pair *pairs = verdict_pairs(c);

	summary_order(c, order);
	for (size_t i = 0; i < c->n_policies; i++) {
		struct buf text = BUF_EMPTY;
		if (e->c->graphs > 1)
			STUDY_CELLS(s, cell_text(e->c->graph[e->g].name));
		STUDY_CELLS(s, cell_text(c->policies[order[i]]->name), cell_real(summary_of(c, order[i], MEASURE_AUC, 0).mean),
			cell_real(summary_of(c, order[i], MEASURE_REGRET_OMNISCIENT, 0).mean),
			cell_real(summary_of(c, order[i], MEASURE_REGRET_IDEAL, 0).mean),
			cell_real(summary_of(c, order[i], MEASURE_EFFORT, 0).mean),
			cell_real(summary_of(c, order[i], MEASURE_BYTES_A_PAGE, 0).mean));
		if (i + 1 < c->n_policies && c->draws > 1)
			verdict_sentence(c, &pairs[order[i] * c->n_policies + order[i + 1]], &text);
		STUDY_CELLS(s, cell_text(text.at ? text.at : ""));
		buf_release(&text);
	}
	free(order);
	free(pairs);
}

/* Writes the table in which a reader finds first which policy is best on each graph. */
static void standing(const struct contest *c, struct study *s)
{
	static const char *const columns[] = {"graph", "policy", "AUC", "regret,_omniscient", "regret,_ideal", "operations_a_link",
		"bytes_a_page", "against_the_next", NULL};
	const struct compare *last = NULL;

	struct buf caption = buf_of(
		"Policies by the area under the strict curve (AUC), the best first; what the area falls short of a crawl that "
		"takes the best page it has discovered (omniscient) and of one that takes the hot pages in order (ideal); "
		"operations and memory; and the difference from the next policy on the same seeds, by Wilcoxon's "
		"signed-rank test below %g after Holm's correction for all pairs, and by the 95%% interval.",
		VERDICT_LEVEL);
	begin(s, c, "standing", "Standing", caption.at, columns, STUDY_SHOWN);
	buf_release(&caption);
	for (struct entry e = before_first(c); next(&e); last = e.own)
		if (e.own != last)
			standing_rows(&e, s);
}

/* --- figures: one of each kind a graph */

enum along { ALONG_STEPS, ALONG_WINDOWS, ALONG_DEPTHS };

struct sketch {
	const char *name, *label, *x, *y, *caption;
	enum measure measure;
	enum along along;
	enum chart_scale scale;
};

static const struct sketch of_windows = {"windows", "Mean PageRank of each window", "pages crawled, %", "mean PageRank, times N",
	"Mean PageRank of each fortieth of the graph in the order crawled; 1 is the mean of the graph.", MEASURE_WINDOW,
	ALONG_WINDOWS, CHART_LOG};
static const struct sketch of_depth_rank = {"depth-rank", "Mean PageRank by depth", "depth at first discovery",
	"mean PageRank, times N",
	"Mean PageRank of the pages by their depth when they were first discovered; the seeds are at 0. "
	"Where a policy went deeper than is drawn, the table goes on.",
	MEASURE_DEPTH_RANK, ALONG_DEPTHS, CHART_LOG};
static const struct sketch of_depth_pages = {"depth-pages", "Pages by depth", "depth at first discovery", "pages",
	"Pages crawled at each such depth.", MEASURE_DEPTH_PAGES, ALONG_DEPTHS, CHART_LOG};
static const struct sketch of_parts = {"parts", "Pages that take part", "pages crawled, %", "pages taking part, %",
	"Pages that take part in the computation of importance, of all: the pages queued and, under policies "
	"that rank all pages they know, those crawled as well.",
	MEASURE_PART, ALONG_STEPS, CHART_LINEAR};

static int compare_counts(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* Returns how many depths the figure of a graph shows: one and a half times the depth that holds 99% of the pages, as a median
 * over the methods. */
static size_t depths_shown(const struct contest *c, size_t g)
{
	size_t *deep = mem_zero(c->methods, sizeof *deep), n = 0;

	for (struct entry e = before_first(c); next(&e);) {
		double all = 0, so_far = 0;
		if (e.g != g)
			continue;
		for (size_t i = 0; i < COMPARE_DEPTHS; i++)
			all += mean_of(&e, MEASURE_DEPTH_PAGES, i).mean;
		for (deep[n] = 0; deep[n] + 1 < COMPARE_DEPTHS; deep[n]++) {
			so_far += mean_of(&e, MEASURE_DEPTH_PAGES, deep[n]).mean;
			if (so_far >= 0.99 * all)
				break;
		}
		n++;
	}
	qsort(deep, n, sizeof *deep, compare_counts);
	const size_t most = n ? deep[n / 2] * 3 / 2 : 0;
	free(deep);
	return most < 4 ? 4 : most < COMPARE_DEPTHS ? most : COMPARE_DEPTHS - 1;
}

static size_t rows_of(const struct compare *c, enum along along)
{
	const uint64_t window = replay_fortieth(c->nodes);

	return along == ALONG_STEPS      ? COMPARE_STEPS
		: along == ALONG_WINDOWS ? (size_t)((c->nodes + window - 1) / window)
					 : COMPARE_DEPTHS;
}

static double x_of(const struct compare *c, enum along along, size_t i)
{
	if (along == ALONG_DEPTHS)
		return (double)i;
	if (along == ALONG_STEPS)
		return POINTS * (double)(i + 1) / COMPARE_STEPS;
	return POINTS * fmin(((double)i + 0.5) * (double)replay_fortieth(c->nodes) / c->nodes, 1);
}

static int is_entry_yardstick(const struct entry *e)
{
	return summary_is_yardstick(e->own->policies[e->place]);
}

/* Says whether a curve has at least two known points. */
static int is_line(const struct chart_curve *curve)
{
	size_t known = 0;

	for (size_t i = 0; i < curve->n; i++)
		known += isfinite(curve->y[i]) != 0;
	return known > 1;
}

/* Draws a figure of one graph, if at least one curve has two known points; a mean is known only where the crawls of all draws
 * have got that far. */
static void draw_on(const struct contest *c, size_t g, const struct sketch *k, struct study *s)
{
	const struct compare *own = c->graph[g].compare[0];
	const size_t n = k->along == ALONG_DEPTHS ? depths_shown(c, g) + 1 : rows_of(own, k->along);
	double *x = mem_new(n, sizeof *x), *y = mem_new(n * c->methods, sizeof *y);
	struct chart_curve *curve = mem_zero(c->methods, sizeof *curve);
	struct drawing d;
	size_t curves = 0, lines = 0;

	for (size_t i = 0; i < n; i++)
		x[i] = x_of(own, k->along, i);
	for (struct entry e = before_first(c); next(&e);) {
		if (e.g != g)
			continue;
		double *values = y + curves * n;
		for (size_t i = 0; i < n; i++)
			values[i] = mean_of(&e, k->measure, i).mean * (k->measure == MEASURE_PART ? POINTS : 1);
		curve[curves++] = (struct chart_curve){.name = c->method[e.m],
			.x = x,
			.y = values,
			.n = n,
			.is_yardstick = is_entry_yardstick(&e)};
		lines += is_line(&curve[curves - 1]) != 0;
	}
	const struct chart chart = {.x_label = k->x, .y_label = k->y, .y_scale = k->scale, .curve = curve, .curves = curves};
	struct buf label = buf_of("%s on %s", k->label, c->graph[g].name);
	struct buf name = buf_of("%s-%s", k->name, c->graph[g].name);
	if (lines) {
		chart_draw(&d, &chart);
		study_figure(s, name.at, &d, label.at, k->caption);
	}
	buf_release(&label);
	buf_release(&name);
	free(curve);
	free(x);
	free(y);
}

static void draw_sketch(const struct contest *c, const struct sketch *k, struct study *s)
{
	for (size_t g = 0; g < c->graphs; g++)
		draw_on(c, g, k, s);
}

/* Draws quality against cost, with a dot for each method. */
static void draw_cost(const struct contest *c, size_t g, enum measure cost, const char *x_label, struct study *s)
{
	double *x = mem_new(c->methods, sizeof *x), *y = mem_new(c->methods, sizeof *y);
	struct chart_curve *curve = mem_zero(c->methods, sizeof *curve);
	struct drawing d;
	size_t n = 0;

	for (struct entry e = before_first(c); next(&e);) {
		if (e.g != g || !(mean_of(&e, cost, 0).mean > 0))
			continue;
		x[n] = mean_of(&e, cost, 0).mean;
		y[n] = mean_of(&e, MEASURE_AUC, 0).mean;
		curve[n] = (struct chart_curve){.name = c->method[e.m],
			.x = &x[n],
			.y = &y[n],
			.n = 1,
			.is_yardstick = is_entry_yardstick(&e)};
		n++;
	}
	const struct chart chart = {.x_label = x_label,
		.y_label = "area under the strict curve",
		.x_scale = CHART_LOG,
		.marks = CHART_POINTS,
		.curve = curve,
		.curves = n};
	chart_draw(&d, &chart);
	struct buf label = buf_of("Quality against %s on %s", x_label, c->graph[g].name);
	struct buf name = buf_of("%s-%s", measure_name(cost), c->graph[g].name);
	study_figure(s, name.at, &d, label.at,
		cost == MEASURE_EFFORT ? "Quality against cost: the area under the strict curve, and links read, moves in "
					 "the heap and links visited for a ranking, a link read."
				       : "Quality against CPU time of the crawl loop, policy and frontier, a link.");
	buf_release(&label);
	buf_release(&name);
	free(curve);
	free(x);
	free(y);
}

/* --- tables along a crawl */

/* Writes and draws the mean rank of the pages in each window of the crawl: whether the best pages come first. */
static void windows(const struct contest *c, struct study *s)
{
	static const char *const columns[] = {"graph", "policy", "crawled", "rank", "low", "high", NULL};

	begin(s, c, "windows", "Where the crawls went", "", columns, STUDY_FILED);
	draw_sketch(c, &of_windows, s);
	for (struct entry e = before_first(c); next(&e);)
		for (size_t i = 0; i < rows_of(e.own, ALONG_WINDOWS); i++) {
			const struct interval v = mean_of(&e, MEASURE_WINDOW, i);
			const uint64_t end = (i + 1) * replay_fortieth(e.own->nodes);
			if (isnan(v.mean))
				break;
			begin_row(s, &e);
			STUDY_CELLS(s, cell_count(end < e.own->nodes ? end : e.own->nodes));
			put(s, v);
		}
}

/* Writes and draws how many pages were crawled at each depth, and their mean rank. */
static void depths(const struct contest *c, struct study *s)
{
	static const char *const columns[] = {"graph", "policy", "depth", "pages", "pages_low", "pages_high", "rank", "rank_low",
		"rank_high", NULL};

	begin(s, c, "depths", NULL, "", columns, STUDY_FILED);
	draw_sketch(c, &of_depth_rank, s);
	draw_sketch(c, &of_depth_pages, s);
	for (struct entry e = before_first(c); next(&e);)
		for (size_t i = 0; i < COMPARE_DEPTHS; i++) {
			const struct interval pages = mean_of(&e, MEASURE_DEPTH_PAGES, i);
			if (!(pages.mean > 0))
				continue;
			begin_row(s, &e);
			STUDY_CELLS(s, cell_count(i));
			put(s, pages);
			put(s, mean_of(&e, MEASURE_DEPTH_RANK, i));
		}
}

/* Writes what a policy has counted of its work beside the bounds that the paper gives, and draws its cost. */
static void work(const struct contest *c, enum contest_costs costs, struct study *s)
{
	static const char *const columns[] = {"graph", "policy", "links", "key_updates", "heap_moves", "e_log_v", "ranked_pages",
		"ranked_links", "rank_bound", "most_queued", "bytes_per_page", NULL};

	begin(s, c, "work", "What a crawl had to look at",
		"Means over the draws: links read as pages were crawled, queued pages whose key a link changed, moves within "
		"the heap and the E log V that the paper allows for them, pages and links visited to rank what is known and "
		"the 50 E (K + 1) that the paper allows for K rankings, most pages queued at once, and the bytes kept a page "
		"of the graph.",
		columns, STUDY_SHOWN);
	for (size_t g = 0; g < c->graphs; g++) {
		draw_cost(c, g, MEASURE_EFFORT, "operations a link", s);
		if (costs == CONTEST_TIMED)
			draw_cost(c, g, MEASURE_NS_A_LINK, "CPU ns a link", s);
	}
	for (struct entry e = before_first(c); next(&e);) {
		begin_row(s, &e);
		for (int f = 0; f < OP_COUNT_FIGURES; f++)
			STUDY_CELLS(s, cell_real(summary_of_op_count(e.own, e.place, (enum op_count)f)));
	}
}

/* Writes and draws how many pages are queued as the crawl goes on, and how many take part (frontier_work.taking_part). */
static void parts(const struct contest *c, struct study *s)
{
	static const char *const columns[] = {"graph", "policy", "at", "queued", "taking_part", "low", "high", NULL};

	begin(s, c, "parts", NULL, "", columns, STUDY_FILED);
	draw_sketch(c, &of_parts, s);
	for (struct entry e = before_first(c); next(&e);)
		for (size_t i = 0; i < COMPARE_STEPS; i++) {
			const double queued = mean_of(&e, MEASURE_QUEUED, i).mean;
			if (isnan(queued))
				continue;
			begin_row(s, &e);
			STUDY_CELLS(s, cell_real((double)(i + 1) / COMPARE_STEPS), cell_real(queued));
			put(s, mean_of(&e, MEASURE_PART, i));
		}
}

void contest_profiles(const struct contest *c, enum contest_costs costs, struct study *s)
{
	standing(c, s);
	summaries(c, costs, s);
	pairs(c, s);
	windows(c, s);
	depths(c, s);
	work(c, costs, s);
	parts(c, s);
}
