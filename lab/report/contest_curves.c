/* The curves and profiles of a contest, and its values one a row. */
#include "base/mem.h"
#include "lab/report/contest_report.h"

#include <math.h>
#include <stdlib.h>

#define POINTS 100 /* percent */

/* A method on a graph where it ran. */
struct entry {
	const struct contest *c;
	size_t g, end, m; /* graphs are below `end` */
	const struct compare *own;
	size_t place; /* of its policy there */
};

/* Begins a walk over the entries of graphs begin to end - 1. */
static struct entry entries(const struct contest *c, size_t begin, size_t end)
{
	return (struct entry){.c = c, .g = begin, .end = end, .m = SIZE_MAX};
}

/* Moves on to the next entry. Returns 0 after the last one. */
static int next(struct entry *e)
{
	do {
		e->m++;
		if (e->m == e->c->methods) {
			e->m = 0;
			e->g++;
		}
		if (e->g == e->end)
			return 0;
		e->own = e->c->graph[e->g].entry[e->m].compare;
		e->place = e->c->graph[e->g].entry[e->m].place;
	} while (e->place == SIZE_MAX);
	return 1;
}

static const char *policy_of(const struct entry *e)
{
	return e->c->method[e->m];
}

static struct interval mean_of(const struct entry *e, enum measure m, size_t i)
{
	return contest_mean(e->c, e->g, e->m, m, i);
}

static enum chart_role role_of(const struct entry *e)
{
	return summary_is_yardstick(e->own->policies[e->place]) ? CHART_YARDSTICK : CHART_CANDIDATE;
}

/* Begins a table whose first column is "graph", which one graph does without. */
static void begin(struct study *s, const struct contest *c, const char *name, const char *heading, char *take_caption,
	const char *columns, enum study_shown shown)
{
	study_table(s, name, heading, take_caption, columns + (c->graphs > 1 ? 0 : sizeof "graph"), shown);
}

static void begin_row(struct study *s, const struct entry *e, const char *policy)
{
	if (e->c->graphs > 1)
		STUDY_CELLS(s, cell_text(e->c->graph[e->g].name));
	STUDY_CELLS(s, cell_text(policy));
}

/* Adds the means of n measures over the draws of a policy. */
static void put_means(struct study *s, const struct compare *c, size_t policy, const enum measure *m, size_t n)
{
	for (size_t k = 0; k < n; k++)
		STUDY_CELLS(s, cell_real(summary_of(c, policy, m[k], 0).mean));
}

/* --- one value a row */

static void add_value(struct study *s, const struct entry *e, uint32_t draw, double at, const char *measure, double x)
{
	STUDY_CELLS(s, cell_text(e->c->graph[e->g].name), cell_text(policy_of(e)), cell_count(draw + 1), cell_real(at),
		cell_text(measure), cell_real(x));
}

/* Adds the values of each draw, so that a reader can compute other statistics than this study's. */
static void add_values(const struct entry *e, struct study *s)
{
	static const enum measure measures[] = {MEASURE_DISCOVERABLE, MEASURE_HOT, MEASURE_MASS, MEASURE_LIFT};
	const size_t at = e->c->at;

	for (uint32_t d = 0; d < e->own->draws; d++) {
		const struct trial *t = compare_trial(e->own, e->place, d);
		for (size_t k = 0; k < e->own->n_at; k++)
			for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
				add_value(s, e, d, e->own->at[k], measure_name(measures[i]), measure_of(e->own, t, measures[i], k));
		if (e->c->judge == MEASURE_COVERED)
			add_value(s, e, d, (double)at, "covered", measure_of(e->own, t, MEASURE_COVERED, at));
		add_value(s, e, d, 1, "auc", t->auc);
		add_value(s, e, d, 1, "crawled", t->crawled);
	}
}

void contest_values(const struct contest *c, struct study *s)
{
	study_table(s, "values", NULL, NULL, "graph policy draw at measure value", STUDY_FILED);
	for (struct entry e = entries(c, 0, c->graphs); next(&e);)
		add_values(&e, s);
}

/* --- each figure over the draws */

static int is_told(const struct entry *e, enum measure m, enum contest_costs costs)
{
	return (costs == CONTEST_TIMED || !measure_is_time(m)) && (m != MEASURE_TAU || e->own->with_tau);
}

/* Writes the mean and its interval of each measure of each policy, at each size of the crawl for the measures that depend on it. */
static void summaries(const struct contest *c, enum contest_costs costs, struct study *s)
{
	begin(s, c, "summary", NULL, NULL, "graph policy measure at mean low high", STUDY_FILED);
	for (struct entry e = entries(c, 0, c->graphs); next(&e);)
		for (int m = MEASURE_AUC; m <= MEASURE_TAU; m++) {
			const size_t n = m < MEASURE_HOT ? 1 : e.own->n_at;
			for (size_t i = 0; is_told(&e, (enum measure)m, costs) && i < n; i++) {
				begin_row(s, &e, policy_of(&e));
				STUDY_CELLS(s, cell_text(measure_name((enum measure)m)),
					cell_real(m < MEASURE_HOT ? NAN : e.own->at[i]));
				study_mean(s, mean_of(&e, (enum measure)m, i));
			}
		}
}

/* --- pairs: within one comparison, whose policies began with the same seeds */

/* Calls `write` with the first entry of each comparison. */
static void each_comparison(const struct contest *c, void (*write)(const struct entry *, struct study *), struct study *s)
{
	const struct compare *last = NULL;

	for (struct entry e = entries(c, 0, c->graphs); next(&e);) {
		if (e.own != last)
			write(&e, s);
		last = e.own;
	}
}

/* Writes a row for each pair of policies on one graph, the better one first: their difference, p and verdict. */
static void pair_rows(const struct entry *e, struct study *s)
{
	const struct compare *c = e->own;
	AUTO_FREE size_t *order = mem_new(c->n_policies, sizeof *order);

	summary_order(c, order);
	AUTO_FREE struct pair *pairs = verdict_pairs(c);
	for (size_t i = 0; i < c->n_policies; i++)
		for (size_t j = i + 1; j < c->n_policies; j++) {
			const struct pair *pair = &pairs[order[i] * c->n_policies + order[j]];
			begin_row(s, e, c->policies[pair->policy]->name);
			STUDY_CELLS(s, cell_text(c->policies[pair->other]->name));
			study_mean(s, pair->difference);
			STUDY_CELLS(s, cell_real(pair->p), cell_real(pair->corrected), cell_text(verdict_name(pair->verdict)),
				cell_real(pair->share), cell_count(pair->draws), cell_count(pair->comparisons));
		}
}

static void pairs(const struct contest *c, struct study *s)
{
	begin(s, c, "pairs", NULL, NULL,
		"graph policy other difference low high wilcoxon_p holm_p policy_is share_of_draws_better draws comparisons",
		STUDY_FILED);
	each_comparison(c, pair_rows, s);
}

/* Writes the mean AUC of each policy on each graph, with its interval over the draws. */
static void areas(const struct contest *c, struct study *s)
{
	begin(s, c, "areas", NULL, NULL, "graph policy auc low high draws", STUDY_FILED);
	for (struct entry e = entries(c, 0, c->graphs); next(&e);) {
		begin_row(s, &e, policy_of(&e));
		study_mean(s, mean_of(&e, MEASURE_AUC, 0));
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
	static const enum measure shown[] = {MEASURE_AUC, MEASURE_REGRET_OMNISCIENT, MEASURE_REGRET_IDEAL, MEASURE_EFFORT,
		MEASURE_BYTES_A_PAGE};
	const struct compare *c = e->own;
	AUTO_FREE size_t *order = mem_new(c->n_policies, sizeof *order);
	AUTO_FREE struct pair *pairs = verdict_pairs(c);

	summary_order(c, order);
	for (size_t i = 0; i < c->n_policies; i++) {
		AUTO(buf) text = BUF_EMPTY;
		begin_row(s, e, c->policies[order[i]]->name);
		put_means(s, c, order[i], shown, sizeof shown / sizeof *shown);
		if (i + 1 < c->n_policies && c->draws > 1)
			verdict_sentence(c, &pairs[order[i] * c->n_policies + order[i + 1]], &text);
		STUDY_CELLS(s, cell_text(text.at ? text.at : ""));
	}
}

/* Writes the table in which a reader finds first which policy is best on each graph. */
static void standing(const struct contest *c, struct study *s)
{
	begin(s, c, "standing", "Standing",
		buf_made(
			"Policies by the area under the strict curve (AUC), the best first; what the area falls short of a crawl that "
			"takes the best page it has discovered (omniscient) and of one that takes the hot pages in order (ideal); "
			"operations and memory; and the difference from the next policy on the same seeds, by Wilcoxon's "
			"signed-rank test below %g after Holm's correction for all pairs, and by the 95%% interval.",
			VERDICT_LEVEL),
		"graph policy AUC regret,_omniscient regret,_ideal operations_a_link bytes_a_page against_the_next", STUDY_SHOWN);
	each_comparison(c, standing_rows, s);
}

/* --- tables along a crawl, and figures, one of each kind a graph */

enum along { ALONG_STEPS, ALONG_WINDOWS, ALONG_DEPTHS };

struct sketch {
	const char *name, *label, *x, *y, *caption;
	enum measure measure;
	enum along along;
	enum chart_scale scale;
	int has_bands; /* a share, drawn with its intervals; the caption goes on */
};

static const struct sketch shares[] = {
	{"curves", "Discoverable throughput", "pages crawled, %", "discoverable hot pages, %",
		"Hot pages found, of those that the seeds lead to", MEASURE_CURVE_DISCOVERABLE, ALONG_STEPS, CHART_LINEAR, 1},
	{"strict", "Strict throughput", "pages crawled, %", "hot pages of all, %",
		"Hot pages found, of all, whether the seeds lead to them or not", MEASURE_CURVE_HOT, ALONG_STEPS, CHART_LINEAR, 1},
	{"mass", "PageRank found", "pages crawled, %", "PageRank, %", "PageRank of the pages crawled, of all", MEASURE_CURVE_MASS,
		ALONG_STEPS, CHART_LINEAR, 1},
};
static const struct sketch of_windows = {"windows", "Mean PageRank of each window", "pages crawled, %", "mean PageRank, times N",
	"Mean PageRank of each fortieth of the graph in the order crawled; 1 is the mean of the graph.", MEASURE_WINDOW,
	ALONG_WINDOWS, CHART_LOG, 0};
static const struct sketch of_depth_rank = {"depth-rank", "Mean PageRank by depth", "depth at first discovery",
	"mean PageRank, times N",
	"Mean PageRank of the pages by their depth when they were first discovered; the seeds are at 0. "
	"Where a policy went deeper than is drawn, the table goes on.",
	MEASURE_DEPTH_RANK, ALONG_DEPTHS, CHART_LOG, 0};
static const struct sketch of_depth_pages = {"depth-pages", "Pages by depth", "depth at first discovery", "pages",
	"Pages crawled at each such depth.", MEASURE_DEPTH_PAGES, ALONG_DEPTHS, CHART_LOG, 0};
static const struct sketch of_parts = {"parts", "Pages that take part", "pages crawled, %", "pages taking part, %",
	"Pages that take part in the computation of importance, of all: the pages queued and, under policies "
	"that rank all pages they know, those crawled as well.",
	MEASURE_PART, ALONG_STEPS, CHART_LINEAR, 0};

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

	for (struct entry e = entries(c, g, g + 1); next(&e);) {
		double all = 0, so_far = 0;
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

static double clamped(double share)
{
	return POINTS * (share < 0 ? 0 : share > 1 ? 1 : share);
}

/* Adds the curve of a method with n points. Returns whether at least two of them are known. */
static int add_curve(struct chart *chart, const struct entry *e, const struct sketch *k, size_t n)
{
	const struct compare *first = e->c->graph[e->g].entry[0].compare;
	size_t known = 0;

	chart_curve(chart, policy_of(e), role_of(e));
	for (size_t i = 0; i < n; i++) {
		const struct interval v = mean_of(e, k->measure, i);
		const double x = x_of(first, k->along, i), y = v.mean * (k->has_bands || k->measure == MEASURE_PART ? POINTS : 1);
		known += isfinite(y) != 0;
		if (k->has_bands)
			chart_interval(chart, x, y, clamped(v.low), clamped(v.high));
		else
			chart_point(chart, x, y);
	}
	return known > 1;
}

/* Draws a figure of one graph, if at least one curve has two known points; a mean is known only where the crawls of all draws
 * have got that far. */
static void draw(const struct contest *c, size_t g, const struct sketch *k, struct study *s)
{
	static const double all[] = {0, POINTS};
	const char *graph = c->graph[g].name;
	const size_t n = k->along == ALONG_DEPTHS ? depths_shown(c, g) + 1 : rows_of(c->graph[g].entry[0].compare, k->along);
	struct chart chart = {.x_label = k->x,
		.y_label = k->y,
		.x_range = k->has_bands ? all : NULL,
		.y_range = k->has_bands ? all : NULL,
		.y_scale = k->scale};
	int lines = 0;

	for (struct entry e = entries(c, g, g + 1); next(&e);)
		lines |= add_curve(&chart, &e, k, n);
	if (lines)
		study_chart(s, &chart, buf_made("%s-%s", k->name, graph), buf_made("%s on %s", k->label, graph),
			!k->has_bands ? mem_text(k->caption)
				      : buf_made("%s, on %s; bands are 95%% intervals of the mean over %u draws.", k->caption,
						graph, contest_kept(c, g)));
	chart_release(&chart);
}

/* Draws quality against cost, with a dot for each method. */
static void draw_cost(const struct contest *c, size_t g, enum measure cost, const char *x_label, struct study *s)
{
	struct chart chart = {.x_label = x_label,
		.y_label = "area under the strict curve",
		.x_scale = CHART_LOG,
		.marks = CHART_POINTS};

	for (struct entry e = entries(c, g, g + 1); next(&e);) {
		const double x = mean_of(&e, cost, 0).mean;
		if (!(x > 0))
			continue;
		chart_curve(&chart, policy_of(&e), role_of(&e));
		chart_point(&chart, x, mean_of(&e, MEASURE_AUC, 0).mean);
	}
	study_chart(s, &chart, buf_made("%s-%s", measure_name(cost), c->graph[g].name),
		buf_made("Quality against %s on %s", x_label, c->graph[g].name),
		mem_text(cost == MEASURE_EFFORT ? "Quality against cost: the area under the strict curve, and links read, moves in "
						  "the heap and links visited for a ranking, a link read."
						: "Quality against CPU time of the crawl loop, policy and frontier, a link."));
}

/* Writes the cell that says where in a crawl a row stands. */
static void put_place(struct study *s, const struct compare *c, enum along along, size_t i)
{
	const uint64_t end = (i + 1) * replay_fortieth(c->nodes);

	STUDY_CELLS(s,
		along == ALONG_STEPS            ? cell_real((double)(i + 1) / COMPARE_STEPS)
			: along == ALONG_DEPTHS ? cell_count(i)
						: cell_count(end < c->nodes ? end : c->nodes));
}

/* Begins a table of measures along the crawls, and writes a row for each method and each place where the first measure is known,
 * and not 0 of depths. All measures but that of the queue have their intervals beside them. */
static void profile(const struct contest *c, const char *name, const char *heading, const char *columns, enum along along,
	const enum measure *m, size_t n, struct study *s)
{
	begin(s, c, name, heading, NULL, columns, STUDY_FILED);
	for (struct entry e = entries(c, 0, c->graphs); next(&e);)
		for (size_t i = 0; i < rows_of(e.own, along); i++) {
			const double first = mean_of(&e, m[0], i).mean;
			if (along == ALONG_DEPTHS ? !(first > 0) : isnan(first))
				continue;
			begin_row(s, &e, policy_of(&e));
			put_place(s, e.own, along, i);
			for (size_t k = 0; k < n; k++)
				if (m[k] == MEASURE_QUEUED)
					STUDY_CELLS(s, cell_real(first));
				else
					study_mean(s, mean_of(&e, m[k], i));
		}
}

static void draw_all(const struct contest *c, const struct sketch *k, struct study *s)
{
	for (size_t g = 0; g < c->graphs; g++)
		draw(c, g, k, s);
}

void contest_curves(const struct contest *c, enum contest_curves which, struct study *s)
{
	static const enum measure measures[] = {MEASURE_CURVE_HOT, MEASURE_CURVE_DISCOVERABLE, MEASURE_CURVE_MASS};

	profile(c, "curves", "Curves",
		"graph policy at hot hot_low hot_high hot_discoverable hot_discoverable_low hot_discoverable_high mass mass_low mass_high",
		ALONG_STEPS, measures, 3, s);
	for (size_t g = 0; g < c->graphs; g++)
		for (size_t i = 0; i < (which == CONTEST_CURVES_ALL ? sizeof shares / sizeof *shares : 1); i++)
			draw(c, g, &shares[i], s);
}

/* Writes what a policy has counted of its work beside the bounds that the paper gives, and draws its cost. */
static void work(const struct contest *c, enum contest_costs costs, struct study *s)
{
	static const enum measure shown[] = {MEASURE_LINKS, MEASURE_KEY_UPDATES, MEASURE_HEAP_MOVES, MEASURE_HEAP_BOUND,
		MEASURE_RANKED_PAGES, MEASURE_RANKED_LINKS, MEASURE_RANK_BOUND, MEASURE_PEAK, MEASURE_BYTES_A_PAGE};

	begin(s, c, "work", "What a crawl had to look at",
		mem_text(
			"Means over the draws: links read as pages were crawled, queued pages whose key a link changed, moves within "
			"the heap and the E log V that the paper allows for them, pages and links visited to rank what is known and "
			"the 50 E (K + 1) that the paper allows for K rankings, most pages queued at once, and the bytes kept a page "
			"of the graph."),
		"graph policy links key_updates heap_moves e_log_v ranked_pages ranked_links rank_bound most_queued bytes_per_page",
		STUDY_SHOWN);
	for (size_t g = 0; g < c->graphs; g++) {
		draw_cost(c, g, MEASURE_EFFORT, "operations a link", s);
		if (costs == CONTEST_TIMED)
			draw_cost(c, g, MEASURE_NS_A_LINK, "CPU ns a link", s);
	}
	for (struct entry e = entries(c, 0, c->graphs); next(&e);) {
		begin_row(s, &e, policy_of(&e));
		put_means(s, e.own, e.place, shown, sizeof shown / sizeof *shown);
	}
}

void contest_profiles(const struct contest *c, enum contest_costs costs, struct study *s)
{
	static const enum measure windows[] = {MEASURE_WINDOW}, depths[] = {MEASURE_DEPTH_PAGES, MEASURE_DEPTH_RANK},
				  parts[] = {MEASURE_QUEUED, MEASURE_PART};

	standing(c, s);
	summaries(c, costs, s);
	pairs(c, s);
	profile(c, "windows", "Where the crawls went", "graph policy crawled rank low high", ALONG_WINDOWS, windows, 1, s);
	draw_all(c, &of_windows, s);
	profile(c, "depths", NULL, "graph policy depth pages pages_low pages_high rank rank_low rank_high", ALONG_DEPTHS, depths, 2,
		s);
	draw_all(c, &of_depth_rank, s);
	draw_all(c, &of_depth_pages, s);
	work(c, costs, s);
	profile(c, "parts", NULL, "graph policy at queued taking_part low high", ALONG_STEPS, parts, 2, s);
	draw_all(c, &of_parts, s);
}
