#include "lab/report/charts.h"
#include "base/mem.h"
#include "lab/report/figure.h"
#include "policies/policies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Okabe and Ito's, without yellow, which is too light for lines. */
static const char *const colours[] = {
	"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "black"};
#define COLOURS (sizeof colours / sizeof *colours)
#define GREY    "#8a8a8a"

static const char *const dashes[] = {
	"solid", "(12,4)", "(3,4)", "(12,4,3,4)", "(6,3)", "(16,4,3,4,3,4)"};
#define DASHES (sizeof dashes / sizeof *dashes)

/* How many of its kind stand before it in the table of all policies, so that it looks the same in
 * every report; one that is not there comes behind. */
static size_t place_of(const struct compare *c, size_t policy)
{
	const struct policy *p = c->policies[policy];
	size_t n = 0;

	for (size_t i = 0; policies[i] && policies[i] != p; i++)
		n += summary_is_yardstick(policies[i]) == summary_is_yardstick(p);
	return n;
}

static const char *colour_of(const struct compare *c, size_t policy)
{
	return summary_is_yardstick(c->policies[policy]) ? GREY
							 : colours[place_of(c, policy) % COLOURS];
}

static const char *dash_of(const struct compare *c, size_t policy)
{
	size_t n = place_of(c, policy);

	return dashes[(summary_is_yardstick(c->policies[policy]) ? n + 1 : n / COLOURS) % DASHES];
}

void chart_colour(struct buf *out, const struct compare *c, size_t policy)
{
	const char *colour = colour_of(c, policy);

	buf_text(out, strcmp(colour, "black") == 0 ? "currentColor" : colour);
}

/* What a figure has for x and y. */
struct axes {
	const char *x, *y, *more; /* settings */
	enum measure measure;
	enum { BY_STEP, BY_WINDOW, BY_DEPTH } by;
};

static const struct axes axes[CHARTS] = {
	[CHART_DISCOVERABLE] = {"fraction of the graph crawled",
		"hot pages found, of those discoverable", "set xrange [0:1]\nset yrange [0:1]\n",
		MEASURE_CURVE_DISCOVERABLE, BY_STEP},
	[CHART_HOT] = {"fraction of the graph crawled", "hot pages found, of all",
		"set xrange [0:1]\nset yrange [0:1]\n", MEASURE_CURVE_HOT, BY_STEP},
	[CHART_MASS] = {"fraction of the graph crawled", "PageRank found, of all",
		"set xrange [0:1]\nset yrange [0:1]\n", MEASURE_CURVE_MASS, BY_STEP},
	[CHART_WINDOW] = {"fraction of the graph crawled", "mean PageRank of a window, times N",
		"set xrange [0:1]\nset logscale y\nset format y '%g'\n", MEASURE_WINDOW, BY_WINDOW},
	[CHART_DEPTH_RANK] = {"depth at first discovery", "mean PageRank, times N",
		"set logscale y\nset format y '%g'\n", MEASURE_DEPTH_RANK, BY_DEPTH},
	[CHART_DEPTH_PAGES] = {"depth at first discovery", "pages crawled",
		"set logscale y\nset format y '%g'\n", MEASURE_DEPTH_PAGES, BY_DEPTH},
	[CHART_PART] = {"fraction of the graph crawled", "pages taking part, of all",
		"set xrange [0:1]\nset yrange [0:*]\n", MEASURE_PART, BY_STEP},
};

static void begin(struct buf *s, const char *x, const char *y, const char *more)
{
	buf_format(s,
		"set terminal svg size 860,470 dynamic noenhanced font 'sans-serif,14' linewidth "
		"1.3\n"
		"set grid linecolor rgb 'gray' linewidth 0.6\n"
		"set border 3 linewidth 0.8\nset tics nomirror out scale 0.6\n"
		"set key outside right center vertical Left reverse samplen 3 spacing 1.15\n"
		"set xlabel '%s'\nset ylabel '%s'\n%s",
		x, y, more);
}

static size_t count_rows(const struct compare *c, int by)
{
	size_t n = by == BY_STEP ? COMPARE_STEPS : 0;

	for (size_t i = 0; by != BY_STEP && i < c->n_policies * c->draws; i++) {
		size_t m = by == BY_WINDOW ? c->trials[i].windows : c->trials[i].depths;
		n = m > n ? m : n;
	}
	return n;
}

static int compare_counts(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

size_t chart_depth(const struct compare *c)
{
	size_t *deep = mem_new(c->n_policies, sizeof *deep);

	for (size_t p = 0; p < c->n_policies; p++) {
		double all = 0, so_far = 0;
		for (size_t i = 0; i < COMPARE_DEPTHS; i++)
			all += summary_of(c, p, MEASURE_DEPTH_PAGES, i).mean;
		for (deep[p] = 0; deep[p] + 1 < COMPARE_DEPTHS; deep[p]++) {
			so_far += summary_of(c, p, MEASURE_DEPTH_PAGES, deep[p]).mean;
			if (so_far >= 0.99 * all)
				break;
		}
	}
	qsort(deep, c->n_policies, sizeof *deep, compare_counts);
	size_t most = deep[c->n_policies / 2] * 3 / 2;
	free(deep);
	return most < 4 ? 4 : most < COMPARE_DEPTHS ? most : COMPARE_DEPTHS - 1;
}

/* x, mean, low, high; rows without a value, or with none that a logarithm bears, are left out. */
static void data(struct buf *s, const struct compare *c, size_t policy, const struct axes *a)
{
	size_t n = count_rows(c, (int)a->by);
	uint32_t nodes = c->nodes;

	buf_format(s, "$p%zu << EOD\n", policy);
	for (size_t i = 0; i < n; i++) {
		struct interval v = summary_of(c, policy, a->measure, i);
		double x = (double)i;
		if (a->by == BY_STEP)
			x = (double)(i + 1) / COMPARE_STEPS;
		else if (a->by == BY_WINDOW)
			x = fmin(((double)i + 0.5) * (double)replay_batch(nodes) / nodes, 1);
		if (isnan(v.mean) || (a->by != BY_STEP && v.mean <= 0))
			continue;
		if (isnan(v.low))
			v.low = v.high = v.mean;
		buf_format(s, "%.9g %.9g %.9g %.9g\n", x, v.mean, v.low, v.high);
	}
	buf_text(s, "EOD\n");
}

static void style(struct buf *s, const struct compare *c, size_t policy)
{
	buf_format(s, " linecolor rgb '%s' dashtype %s linewidth %s title ", colour_of(c, policy),
		dash_of(c, policy), summary_is_yardstick(c->policies[policy]) ? "1.2" : "1.8");
	figure_quote(s, c->policies[policy]->name);
}

static void plot_cost(struct buf *s, const struct compare *c, const size_t *order, const char *x,
	enum measure cost)
{
	const char *comma = "";

	begin(s, x, "area under the curve",
		"set logscale x\nset format x '%g'\nset offsets graph 0.05, graph 0.05, graph "
		"0.05, graph 0.05\n");
	for (size_t i = 0; i < c->n_policies; i++)
		buf_format(s, "$p%zu << EOD\n%.9g %.9g\nEOD\n", i, summary_of(c, i, cost, 0).mean,
			summary_of(c, i, MEASURE_AUC, 0).mean);
	buf_text(s, "plot ");
	for (size_t i = 0; i < c->n_policies; i++) {
		if (!(summary_of(c, order[i], cost, 0).mean > 0))
			continue;
		buf_format(s, "%s$p%zu using 1:2 with points pointtype %zu pointsize 1.2", comma,
			order[i], 4 + place_of(c, order[i]) % 10);
		style(s, c, order[i]);
		comma = ", ";
	}
	buf_byte(s, '\n');
}

void chart_script(struct buf *s, const struct compare *c, const size_t *order, enum chart chart)
{
	const struct axes *a = &axes[chart];

	if (chart == CHART_COST) {
		plot_cost(s, c, order, "CPU ns a link of the crawl loop", MEASURE_NS_A_LINK);
		return;
	}
	if (chart == CHART_EFFORT) {
		plot_cost(s, c, order, "operations a link", MEASURE_EFFORT);
		return;
	}
	begin(s, a->x, a->y, a->more);
	if (a->by == BY_DEPTH)
		buf_format(s, "set xrange [0:%zu]\n", chart_depth(c));
	for (size_t i = 0; i < c->n_policies; i++)
		data(s, c, i, a);
	buf_text(s, "plot ");
	for (size_t i = 0; c->draws >= CHART_BAND_DRAWS && a->by == BY_STEP && i < c->n_policies;
		i++)
		buf_format(s,
			"$p%zu using 1:3:4 with filledcurves fillstyle transparent solid 0.18 "
			"noborder "
			"linecolor rgb '%s' notitle, ",
			order[i], colour_of(c, order[i]));
	for (size_t i = 0; i < c->n_policies; i++) {
		buf_format(s, "$p%zu using 1:2 with %s", order[i],
			a->by == BY_DEPTH ? "linespoints pointtype 7 pointsize 0.35" : "lines");
		style(s, c, order[i]);
		buf_text(s, i + 1 < c->n_policies ? ", " : "\n");
	}
}
