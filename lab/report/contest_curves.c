/* The curves of a contest, and its values one a row. */
#include "base/mem.h"
#include "lab/report/chart.h"
#include "lab/report/contest_report.h"

#include <math.h>
#include <stdlib.h>

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
	struct buf label = BUF_EMPTY, name = BUF_EMPTY, caption = BUF_EMPTY;
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
	buf_format(&label, "%s on %s", share->label, c->graph[g].name);
	buf_format(&name, "%s-%s", share->name, c->graph[g].name);
	buf_format(&caption, "%s, on %s; bands are 95%% intervals of the mean over %u draws.", share->caption, c->graph[g].name,
		contest_kept(c, g));
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
			study_text(s, c->graph[g].name);
		study_text(s, c->method[m]);
		study_real(s, (double)(k + 1) / COMPARE_STEPS);
		for (size_t i = 0; i < SHARES; i++) {
			const struct interval v = contest_mean(c, g, m, order[i], k);
			study_real(s, v.mean);
			study_real(s, v.low);
			study_real(s, v.high);
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
	study_text(s, c->graph[g].name);
	study_text(s, c->method[m]);
	study_count(s, draw + 1);
	study_real(s, at);
	study_text(s, measure);
	study_real(s, x);
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
