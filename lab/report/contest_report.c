#include "lab/report/contest_report.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "lab/report/chart.h"
#include "lab/report/study.h"
#include "lab/study/contest.h"

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
	return c->graph[graph].entry[0].compare;
}

/* Writes what the contest is judged by, as in "discoverable throughput at 0.45 of the pages". */
static void judged_words(const struct writer *w, struct buf *out)
{
	if (w->c->judge == MEASURE_COVERED)
		buf_format(out, "the pages within %zu links of the seeds", w->c->at);
	else if (w->c->judge == MEASURE_AUC)
		buf_text(out, "the area under the curve of strict throughput");
	else
		buf_format(out, "%s throughput at %.3g of the pages",
			w->c->judge == MEASURE_DISCOVERABLE ? "discoverable" : "strict", w->at);
}

/* --- claims */

static void describe_claim(const struct writer *w, const struct contest_claim *claim, struct buf *seen)
{
	AUTO_FREE struct contest_planned *test = contest_planned(w->c, w->a, claim);

	for (size_t i = 0; i < claim->others; i++) {
		const struct contest_planned *t = &test[i];
		buf_format(seen, "%sagainst %s %+.1f points, better on %.0f%% of %zu graphs, p = %.2g", i ? "; " : "",
			w->c->method[t->other], POINTS * t->difference, 100 * t->share, w->a->rows, t->corrected);
		if (t->comparisons > 1)
			buf_format(seen, " after Holm over %zu", t->comparisons);
	}
}

/* Returns the sentence of a claim with its numbers. */
static char *claim_text(const struct writer *w, const struct contest_claim *claim)
{
	const size_t m = claim->method, other = claim->other[0];
	const struct sentence_number numbers[] = {{"points", buf_made("%.1f", POINTS * fabs(w->a->mean[m] - w->a->mean[other]))},
		{"share", buf_made("%.0f%%", 100 * contest_share(w->a, m, w->c->methods, other))},
		{"graphs", buf_made("%zu", w->a->rows)}};

	return sentence_filled(claim->text, numbers, 3);
}

/* Writes the claims of the study's job with their verdicts. */
static void claims(const struct writer *w)
{
	if (!w->c->claims)
		return;
	study_table(w->s, "claims", "Claims",
		buf_made(
			"Planned comparisons: a claim holds where Wilcoxon's signed-rank test over independent graphs, corrected by Holm's "
			"method for all claims of the study, is below %g, and the mean difference is %.1f points or more; it is contradicted "
			"where the same test shows the opposite. A finding is a sentence whose verdict was told beforehand: another one fails "
			"the study.",
			CONTEST_LEVEL, POINTS * w->c->smallest_effect),
		"claim verdict seen kind", STUDY_SHOWN);
	for (size_t i = 0; i < w->c->claims; i++) {
		const struct contest_claim *claim = &w->c->claim[i];
		AUTO(buf) seen = BUF_EMPTY;
		AUTO_FREE char *text = claim_text(w, claim);
		describe_claim(w, claim, &seen);
		STUDY_CELLS(w->s, cell_text(text), cell_text(contest_verdict(w->c, w->a, claim)), cell_text(seen.at),
			cell_text(claim->is_finding ? "finding" : "claim"));
	}
}

int contest_check(const struct contest *c, const struct contest_across *a, struct err_note *why)
{
	for (size_t i = 0; i < c->claims; i++) {
		const char *found = contest_verdict(c, a, &c->claim[i]);
		if (c->claim[i].expected && strcmp(found, c->claim[i].expected) != 0)
			return err_set(why, ERR_OTHER,
				"the finding '%s' states the verdict '%s' on its claim, but the verdict is '%s'", c->claim[i].text,
				c->claim[i].expected, found);
	}
	return 0;
}

/* --- across graphs */

/* Appends the table of Friedman's test with the critical difference, and the table of the values by family that the mean places
 * were computed from. */
static void friedman(const struct writer *w)
{
	const struct ranks *r = &w->a->ranks;

	study_table(w->s, "friedman", NULL, NULL, "graphs policies chi_square p critical_difference level", STUDY_FILED);
	STUDY_CELLS(w->s, cell_count(w->a->rows), cell_count(w->c->methods), cell_real(r->friedman), cell_real(r->p),
		cell_real(r->critical), cell_real(r->level));
	study_table(w->s, "families", NULL, NULL, "family", STUDY_FILED);
	study_columns(w->s, w->c->method, w->c->methods);
	for (size_t row = 0; row < w->a->rows; row++) {
		STUDY_CELLS(w->s, cell_text(w->a->family[row]));
		for (size_t m = 0; m < w->c->methods; m++)
			STUDY_CELLS(w->s, cell_real(w->a->value[row * w->c->methods + m]));
	}
}

/* Says whether a number varies: the contest has at least two values of it. */
static int has_numbers(const struct contest *c)
{
	size_t numbers = 0;

	for (size_t v = 0; c->policies && v < c->methods / c->policies; v++)
		numbers += isnan(c->value[v]) ? 0 : 1;
	return numbers > 1;
}

/* Draws the mean over the independent graphs by the number that varies, with a curve for each policy; if there is only one
 * policy, also with a curve for each family of graphs. */
static void draw_variation(const struct writer *w)
{
	const struct contest *c = w->c;
	const size_t policies = c->policies, n = c->methods / policies;
	const size_t rows = policies == 1 ? w->a->rows : 0;
	double least = INFINITY, most = 0;
	struct buf caption = BUF_EMPTY;

	for (size_t v = 0; v < n; v++) {
		least = fmin(least, c->value[v]);
		most = fmax(most, c->value[v]);
	}
	struct chart chart = {.x_label = c->varied,
		.y_label = c->judge == MEASURE_DISCOVERABLE ? "discoverable hot pages, %"
			: c->judge == MEASURE_HOT           ? "hot pages of all, %"
			: c->judge == MEASURE_AUC           ? "area under the curve, %"
							    : "pages covered, %",
		.x_scale = least > 0 && most >= 8 * least ? CHART_LOG : CHART_LINEAR};
	for (size_t i = 0; i < policies + rows; i++) {
		const int is_row = i >= policies;
		chart_curve(&chart,
			is_row                  ? w->a->family[i - policies]
				: policies == 1 ? "mean"
						: c->method[i],
			rows && !is_row ? CHART_YARDSTICK : CHART_CANDIDATE);
		for (size_t v = 0; v < n; v++)
			chart_point(&chart, c->value[v],
				POINTS * (is_row ? w->a->value[(i - policies) * n + v] : w->a->mean[v * policies + i]));
	}
	judged_words(w, &caption);
	*caption.at = ascii_upper(*caption.at);
	buf_format(&caption, " against %s: %s over %zu independent graphs.", c->varied, rows ? "each graph, and the mean" : "means",
		w->a->rows);
	study_chart(w->s, &chart, mem_text("variation"), buf_made("Throughput by %s", c->varied), buf_take(&caption));
}

/* Writes the comparison across graphs: the mean places, Friedman's test of whether they differ at all, and the diagram of the
 * critical difference. */
static void places(const struct writer *w)
{
	const struct ranks *r = &w->a->ranks;
	struct drawing d;

	if (w->a->rows < 2 || w->c->methods < 2)
		return;
	struct buf caption = buf_of("Mean places over %zu independent graphs by ", w->a->rows);
	judged_words(w, &caption);
	buf_format(&caption,
		". Friedman's chi-square %.2f with %zu degrees of freedom, p = %.3g; Nemenyi's critical difference at %.2g is "
		"%.2f.",
		r->friedman, w->c->methods - 1, r->p, r->level, r->critical);
	study_table(w->s, "places", "Across graphs", buf_take(&caption), "policy mean_place mean_%", STUDY_SHOWN);
	chart_critical(&d, r, w->c->method);
	study_figure(w->s, &d, mem_text("critical-difference"), mem_text("Critical differences of mean places"),
		mem_text("Policies by their mean place, the best at the left. A bar joins policies that the "
			 "critical difference (CD) does not tell apart."));
	if (has_numbers(w->c))
		draw_variation(w);
	for (size_t m = 0; m < w->c->methods; m++) {
		STUDY_CELLS(w->s, cell_text(w->c->method[m]), cell_real(r->place[m]), cell_real(POINTS * w->a->mean[m]));
	}
	friedman(w);
}

/* On how many graphs a method is better, equal, worse. */
struct tally {
	uint32_t count[VERDICTS];
};

/* Counts the verdicts of each pair of methods over the graphs. The caller frees the array. */
static struct tally *tallies(const struct contest *c)
{
	const size_t n = c->methods * c->methods;
	struct tally *t = mem_zero(n, sizeof *t);

	for (size_t g = 0; g < c->graphs; g++) {
		if (!contest_kept(c, g))
			continue;
		AUTO_FREE struct pair *pair = contest_pairs(c, g);
		for (size_t i = 0; i < n; i++)
			t[i].count[pair[i].verdict]++;
	}
	return t;
}

/* Writes how large the difference of each pair of methods is, over graphs, and what the draws of each single graph say of it. */
static void effects(const struct writer *w)
{
	const size_t n = w->c->methods;

	if (n < 2 || w->a->rows < 2)
		return;
	study_table(w->s, "effects", NULL,
		buf_made(
			"Effect sizes: the mean difference over independent graphs in percentage points, and the share of "
			"them on which the first is better. The last four columns count graphs by Wilcoxon's signed-rank test over the "
			"draws of one graph, Holm's correction for all pairs, and a smallest effect of %.1f points: they say that "
			"the draws of seeds do not explain a difference on that graph, and nothing of other graphs.",
			POINTS * w->c->smallest_effect),
		"policy other difference,_points share_of_graphs_better places_apart across_graphs graphs_better graphs_equal "
		"graphs_worse too_few_draws",
		STUDY_SHOWN);
	AUTO_FREE struct tally *t = tallies(w->c);
	for (size_t a = 0; a < n; a++)
		for (size_t b = a + 1; b < n; b++) {
			const struct tally *one = &t[a * n + b];
			STUDY_CELLS(w->s, cell_text(w->c->method[a]), cell_text(w->c->method[b]),
				cell_real(POINTS * (w->a->mean[a] - w->a->mean[b])), cell_real(contest_share(w->a, a, n, b)),
				cell_real(w->a->ranks.place[b] - w->a->ranks.place[a]),
				cell_text(ranks_differ(&w->a->ranks, a, b) ? "told apart" : "not told apart"),
				cell_count(one->count[VERDICT_BETTER]), cell_count(one->count[VERDICT_EQUAL]),
				cell_count(one->count[VERDICT_WORSE]), cell_count(one->count[VERDICT_TOO_FEW]));
		}
}

/* --- graph by graph */

/* Writes the graphs of the study, their seeds and draws, and how much of each the crawls reach. */
static void graphs(const struct writer *w)
{
	study_table(w->s, "graphs", "Graphs",
		mem_text("Graphs of one family are not independent and count as one across graphs. A draw is left out, where "
			 "that was asked for, when its seeds reach fewer pages than the judged point asks for: all policies then "
			 "crawl the same pages."),
		"graph family pages links seeds seeds_a_draw draws draws_kept reached,_%", STUDY_SHOWN);
	for (size_t g = 0; g < w->c->graphs; g++) {
		const struct compare *own = first_of(w->c, g);
		double reached = 0;
		for (uint32_t d = 0; d < own->draws; d++)
			reached += compare_trial(own, 0, d)->crawled;
		STUDY_CELLS(w->s, cell_text(w->c->graph[g].name), cell_text(w->c->graph[g].family), cell_count(own->nodes),
			cell_count(own->arcs), cell_text(w->c->graph[g].seeds), cell_count(own->trials[0].seeds),
			cell_count(own->draws), cell_count(contest_kept(w->c, g)),
			cell_real(POINTS * reached / own->draws / own->nodes));
	}
}

/* Sets the highest of the row's n last cells in bold. */
static void mark_best(struct study *s, size_t n)
{
	struct study_table *t = &s->table[s->tables - 1];
	struct cell *row = &t->cell[t->cells - n];
	double best = -INFINITY, least = INFINITY;

	for (size_t i = 0; i < n; i++) {
		best = fmax(best, row[i].real);
		least = fmin(least, row[i].real);
	}
	for (size_t i = 0; i < n && best > least; i++)
		row[i].is_best = round(10 * row[i].real) >= round(10 * best);
}

/* Appends a row with the means of a measure over the families, as contest_across_make() computes them for a contest that is
 * judged by this measure. */
static void mean_row(const struct writer *w, enum measure m)
{
	struct contest by = *w->c;
	AUTO(contest_across) a = {0};

	by.judge = m;
	contest_across_make(&by, &a);
	STUDY_CELLS(w->s, cell_text("mean of independent graphs"));
	for (size_t i = 0; i < by.methods; i++)
		STUDY_CELLS(w->s, study_interval((struct interval){a.rows ? a.mean[i] : NAN, NAN, NAN}, POINTS));
	mark_best(w->s, by.methods);
}

/* Returns the sentence that says what the table of a measure shows, and whether the paper has figures to set beside it. */
static const char *throughput_caption(enum measure m)
{
	if (m == MEASURE_COVERED)
		return "Of all pages.";
	if (m == MEASURE_AUC)
		return "The mean of strict throughput over all sizes of the crawl, from one page to all. ± is half of "
		       "a 95% interval of the mean over draws.";
	return m == MEASURE_DISCOVERABLE ? "Hot pages found, of the hot pages that links from the seeds lead to: the "
					   "throughput of the IECA paper, to be set beside its figures. ± is half of a 95% "
					   "interval of the mean over draws."
					 : "Hot pages found, of all hot pages, whether the seeds lead to them or not: no "
					   "figure of the IECA paper.";
}

static const char *throughput_name(enum measure m)
{
	return m == MEASURE_DISCOVERABLE ? "Discoverable" : "Strict";
}

/* Appends a table with a row for each graph and a column for each method, at the point by which the contest is judged. */
static void throughput_by_graph(const struct writer *w, enum measure m, const char *name)
{
	AUTO(buf) heading = BUF_EMPTY;

	if (m == MEASURE_AUC)
		buf_text(&heading, "Area under the curve (%)");
	else if (m == MEASURE_COVERED)
		buf_format(&heading, "Pages within %zu links of the seeds (%%)", w->c->at);
	else
		buf_format(&heading, "%s throughput at %.3g of the pages (%%)", throughput_name(m), w->at);
	study_table(w->s, name, heading.at, mem_text(throughput_caption(m)), "graph", STUDY_SHOWN);
	study_columns(w->s, w->c->method, w->c->methods);
	for (size_t g = 0; g < w->c->graphs; g++) {
		STUDY_CELLS(w->s, cell_text(w->c->graph[g].name));
		for (size_t i = 0; i < w->c->methods; i++)
			STUDY_CELLS(w->s, study_interval(contest_mean(w->c, g, i, m, w->c->at), POINTS));
		mark_best(w->s, w->c->methods);
	}
	mean_row(w, m);
}

/* For a contest on one graph: appends a table with a row for each method and a column for each point. */
static void throughput_by_point(const struct writer *w, enum measure m, const char *name)
{
	const struct compare *own = first_of(w->c, 0);
	AUTO(buf) text = buf_of("%s throughput (%%)", throughput_name(m));

	study_table(w->s, name, text.at, mem_text(throughput_caption(m)), "policy", STUDY_SHOWN);
	for (size_t k = 0; k < own->n_at; k++) {
		buf_clear(&text);
		buf_format(&text, "%.4g%%", POINTS * own->at[k]);
		study_columns(w->s, (const char *const *)&text.at, 1);
	}
	for (size_t i = 0; i < w->c->methods; i++) {
		STUDY_CELLS(w->s, cell_text(w->c->method[i]));
		for (size_t k = 0; k < own->n_at; k++)
			STUDY_CELLS(w->s, study_interval(contest_mean(w->c, 0, i, m, k), POINTS));
	}
}

static void throughput(const struct writer *w, enum measure m, const char *name)
{
	if (w->c->graphs > 1)
		throughput_by_graph(w, m, name);
	else
		throughput_by_point(w, m, name);
}

void contest_report(const struct contest *c, const struct contest_across *a, struct study *s)
{
	const int is_at_point = c->judge == MEASURE_DISCOVERABLE || c->judge == MEASURE_HOT;
	const struct writer w = {c, a, s, is_at_point ? first_of(c, 0)->at[c->at] : NAN};

	claims(&w);
	places(&w);
	effects(&w);
	graphs(&w);
	if (!is_at_point) {
		throughput_by_graph(&w, c->judge, c->judge == MEASURE_AUC ? "areas" : "covered");
		return;
	}
	throughput(&w, MEASURE_DISCOVERABLE, "discoverable");
	throughput(&w, MEASURE_HOT, "strict");
}

/* --- means by every point */

/* Writes the mean and the mean place of each method at one size of the crawl. */
static void mean_rows(const struct contest *by, double at, struct study *s)
{
	AUTO(contest_across) a = {0};

	contest_across_make(by, &a);
	for (size_t m = 0; m < by->methods; m++)
		STUDY_CELLS(s, cell_text(by->method[m]), cell_text(measure_name(by->judge)), cell_real(at), cell_real(a.mean[m]),
			cell_real(a.ranks.place[m]));
}

void contest_means(const struct contest *c, struct study *s)
{
	struct contest by = *c;

	study_table(s, "across", NULL, NULL, "policy measure at mean mean_place", STUDY_FILED);
	by.judge = MEASURE_AUC;
	mean_rows(&by, NAN, s);
	by.judge = MEASURE_HOT;
	for (by.at = 0; by.at < first_of(c, 0)->n_at; by.at++)
		mean_rows(&by, first_of(c, 0)->at[by.at], s);
}

/* --- The table of gaps: the challenger against the best of the others on each graph, and the yardstick. */

/* Means of the graphs of one family, which count as one graph. */
struct family {
	const char *name;
	double difference, share;
	size_t graphs, shares; /* of them, those whose gap counts */
};

/* How many graphs the challenger is above and below on, at all and by more than the draws explain. */
struct sides {
	size_t above, surely_above, below, surely_below;
};

static void count_side(struct sides *t, const struct contest_gap *gap)
{
	const int is_sure = gap->p < CONTEST_LEVEL;

	t->above += gap->difference.mean >= 0;
	t->below += gap->difference.mean < 0;
	t->surely_above += is_sure && gap->difference.mean > 0;
	t->surely_below += is_sure && gap->difference.mean < 0;
}

/* Adds a graph's gap to the sums of its family, which is a new one if no earlier graph was of it. */
static void add_to_family(struct family *family, size_t *families, const struct contest_graph *g, const struct contest_gap *gap)
{
	struct family *f = family;

	while (f < family + *families && strcmp(f->name, g->family) != 0)
		f++;
	*families += f == family + *families;
	f->name = g->family;
	f->graphs++;
	f->difference += gap->difference.mean;
	if (!isnan(gap->share)) {
		f->shares++;
		f->share += gap->share;
	}
}

static void write_row(const struct contest *c, size_t graph, const struct contest_gap *gap, struct study *s)
{
	STUDY_CELLS(s, cell_text(c->graph[graph].name), cell_count(contest_kept(c, graph)), cell_text(c->method[gap->best]),
		cell_real(POINTS * gap->of_best.mean), cell_real(POINTS * gap->of_challenger.mean),
		cell_real(POINTS * gap->of_yardstick.mean), study_interval(gap->difference, POINTS), cell_real(gap->p),
		cell_real(POINTS * gap->gap), cell_real(POINTS * gap->share));
	if (c->yardsticks > 1)
		STUDY_CELLS(s, cell_text(c->yardstick[gap->yardstick]));
}

/* Writes the last row: the mean over families, each of which counts once, whatever the number of its graphs. */
static void write_means(const struct contest *c, const struct family *family, size_t families, struct study *s)
{
	double difference = 0, share = 0;
	size_t shares = 0;

	for (size_t i = 0; i < families; i++) {
		difference += family[i].difference / (double)family[i].graphs / (double)families;
		shares += family[i].shares > 0;
		share += family[i].shares ? family[i].share / (double)family[i].shares : 0;
	}
	STUDY_CELLS(s, cell_text("mean of independent graphs"));
	for (int i = 0; i < 5; i++)
		STUDY_CELLS(s, cell_none());
	STUDY_CELLS(s, study_interval((struct interval){difference, NAN, NAN}, POINTS), cell_none(), cell_none(),
		cell_real(shares ? POINTS * share / (double)shares : NAN));
	if (c->yardsticks > 1)
		STUDY_CELLS(s, cell_none());
}

/* Returns the words for the yardstick of a contest. */
static const char *yardstick_of(const struct contest *c)
{
	return c->yardsticks == 1 ? c->yardstick[0] : "the best yardstick";
}

static void write_caption(const struct contest *c, const struct sides *t, struct buf *out)
{
	const char *name = c->method[c->challenger];

	buf_format(out,
		"%s against the best of the other policies on each graph, which is chosen in hindsight, and the part of the gap "
		"from this best one to %s that it closes; in percentage points. p is Wilcoxon's over the draws, corrected by "
		"Holm's method for all other policies. A graph whose gap is below %.3g points has no share. %s is at or above the "
		"best of the others on %zu graphs (on %zu with p < %.2g) and below on %zu (on %zu with p < %.2g).",
		name, yardstick_of(c), POINTS * c->least_gap, name, t->above, t->surely_above, CONTEST_LEVEL, t->below,
		t->surely_below, CONTEST_LEVEL);
}

void contest_gaps(const struct contest *c, struct study *s)
{
	const char *const columns[] = {c->method[c->challenger], c->yardsticks == 1 ? c->yardstick[0] : "yardstick", "difference",
		"p", "gap", "share_of_the_gap,_%", "which"};
	AUTO_FREE struct contest_gap *gap = mem_zero(c->graphs, sizeof *gap);
	AUTO_FREE struct family *family = mem_zero(c->graphs, sizeof *family);
	struct buf caption = BUF_EMPTY;
	struct sides sides = {0};
	size_t families = 0;

	for (size_t g = 0; g < c->graphs; g++) {
		if (!contest_kept(c, g))
			continue;
		contest_gap(c, g, &gap[g]);
		count_side(&sides, &gap[g]);
		add_to_family(family, &families, &c->graph[g], &gap[g]);
	}
	write_caption(c, &sides, &caption);
	study_table(s, "gaps", "The gap to the yardstick", buf_take(&caption), "graph draws best_of_the_others best", STUDY_SHOWN);
	study_columns(s, columns, c->yardsticks > 1 ? 7 : 6);
	for (size_t g = 0; g < c->graphs; g++)
		if (contest_kept(c, g))
			write_row(c, g, &gap[g], s);
	write_means(c, family, families, s);
}

static const char *const verdicts[] = {"holds", "not shown", "contradicted"};

void paper_claims_release(struct paper_claims *p)
{
	for (size_t i = 0; i < p->claims; i++)
		free(p->claim[i].text);
	for (size_t i = 0; i < p->findings; i++)
		free(p->finding[i].text);
	free(p->claim);
	free(p->finding);
	study_release(&p->by_graph);
	*p = (struct paper_claims){.claims = 0};
}

/* Returns the index of the claim with this text of n bytes; p->claims if there is none. */
static size_t place_of(const struct paper_claims *p, const char *text, size_t n)
{
	size_t i = 0;

	while (i < p->claims && (strlen(p->claim[i].text) != n || strncmp(p->claim[i].text, text, n) != 0))
		i++;
	return i;
}

/* Begins the table of each claim on each graph, unless it has begun. */
static void begin_by_graph(struct paper_claims *p)
{
	if (!p->by_graph.tables)
		study_table(&p->by_graph, "claims_by_graph", NULL, mem_text("Each claim on each graph."),
			"graph claim verdict seen", STUDY_SHOWN);
}

void paper_claims_add(struct paper_claims *p, const char *graph, const char *claim, const char *verdict, const char *seen)
{
	const size_t i = place_of(p, claim, strlen(claim));

	if (i == p->claims) {
		p->claim = mem_grow(p->claim, &p->claim_room, i + 1, sizeof *p->claim);
		p->claim[p->claims++] = (struct paper_claim){.text = mem_text(claim)};
	}
	p->claim[i].graphs += strcmp(verdict, "not tested") != 0;
	p->claim[i].holds += strcmp(verdict, "holds") == 0;
	begin_by_graph(p);
	STUDY_CELLS(&p->by_graph, cell_text(graph), cell_text(claim), cell_text(verdict), cell_text(seen));
}

/* Returns the p of the sign test: of graphs that tell for or against a claim like coins, the chance of as uneven a count. */
static double sign_test(size_t holds, size_t graphs)
{
	const size_t fewer = holds < graphs - holds ? holds : graphs - holds;
	double term = pow(0.5, (double)graphs), sum = 0;

	for (size_t k = 0; k <= fewer; k++) {
		sum += term;
		term *= (double)(graphs - k) / (double)(k + 1);
	}
	return fmin(1, 2 * sum);
}

/* Returns the p of a claim that is tested on a graph, corrected by Holm's method for all `*tests` such claims; 1 for any other. */
static double corrected_p(const struct paper_claims *p, size_t claim, size_t *tests)
{
	AUTO_FREE double *each = mem_new(p->claims, sizeof *each);
	size_t place = SIZE_MAX;

	*tests = 0;
	for (size_t i = 0; i < p->claims; i++) {
		if (!p->claim[i].graphs)
			continue;
		place = i == claim ? *tests : place;
		each[(*tests)++] = sign_test(p->claim[i].holds, p->claim[i].graphs);
	}
	stats_holm(each, *tests);
	return place < *tests ? each[place] : 1;
}

const char *paper_claims_verdict(const struct paper_claims *p, size_t claim)
{
	size_t tests;

	if (!(corrected_p(p, claim, &tests) < CONTEST_LEVEL))
		return "not shown";
	return 2 * p->claim[claim].holds > p->claim[claim].graphs ? "holds" : "contradicted";
}

/* Refuses a finding that names a claim which is not there, and names the nearest one. */
static int unknown_claim(const struct paper_claims *p, const char *text, size_t n, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;
	AUTO_FREE char *name = mem_text(text);

	name[n] = 0;
	for (size_t i = 0; i < p->claims; i++)
		nearest_try(name, p->claim[i].text, &best, &distance);
	if (best && !nearest_is_near(name, distance))
		best = NULL;
	return err_set(why, ERR_USAGE, "a finding rests on '%s', which is no claim%s%s%s", name, best ? "; the nearest is '" : "",
		best ? best : "", best ? "'" : "");
}

/* Searches for " is VERDICT:" as a whole, since a claim may contain a colon. */
int paper_claims_find(struct paper_claims *p, const char *finding, struct err_note *why)
{
	for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++) {
		AUTO(buf) between = buf_of(" is %s:", verdicts[v]);
		buf_end(&between);
		const char *is = strstr(finding, between.at), *text = is ? is + between.used : NULL;
		if (!is)
			continue;
		const size_t claim = place_of(p, finding, (size_t)(is - finding));
		if (claim == p->claims)
			return unknown_claim(p, finding, (size_t)(is - finding), why);
		p->finding = mem_grow(p->finding, &p->finding_room, p->findings + 1, sizeof *p->finding);
		p->finding[p->findings++] = (struct paper_finding){claim, verdicts[v], mem_text(text + strspn(text, " \t"))};
		return 0;
	}
	return err_set(why, ERR_USAGE,
		"finding = %s: 'CLAIM is VERDICT: TEXT' is wanted; a verdict is holds, not shown or contradicted", finding);
}

/* Writes the row of a claim: its sentence with the numbers filled in, the verdict, on how many graphs it holds, and the test. */
static void report_row(const struct paper_claims *p, size_t at, const char *text, const char *kind, struct study *s)
{
	const struct paper_claim *claim = &p->claim[at];
	size_t tests;
	const double corrected = corrected_p(p, at, &tests);
	const struct sentence_number numbers[] = {{"holds", buf_made("%zu", claim->holds)},
		{"graphs", buf_made("%zu", claim->graphs)}};
	AUTO_FREE char *filled = sentence_filled(text, numbers, 2);
	AUTO_FREE char *seen = claim->graphs ? buf_made("on %zu of %zu graphs, p = %.2g by the sign test after Holm over %zu",
						       claim->holds, claim->graphs, corrected, tests)
					     : mem_text("tested on no graph");

	STUDY_CELLS(s, cell_text(filled), cell_text(paper_claims_verdict(p, at)), cell_text(seen), cell_text(kind));
}

void paper_claims_report(struct paper_claims *p, struct study *s)
{
	study_table(s, "claims", "Claims",
		mem_text(
			"A claim holds where the sign test over graphs, corrected by Holm's method for all claims, says below 0.05 that it holds on "
			"most of them, and is contradicted where it says the opposite: fewer than six graphs show nothing. A finding is a sentence whose verdict was told beforehand: "
			"another one fails the study."),
		"claim verdict seen kind", STUDY_SHOWN);
	for (size_t i = 0; i < p->findings; i++)
		report_row(p, p->finding[i].claim, p->finding[i].text, "finding", s);
	for (size_t i = 0; i < p->claims; i++)
		report_row(p, i, p->claim[i].text, "claim", s);
	begin_by_graph(p);
	study_append(s, &p->by_graph);
}

int paper_claims_check(const struct paper_claims *p, struct err_note *why)
{
	for (size_t i = 0; i < p->findings; i++) {
		const struct paper_claim *claim = &p->claim[p->finding[i].claim];
		const char *found = paper_claims_verdict(p, p->finding[i].claim);
		if (strcmp(found, p->finding[i].expected) != 0)
			return err_set(why, ERR_OTHER,
				"the finding '%s' states the verdict '%s' on its claim, but the verdict is '%s': the claim holds on %zu of %zu graphs",
				p->finding[i].text, p->finding[i].expected, found, claim->holds, claim->graphs);
	}
	return 0;
}
