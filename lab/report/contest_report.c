#include "lab/report/contest_report.h"
#include "base/mem.h"
#include "lab/report/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 100 /* percent */

struct writer {
	const struct contest *c;
	const struct contest_across *a;
	struct study *s;
	double at; /* the judged fraction */
};

static const struct compare *first_of(const struct contest *c, size_t graph)
{
	return c->graph[graph].compare[0];
}

static const char *measure_words(enum measure m)
{
	return m == MEASURE_DISCOVERABLE ? "discoverable" : "strict";
}

/* --- claims */

static void describe_claim(
	const struct writer *w, const struct contest_claim *claim, struct buf *seen)
{
	const struct contest_across *a = w->a;

	for (size_t i = 0; i < claim->others; i++) {
		const size_t m = claim->method, other = claim->other[i];
		buf_format(seen,
			"%sagainst %s %+.1f points, better on %.0f%% of %zu graphs, mean places %.2f and %.2f",
			i ? "; " : "", w->c->method[other], POINTS * (a->mean[m] - a->mean[other]),
			100 * contest_share(a, m, w->c->methods, other), a->rows, a->ranks.place[m],
			a->ranks.place[other]);
	}
}

static void claims(const struct writer *w)
{
	static const char *const columns[] = {"claim", "verdict", "seen", NULL};
	struct buf caption = BUF_EMPTY;

	if (!w->c->claims)
		return;
	buf_format(&caption,
		"A claim holds where the mean places over independent graphs lie the critical difference (%.2f) or more "
		"apart and the mean difference is %.1f points or more; it is contradicted where both "
		"point the other way.",
		w->a->ranks.critical, POINTS * w->c->smallest_effect);
	study_table(w->s, "claims", "Claims", caption.at, columns, STUDY_SHOWN);
	buf_release(&caption);
	for (size_t i = 0; i < w->c->claims; i++) {
		struct buf seen = BUF_EMPTY;
		describe_claim(w, &w->c->claim[i], &seen);
		study_text(w->s, w->c->claim[i].text);
		study_text(w->s, contest_verdict(w->c, w->a, &w->c->claim[i]));
		study_text(w->s, seen.at);
		buf_release(&seen);
	}
}

int contest_check(const struct contest *c, const struct contest_across *a, struct err_note *why)
{
	for (size_t i = 0; i < c->claims; i++) {
		const char *found = contest_verdict(c, a, &c->claim[i]);
		if (c->claim[i].expected && strcmp(found, c->claim[i].expected) != 0)
			return err_set(why, ERR_OTHER,
				"the finding '%s' rests on a claim that is '%s', but it is '%s'",
				c->claim[i].text, c->claim[i].expected, found);
	}
	return 0;
}

/* --- across graphs */

/* What the places are judged by, and the values that they are of. */
static void friedman(const struct writer *w)
{
	static const char *const test[] = {
		"graphs", "policies", "chi_square", "p", "critical_difference", "level", NULL};
	const struct ranks *r = &w->a->ranks;
	const char **columns = mem_zero(w->c->methods + 2, sizeof *columns);

	study_table(w->s, "friedman", NULL, "", test, STUDY_FILED);
	study_count(w->s, w->a->rows);
	study_count(w->s, w->c->methods);
	study_real(w->s, r->friedman);
	study_real(w->s, r->p);
	study_real(w->s, r->critical);
	study_real(w->s, r->level);
	columns[0] = "family";
	memcpy(columns + 1, w->c->method, w->c->methods * sizeof *columns);
	study_table(w->s, "families", NULL, "", columns, STUDY_FILED);
	free(columns);
	for (size_t row = 0; row < w->a->rows; row++) {
		study_text(w->s, w->a->family[row]);
		for (size_t m = 0; m < w->c->methods; m++)
			study_real(w->s, w->a->value[row * w->c->methods + m]);
	}
}

static void places(const struct writer *w)
{
	static const char *const columns[] = {"policy", "mean_place", "mean_%", NULL};
	const struct ranks *r = &w->a->ranks;
	struct buf caption = BUF_EMPTY, svg = BUF_EMPTY;

	buf_format(&caption,
		"Mean places over %zu independent graphs by %s throughput at %.3g of the pages. Friedman's chi-square "
		"%.2f with %zu degrees of freedom, p = %.3g; Nemenyi's critical difference at %.2g is %.2f.",
		w->a->rows, measure_words(w->c->judge), w->at, r->friedman, w->c->methods - 1, r->p,
		r->level, r->critical);
	study_table(w->s, "places", "Across graphs", caption.at, columns, STUDY_SHOWN);
	buf_release(&caption);
	if (w->c->methods > 1) {
		chart_critical(&svg, r, w->c->method, "Critical differences of mean places");
		study_drawing(w->s, "critical-difference", &svg,
			"Critical differences of mean places",
			"Policies by their mean place, the best at the left. A bar joins policies that the "
			"critical difference does not tell apart.");
	}
	for (size_t m = 0; m < w->c->methods; m++) {
		study_text(w->s, w->c->method[m]);
		study_real(w->s, r->place[m]);
		study_real(w->s, POINTS * w->a->mean[m]);
	}
	friedman(w);
}

/* On how many graphs a method is better, equal, worse. */
struct tally {
	uint32_t count[CONTEST_VERDICTS];
};

static struct tally *tallies(const struct contest *c)
{
	const size_t n = c->methods * c->methods;
	struct tally *t = mem_zero(n, sizeof *t);

	for (size_t g = 0; g < c->graphs; g++) {
		if (!contest_kept(c, g))
			continue;
		struct contest_pair *pair = contest_pairs(c, g);
		for (size_t i = 0; i < n; i++)
			t[i].count[pair[i].verdict]++;
		free(pair);
	}
	return t;
}

static void pairs(const struct writer *w)
{
	static const char *const columns[] = {"policy", "other", "difference,_points",
		"share_of_graphs_better", "places_apart", "across_graphs", "graphs_better",
		"graphs_equal", "graphs_worse", "too_few_draws", NULL};
	const size_t n = w->c->methods;
	struct buf caption = BUF_EMPTY;

	if (n < 2)
		return;
	buf_format(&caption,
		"Effect sizes: the mean difference over independent graphs in percentage points, and the share of "
		"them on which the first is better. The last four columns count graphs by Wilcoxon's signed-rank test over the "
		"draws of one graph, Holm's correction for all pairs, and a smallest effect of %.1f points: they say that "
		"the draws of seeds do not explain a difference on that graph, and nothing of other graphs.",
		POINTS * w->c->smallest_effect);
	study_table(w->s, "pairs", NULL, caption.at, columns, STUDY_SHOWN);
	buf_release(&caption);
	struct tally *t = tallies(w->c);
	for (size_t a = 0; a < n; a++)
		for (size_t b = a + 1; b < n; b++) {
			const struct tally *one = &t[a * n + b];
			study_text(w->s, w->c->method[a]);
			study_text(w->s, w->c->method[b]);
			study_real(w->s, POINTS * (w->a->mean[a] - w->a->mean[b]));
			study_real(w->s, contest_share(w->a, a, n, b));
			study_real(w->s, w->a->ranks.place[b] - w->a->ranks.place[a]);
			study_text(w->s,
				ranks_differ(&w->a->ranks, a, b) ? "told apart" : "not told apart");
			study_count(w->s, one->count[CONTEST_BETTER]);
			study_count(w->s, one->count[CONTEST_EQUAL]);
			study_count(w->s, one->count[CONTEST_WORSE]);
			study_count(w->s, one->count[CONTEST_TOO_FEW]);
		}
	free(t);
}

/* --- graph by graph */

static void graphs(const struct writer *w)
{
	static const char *const columns[] = {"graph", "family", "pages", "links", "seeds",
		"seeds_a_draw", "draws", "draws_kept", "reached,_%", NULL};

	study_table(w->s, "graphs", "Graphs",
		"Graphs of one family are not independent and count as one across graphs. A draw is left out, where "
		"that was asked for, when its seeds reach fewer pages than the judged point asks for: all policies then "
		"crawl the same pages.",
		columns, STUDY_SHOWN);
	for (size_t g = 0; g < w->c->graphs; g++) {
		const struct compare *own = first_of(w->c, g);
		double reached = 0;
		for (uint32_t d = 0; d < own->draws; d++)
			reached += compare_trial(own, 0, d)->crawled;
		study_text(w->s, w->c->graph[g].name);
		study_text(w->s, w->c->graph[g].family);
		study_count(w->s, own->nodes);
		study_count(w->s, own->arcs);
		study_text(w->s, w->c->graph[g].seeds);
		study_count(w->s, own->trials[0].seeds);
		study_count(w->s, own->draws);
		study_count(w->s, contest_kept(w->c, g));
		study_real(w->s, POINTS * reached / own->draws / own->nodes);
	}
}

static void interval_cell(struct study *s, struct interval x)
{
	char text[60] = "–";

	if (!isnan(x.mean) && isnan(x.low))
		snprintf(text, sizeof text, "%.1f", POINTS * x.mean);
	else if (!isnan(x.mean))
		snprintf(text, sizeof text, "%.1f ±%.1f", POINTS * x.mean,
			POINTS * (x.high - x.mean));
	study_text(s, text);
}

/* The mean over families of a measure: the contest judged by it. */
static void mean_row(const struct writer *w, enum measure m)
{
	struct contest by = *w->c;
	struct contest_across a;

	by.judge = m;
	contest_across_make(&by, &a);
	study_text(w->s, "mean of independent graphs");
	for (size_t i = 0; i < by.methods; i++)
		interval_cell(w->s, (struct interval){a.rows ? a.mean[i] : NAN, NAN, NAN});
	contest_across_release(&a);
}

static void throughput(const struct writer *w, enum measure m, const char *name)
{
	const char **columns = mem_zero(w->c->methods + 2, sizeof *columns);
	struct buf heading = BUF_EMPTY;
	const int is_paper = m == MEASURE_DISCOVERABLE;

	columns[0] = "graph";
	memcpy(columns + 1, w->c->method, w->c->methods * sizeof *columns);
	buf_format(&heading, "%s throughput at %.3g of the pages (%%)",
		is_paper ? "Discoverable" : "Strict", w->at);
	study_table(w->s, name, heading.at,
		is_paper
			? "Hot pages found, of the hot pages that links from the seeds lead to: the "
			  "throughput of the IECA paper, to be set beside its figures. ± is half of a 95% interval of "
			  "the mean over draws."
			: "Hot pages found, of all hot pages, whether the seeds lead to them or not: no figure of "
			  "the IECA paper.",
		columns, STUDY_SHOWN);
	buf_release(&heading);
	free(columns);
	for (size_t g = 0; g < w->c->graphs; g++) {
		study_text(w->s, w->c->graph[g].name);
		for (size_t i = 0; i < w->c->methods; i++)
			interval_cell(w->s, contest_mean(w->c, g, i, m, w->c->at));
	}
	mean_row(w, m);
}

static void draw_curves(const struct writer *w, size_t g)
{
	const size_t n = w->c->methods;
	double x[COMPARE_STEPS], *y = mem_new(3 * n * COMPARE_STEPS, sizeof *y);
	struct chart_curve *curve = mem_zero(n, sizeof *curve);
	struct buf svg = BUF_EMPTY, label = BUF_EMPTY, name = BUF_EMPTY;

	for (size_t i = 0; i < n; i++) {
		double *mean = y + 3 * i * COMPARE_STEPS, *low = mean + COMPARE_STEPS,
		       *high = low + COMPARE_STEPS;
		for (size_t k = 0; k < COMPARE_STEPS; k++) {
			const struct interval v =
				contest_mean(w->c, g, i, MEASURE_CURVE_DISCOVERABLE, k);
			x[k] = POINTS * (double)(k + 1) / COMPARE_STEPS;
			mean[k] = POINTS * v.mean;
			low[k] = POINTS * (v.low < 0 ? 0 : v.low); /* a share */
			high[k] = POINTS * (v.high > 1 ? 1 : v.high);
		}
		curve[i] = (struct chart_curve){w->c->method[i], mean, low, high};
	}
	const struct chart chart = {"pages crawled, % of the graph",
		"discoverable hot pages found, %", x, COMPARE_STEPS, curve, n};
	buf_format(&label, "Discoverable throughput on %s", w->c->graph[g].name);
	buf_format(&name, "curves-%s", w->c->graph[g].name);
	chart_draw(&svg, &chart, label.at);
	study_drawing(w->s, name.at, &svg, label.at, label.at);
	buf_release(&label);
	buf_release(&name);
	free(curve);
	free(y);
}

static void curves(const struct writer *w)
{
	static const char *const columns[] = {
		"graph", "policy", "fraction", "discoverable", "low", "high", "strict", NULL};

	study_table(w->s, "curves", "Curves", "", columns, STUDY_FILED);
	for (size_t g = 0; g < w->c->graphs; g++) {
		if (!contest_kept(w->c, g))
			continue;
		draw_curves(w, g);
		for (size_t i = 0; i < w->c->methods; i++)
			for (size_t k = 0; k < COMPARE_STEPS; k++) {
				const struct interval v =
					contest_mean(w->c, g, i, MEASURE_CURVE_DISCOVERABLE, k);
				study_text(w->s, w->c->graph[g].name);
				study_text(w->s, w->c->method[i]);
				study_real(w->s, (double)(k + 1) / COMPARE_STEPS);
				study_real(w->s, v.mean);
				study_real(w->s, v.low);
				study_real(w->s, v.high);
				study_real(
					w->s, contest_mean(w->c, g, i, MEASURE_CURVE_HOT, k).mean);
			}
	}
}

void contest_report(const struct contest *c, const struct contest_across *a, struct study *s)
{
	const struct writer w = {c, a, s, first_of(c, 0)->at[c->at]};

	claims(&w);
	places(&w);
	pairs(&w);
	graphs(&w);
	throughput(&w, MEASURE_DISCOVERABLE, "discoverable");
	throughput(&w, MEASURE_HOT, "strict");
	curves(&w);
}

/* --- one value a row */

static void value(struct study *s, const struct contest *c, size_t g, size_t m, uint32_t draw,
	double at, const char *measure, double x)
{
	study_text(s, c->graph[g].name);
	study_text(s, c->method[m]);
	study_count(s, draw + 1);
	study_real(s, at);
	study_text(s, measure);
	study_real(s, x);
}

void contest_values(const struct contest *c, struct study *s)
{
	static const char *const columns[] = {
		"graph", "policy", "draw", "at", "measure", "value", NULL};
	static const enum measure measures[] = {
		MEASURE_DISCOVERABLE, MEASURE_HOT, MEASURE_MASS, MEASURE_LIFT};

	study_table(s, "values", NULL, "", columns, STUDY_FILED);
	for (size_t g = 0; g < c->graphs; g++)
		for (size_t m = 0; m < c->methods; m++) {
			const struct compare *own = c->graph[g].compare[m];
			for (uint32_t d = 0; d < own->draws; d++) {
				const struct trial *t = compare_trial(own, c->graph[g].place[m], d);
				for (size_t k = 0; k < own->n_at; k++)
					for (size_t i = 0; i < sizeof measures / sizeof *measures;
						i++)
						value(s, c, g, m, d, own->at[k],
							measure_name(measures[i]),
							measure_of(own, t, measures[i], k));
				value(s, c, g, m, d, 1, "auc", t->auc);
				value(s, c, g, m, d, 1, "crawled", t->crawled);
			}
		}
}
