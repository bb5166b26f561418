#include "lab/report/chart.h"
#include "base/mem.h"
#include "lab/report/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH  640
#define HEIGHT 340
#define LEFT   58
#define RIGHT  132 /* room for names */
#define TOP    12
#define BOTTOM 44
#define LINE   14 /* between names */
#define FEW    20 /* values: intervals are bars, not bands */

const char *chart_hue(size_t i)
{
	static const char *const hues[] = {
		"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#666666"};

	return hues[i % (sizeof hues / sizeof *hues)];
}

static const char *dash(size_t i)
{
	static const char *const dashes[] = {
		"", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 3\""};

	return dashes[i / 7 % (sizeof dashes / sizeof *dashes)];
}

static void begin(struct buf *svg, int height, const char *label)
{
	buf_format(svg,
		"<svg viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\" "
		"fill=\"currentColor\" aria-label=\"",
		WIDTH, height);
	figure_escape(svg, label);
	buf_text(svg, "\">\n");
}

static void text(struct buf *svg, double x, double y, const char *anchor, const char *more,
	const char *words)
{
	buf_format(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
	figure_escape(svg, words);
	buf_text(svg, "</text>\n");
}

static void line(struct buf *svg, double x, double y, double to_x, double to_y, const char *more)
{
	buf_format(svg, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x, y, to_x,
		to_y, more);
}

/* --- curves */

struct scale {
	double low, high, step;
};

/* Round bounds and steps of 1, 2 or 5. */
static struct scale scale_of(double low, double high)
{
	const double span = high > low ? high - low : 1;
	const double power = pow(10, floor(log10(span / 5)));
	const double ratio = span / 5 / power;
	const double step = power * (ratio <= 1.1 ? 1 : ratio <= 2.2 ? 2 : ratio <= 5.5 ? 5 : 10);

	return (struct scale){
		floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, step};
}

struct plane {
	struct buf *svg;
	const struct chart *chart;
	struct scale x, y;
};

static double x_of(const struct plane *p, double x)
{
	return LEFT + (x - p->x.low) / (p->x.high - p->x.low) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct plane *p, double y)
{
	return HEIGHT - BOTTOM - (y - p->y.low) / (p->y.high - p->y.low) * (HEIGHT - TOP - BOTTOM);
}

static void set_scales(struct plane *p)
{
	const struct chart *c = p->chart;
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < c->curves; i++)
		for (size_t k = 0; k < c->n; k++) {
			const struct chart_curve *curve = &c->curve[i];
			const double least =
				curve->low && !isnan(curve->low[k]) ? curve->low[k] : curve->y[k];
			const double most = curve->high && !isnan(curve->high[k]) ? curve->high[k]
										  : curve->y[k];
			low = least < low ? least : low;
			high = most > high ? most : high;
		}
	p->y = scale_of(low < high ? low : 0, low < high ? high : 1);
	p->x = scale_of(c->n ? c->x[0] : 0, c->n ? c->x[c->n - 1] : 1);
	p->x.low = c->n ? c->x[0] : 0;
	p->x.high = c->n > 1 ? c->x[c->n - 1] : p->x.low + 1;
}

static void draw_axes(const struct plane *p)
{
	char words[40];

	for (double y = p->y.low; y <= p->y.high + p->y.step / 2; y += p->y.step) {
		line(p->svg, LEFT, y_of(p, y), WIDTH - RIGHT, y_of(p, y),
			"stroke=\"currentColor\" stroke-opacity=\".18\"");
		snprintf(words, sizeof words, "%.6g", fabs(y) < p->y.step / 1e6 ? 0 : y);
		text(p->svg, LEFT - 6, y_of(p, y) + 4, "end", "", words);
	}
	for (double x = ceil(p->x.low / p->x.step) * p->x.step; x <= p->x.high + p->x.step * 1e-6;
		x += p->x.step) {
		line(p->svg, x_of(p, x), HEIGHT - BOTTOM, x_of(p, x), HEIGHT - BOTTOM + 5,
			"stroke=\"currentColor\"");
		snprintf(words, sizeof words, "%.6g", x);
		text(p->svg, x_of(p, x), HEIGHT - BOTTOM + 18, "middle", "", words);
	}
	line(p->svg, LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM,
		"stroke=\"currentColor\"");
	text(p->svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, "middle", "", p->chart->x_label);
	char turned[80];
	snprintf(turned, sizeof turned, " transform=\"rotate(-90 14 %d)\"",
		(HEIGHT - BOTTOM + TOP) / 2);
	text(p->svg, 14, (HEIGHT - BOTTOM + TOP) / 2.0, "middle", turned, p->chart->y_label);
}

/* Of few values: a bar at each, beside those of the other curves, and a dot. */
static void draw_bars_of(const struct plane *p, size_t i)
{
	const struct chart *c = p->chart;
	const struct chart_curve *curve = &c->curve[i];
	char more[80];

	snprintf(more, sizeof more, "stroke=\"%s\" stroke-opacity=\".5\"", chart_hue(i));
	for (size_t k = 0; k < c->n; k++) {
		const double x = x_of(p, c->x[k]) + 3 * ((double)i - (double)(c->curves - 1) / 2);
		if (isnan(curve->y[k]))
			continue;
		if (curve->low && !isnan(curve->low[k]))
			line(p->svg, x, y_of(p, curve->low[k]), x, y_of(p, curve->high[k]), more);
		buf_format(p->svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", x,
			y_of(p, curve->y[k]), chart_hue(i));
	}
}

static void draw_band(const struct plane *p, size_t i)
{
	const struct chart *c = p->chart;
	const struct chart_curve *curve = &c->curve[i];

	if (c->n <= FEW) {
		draw_bars_of(p, i);
		return;
	}
	if (!curve->low)
		return;
	buf_format(p->svg, "<polygon fill=\"%s\" fill-opacity=\".15\" points=\"", chart_hue(i));
	for (size_t k = 0; k < c->n; k++)
		if (!isnan(curve->high[k]))
			buf_format(p->svg, "%.1f,%.1f ", x_of(p, c->x[k]), y_of(p, curve->high[k]));
	for (size_t k = c->n; k-- > 0;)
		if (!isnan(curve->low[k]))
			buf_format(p->svg, "%.1f,%.1f ", x_of(p, c->x[k]), y_of(p, curve->low[k]));
	buf_text(p->svg, "\"/>\n");
}

static void draw_curve(const struct plane *p, size_t i)
{
	const struct chart *c = p->chart;
	const struct chart_curve *curve = &c->curve[i];
	int is_down = 0;

	buf_format(p->svg, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s d=\"",
		chart_hue(i), dash(i));
	for (size_t k = 0; k < c->n; k++) {
		if (!isnan(curve->y[k]))
			buf_format(p->svg, "%c%.1f %.1f", is_down ? 'L' : 'M', x_of(p, c->x[k]),
				y_of(p, curve->y[k]));
		is_down = !isnan(curve->y[k]);
	}
	buf_text(p->svg, "\"><title>");
	figure_escape(p->svg, curve->name);
	buf_text(p->svg, "</title></path>\n");
}

struct end {
	size_t curve;
	double y, at; /* where the curve ends, where its name stands */
};

static int higher_first(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	return x->y != y->y ? (x->y > y->y) - (x->y < y->y)
			    : (x->curve > y->curve) - (x->curve < y->curve);
}

/* Names stand where their curves end, moved apart where they would cover one another. */
static void draw_names(const struct plane *p)
{
	const struct chart *c = p->chart;
	struct end *end = mem_zero(c->curves, sizeof *end);
	double free_from = TOP;

	for (size_t i = 0; i < c->curves; i++) {
		size_t k = c->n;
		while (k > 1 && isnan(c->curve[i].y[k - 1]))
			k--;
		end[i] = (struct end){i, k ? y_of(p, c->curve[i].y[k - 1]) : HEIGHT, 0};
	}
	qsort(end, c->curves, sizeof *end, higher_first);
	for (size_t i = 0; i < c->curves; i++) {
		end[i].at = end[i].y < free_from ? free_from : end[i].y;
		free_from = end[i].at + LINE;
	}
	double least = HEIGHT - BOTTOM + 4;
	for (size_t i = c->curves; i-- > 0; least -= LINE)
		end[i].at = end[i].at > least ? least : end[i].at;
	for (size_t i = 0; i < c->curves; i++) {
		const char *hue = chart_hue(end[i].curve);
		char more[200];
		snprintf(more, sizeof more, "stroke=\"%s\" stroke-opacity=\".6\"", hue);
		line(p->svg, WIDTH - RIGHT + 1, end[i].y, WIDTH - RIGHT + 12, end[i].at, more);
		snprintf(more, sizeof more, " fill=\"%s\"", hue);
		text(p->svg, WIDTH - RIGHT + 15, end[i].at + 4, "start", more,
			c->curve[end[i].curve].name);
	}
	free(end);
}

void chart_draw(struct buf *svg, const struct chart *c, const char *label)
{
	struct plane p = {.svg = svg, .chart = c};

	set_scales(&p);
	begin(svg, HEIGHT, label);
	draw_axes(&p);
	for (size_t i = 0; i < c->curves; i++)
		draw_band(&p, i);
	for (size_t i = 0; i < c->curves; i++)
		draw_curve(&p, i);
	draw_names(&p);
	buf_text(svg, "</svg>\n");
}

/* --- critical differences */

#define AXIS 46 /* its height */
#define SIDE 150

struct diagram {
	struct buf *svg;
	const struct ranks *ranks;
	const char *const *name;
	size_t *order; /* methods, the best first */
};

static double place_x(const struct diagram *d, double place)
{
	return SIDE + (place - 1) / ((double)d->ranks->methods - 1) * (WIDTH - 2 * SIDE);
}

static void sort_places(const struct diagram *d)
{
	for (size_t i = 0; i < d->ranks->methods; i++) {
		size_t at = i;
		for (; at > 0 && d->ranks->place[d->order[at - 1]] > d->ranks->place[i]; at--)
			d->order[at] = d->order[at - 1];
		d->order[at] = i;
	}
}

static void draw_place_axis(const struct diagram *d)
{
	char words[60];

	line(d->svg, SIDE, AXIS, WIDTH - SIDE, AXIS, "stroke=\"currentColor\"");
	for (size_t i = 1; i <= d->ranks->methods; i++) {
		const double x = place_x(d, (double)i);
		line(d->svg, x, AXIS, x, AXIS - 6, "stroke=\"currentColor\"");
		snprintf(words, sizeof words, "%zu", i);
		text(d->svg, x, AXIS - 10, "middle", "", words);
	}
	if (isfinite(d->ranks->critical)) {
		const double wide = place_x(d, 1 + d->ranks->critical) - place_x(d, 1);
		line(d->svg, SIDE, 14, SIDE + wide, 14,
			"stroke=\"currentColor\" stroke-width=\"3\"");
		snprintf(words, sizeof words, "critical difference %.2f", d->ranks->critical);
		text(d->svg, SIDE + wide + 6, 18, "start", "", words);
	}
}

/* Half of the names to the left, the better ones, the others to the right. Returns the lowest line. */
static double draw_methods(const struct diagram *d, double from)
{
	const size_t n = d->ranks->methods, half = (n + 1) / 2;
	char words[160];

	for (size_t i = 0; i < n; i++) {
		const int is_left = i < half;
		const double x = place_x(d, d->ranks->place[d->order[i]]);
		const double y = from + (double)(is_left ? i : n - 1 - i) * 18;
		char more[120];
		snprintf(more, sizeof more, "stroke=\"%s\" stroke-width=\"1.5\"",
			chart_hue(d->order[i]));
		line(d->svg, x, AXIS, x, y, more);
		line(d->svg, x, y, is_left ? SIDE - 8 : WIDTH - SIDE + 8, y, more);
		snprintf(words, sizeof words, "%.100s %.2f", d->name[d->order[i]],
			d->ranks->place[d->order[i]]);
		text(d->svg, is_left ? SIDE - 12 : WIDTH - SIDE + 12, y + 4,
			is_left ? "end" : "start", "", words);
	}
	return from + (double)half * 18;
}

/* A bar over each run of methods that are not told apart, unless a longer one holds it. */
static double draw_bars(const struct diagram *d)
{
	const size_t n = d->ranks->methods;
	double y = AXIS + 10;
	size_t covered = 0;

	for (size_t i = 0; i < n; i++) {
		size_t last = i;
		while (last + 1 < n && !ranks_differ(d->ranks, d->order[i], d->order[last + 1]))
			last++;
		if (last == i || (i && last <= covered))
			continue;
		covered = last;
		line(d->svg, place_x(d, d->ranks->place[d->order[i]]) - 4, y,
			place_x(d, d->ranks->place[d->order[last]]) + 4, y,
			"stroke=\"currentColor\" stroke-width=\"4\" stroke-opacity=\".75\"");
		y += 8;
	}
	return y;
}

void chart_critical(
	struct buf *svg, const struct ranks *r, const char *const *name, const char *label)
{
	struct buf inner = BUF_EMPTY;
	struct diagram d = {.svg = &inner,
		.ranks = r,
		.name = name,
		.order = mem_new(r->methods, sizeof *d.order)};

	sort_places(&d);
	draw_place_axis(&d);
	const double end = draw_methods(&d, draw_bars(&d) + 10);
	begin(svg, (int)end + 4, label);
	buf_add(svg, inner.at, inner.used);
	buf_text(svg, "</svg>\n");
	buf_release(&inner);
	free(d.order);
}

void chart_file(struct buf *out, const char *svg)
{
	const char *end = strchr(svg, ' ');

	buf_text(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"background:white\" color=\"black\"");
	buf_text(out, end);
}
