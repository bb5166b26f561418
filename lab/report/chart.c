#include "lab/report/chart.h"
#include "base/ascii.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HEIGHT 290
#define LEFT   52 /* at least: wide marks of the y axis take more */
#define TOP    12
#define BOTTOM 42
#define LINE   15 /* between names */
#define LEAD   22 /* from the plot to a name */
#define FEW    20 /* points: each is a dot */
#define HUES   7

struct plane {
	struct drawing *d;
	const struct chart *chart;
	double left, right;    /* where the plot begins and ends */
	double x_step, y_step; /* between the marks of an axis; of a logarithmic one: decades */
};

/* --- axes */

/* Extends an axis to round bounds, with steps of 1, 2 or 5 times a power of ten. Returns the step. */
static double round_axis(struct drawing_axis *a, int marks)
{
	const double span = a->high > a->low ? a->high - a->low : 1;
	const double power = pow(10, floor(log10(span / marks)));
	const double ratio = span / marks / power;
	const double step = power * (ratio <= 1.1 ? 1 : ratio <= 2.2 ? 2 : ratio <= 5.5 ? 5 : 10);

	a->low = floor(a->low / step + 1e-9) * step;
	a->high = ceil(a->high / step - 1e-9) * step;
	if (!(a->high > a->low))
		a->high = a->low + step;
	return step;
}

/* Extends a logarithmic axis to whole decades. Returns the number of decades between two marks. */
static double round_decades(struct drawing_axis *a)
{
	a->low = pow(10, floor(log10(a->low) + 1e-9));
	a->high = pow(10, ceil(log10(a->high) - 1e-9));
	if (!(a->high > a->low))
		a->high = 10 * a->low;
	return ceil(log10(a->high / a->low) / 6);
}

/* Returns point k of a curve. */
static const struct chart_point *point_of(const struct chart *c, const struct chart_curve *curve, size_t k)
{
	return &c->point[curve->first + k];
}

static int is_shown(const struct chart *c, const struct chart_point *p)
{
	return isfinite(p->x) && isfinite(p->y) && (c->x_scale == CHART_LINEAR || p->x > 0) &&
		(c->y_scale == CHART_LINEAR || p->y > 0);
}

static void stretch(struct drawing_axis *a, double value)
{
	if (isnan(value) || (a->is_log && value <= 0))
		return;
	a->low = value < a->low ? value : a->low;
	a->high = value > a->high ? value : a->high;
}

/* Stretches the two axes over all points that are shown, and over the ends of their intervals. */
static void find_bounds(const struct plane *p)
{
	const struct chart *c = p->chart;
	struct drawing_axis *x = &p->d->x, *y = &p->d->y;

	for (size_t k = 0; k < c->points; k++) {
		const struct chart_point *at = &c->point[k];
		if (!is_shown(c, at))
			continue;
		stretch(x, at->x);
		stretch(y, at->y);
		stretch(y, at->low);
		stretch(y, at->high);
	}
}

static double settle_axis(struct drawing_axis *a, const double *range, int marks)
{
	if (range) {
		a->low = range[0];
		a->high = range[1];
	}
	if (!(a->low <= a->high)) {
		a->low = a->is_log ? 1 : 0;
		a->high = a->is_log ? 10 : 1;
	}
	return a->is_log ? round_decades(a) : round_axis(a, marks);
}

static double longest_name(const struct chart *c)
{
	double most = 0;

	for (size_t i = 0; i < c->curves; i++)
		most = fmax(most, drawing_text_room(c->curve[i].name));
	return fmin(most, 190);
}

static double next_mark(const struct drawing_axis *a, double mark, double step)
{
	return a->is_log ? mark * pow(10, step) : mark + step;
}

static void write_mark(char *text, size_t room, double mark, double step, int is_log)
{
	if (is_log && (mark > 9999 || mark < 0.001))
		ascii_format(text, room, "%.0e", mark);
	else
		ascii_format(text, room, "%.6g", !is_log && fabs(mark) < step / 1e6 ? 0 : mark);
}

/* Returns the width that the label and the marks of the y axis take. */
static double room_for_marks(const struct plane *p)
{
	const struct drawing_axis *a = &p->d->y;
	double most = 0;
	char words[40];

	for (double y = a->low; y <= a->high * (1 + 1e-9) + (a->is_log ? 0 : p->y_step / 2); y = next_mark(a, y, p->y_step)) {
		write_mark(words, sizeof words, y, p->y_step, a->is_log);
		most = fmax(most, drawing_text_room(words));
	}
	return fmax(LEFT, most + 26);
}

/* Settles where the plane lies in the drawing, between the marks at its left and the names at its right, and what range each axis
 * has. */
static void set_scales(struct plane *p)
{
	const struct chart *c = p->chart;
	struct drawing_axis *x = &p->d->x, *y = &p->d->y;

	p->right = DRAWING_WIDTH - longest_name(c) - LEAD - 4;
	*x = (struct drawing_axis){INFINITY, -INFINITY, LEFT, p->right, c->x_scale == CHART_LOG};
	*y = (struct drawing_axis){INFINITY, -INFINITY, HEIGHT - BOTTOM, TOP, c->y_scale == CHART_LOG};
	find_bounds(p);
	const double low = x->low, high = x->high;
	p->x_step = settle_axis(x, c->x_range, 5);
	p->y_step = settle_axis(y, c->y_range, 5);
	x->from = p->left = room_for_marks(p);
	/* points that are joined reach from edge to edge, dots keep away from them */
	if (!x->is_log && !c->x_range && c->marks == CHART_LINES && low < high) {
		x->low = low;
		x->high = high;
	}
}

static double place(const struct drawing_axis *a, double value)
{
	const double share = a->is_log ? log(value / a->low) / log(a->high / a->low) : (value - a->low) / (a->high - a->low);

	return a->from + share * (a->to - a->from);
}

static double x_of(const struct plane *p, double x)
{
	return place(&p->d->x, x);
}

static double y_of(const struct plane *p, double y)
{
	const double at = place(&p->d->y, y);

	return at < TOP ? TOP : at > HEIGHT - BOTTOM ? HEIGHT - BOTTOM : at;
}

/* Draws a line across the plane for each mark of the y axis, and the axis' label, turned. */
static void draw_y_axis(const struct plane *p)
{
	const struct drawing_axis *a = &p->d->y;
	char words[40];

	for (double y = a->low; y <= a->high * (1 + 1e-9) + (a->is_log ? 0 : p->y_step / 2); y = next_mark(a, y, p->y_step)) {
		struct drawing_shape *grid = drawing_line(p->d, DRAWING_INK, p->left, y_of(p, y), p->right, y_of(p, y));
		grid->opacity = .15;
		write_mark(words, sizeof words, y, p->y_step, a->is_log);
		drawing_text(p->d, DRAWING_INK, p->left - 5, y_of(p, y) + 4, DRAWING_END, words);
	}
	drawing_text(p->d, DRAWING_INK, 12, (HEIGHT - BOTTOM + TOP) / 2.0, DRAWING_MIDDLE, p->chart->y_label)->is_turned = 1;
}

/* Draws the x axis with its marks below the plane. */
static void draw_x_axis(const struct plane *p)
{
	const struct drawing_axis *a = &p->d->x;
	const double from = a->is_log ? a->low : ceil(a->low / p->x_step - 1e-9) * p->x_step;
	char words[40];

	for (double x = from; x <= a->high * (1 + 1e-9) + (a->is_log ? 0 : p->x_step * 1e-6); x = next_mark(a, x, p->x_step)) {
		drawing_line(p->d, DRAWING_INK, x_of(p, x), HEIGHT - BOTTOM, x_of(p, x), HEIGHT - BOTTOM + 4);
		write_mark(words, sizeof words, x, p->x_step, a->is_log);
		drawing_text(p->d, DRAWING_INK, x_of(p, x), HEIGHT - BOTTOM + 17, DRAWING_MIDDLE, words);
	}
	drawing_line(p->d, DRAWING_INK, p->left, HEIGHT - BOTTOM, p->right, HEIGHT - BOTTOM);
	drawing_text(p->d, DRAWING_INK, (p->left + p->right) / 2, HEIGHT - 6, DRAWING_MIDDLE, p->chart->x_label);
}

/* --- curves */

/* Returns the colour of curve i: grey for yardsticks, else the next hue. Sets *dash: curves beyond the HUES hues are dashed, and
 * so are yardsticks. */
static int paint_of(const struct chart *c, size_t i, unsigned *dash)
{
	size_t before = 0;

	for (size_t k = 0; k < i; k++)
		before += c->curve[k].role == c->curve[i].role;
	*dash = (unsigned)(c->curve[i].role == CHART_YARDSTICK ? before + 1 : before / HUES);
	return c->curve[i].role == CHART_YARDSTICK ? DRAWING_GREY : DRAWING_HUE + (int)(before % HUES);
}

static int has_dots(const struct chart *c, const struct chart_curve *curve)
{
	return c->marks == CHART_POINTS || curve->n <= FEW;
}

static int has_interval(const struct chart_point *p)
{
	return isfinite(p->low) && isfinite(p->high) && p->high > p->low;
}

/* Returns the lower end of an interval; on a logarithmic axis that of the axis if the interval reaches 0 or below. */
static double low_of(const struct plane *p, const struct chart_point *at)
{
	return p->d->y.is_log && at->low <= 0 ? p->d->y.low : at->low;
}

/* Draws a dot at each point of a curve and a bar over its interval, beside those of the other curves. */
static void draw_dots(const struct plane *p, size_t i)
{
	const struct chart *c = p->chart;
	const struct chart_curve *curve = &c->curve[i];
	unsigned dash;
	const int paint = paint_of(c, i, &dash);
	const double aside = c->marks == CHART_LINES && curve->has_intervals && c->curves > 1
		? 2.5 * ((double)i - (double)(c->curves - 1) / 2)
		: 0;

	for (size_t k = 0; k < curve->n; k++) {
		const struct chart_point *at = point_of(c, curve, k);
		if (!is_shown(c, at))
			continue;
		const double x = x_of(p, at->x) + aside;
		if (has_interval(at))
			drawing_line(p->d, paint, x, y_of(p, low_of(p, at)), x, y_of(p, at->high))->opacity = .55;
		drawing_dot(p->d, paint, x, y_of(p, at->y), 2.6);
	}
}

/* Draws the band between the lower and upper ends of a curve's intervals: along the upper ends from left to right, and back
 * along the lower ones. */
static void draw_band(const struct plane *p, size_t i)
{
	const struct chart_curve *curve = &p->chart->curve[i];
	unsigned dash;

	if (!curve->has_intervals)
		return;
	drawing_area(p->d, paint_of(p->chart, i, &dash))->opacity = .15;
	for (size_t k = 0; k < 2 * curve->n; k++) {
		const int is_upper = k < curve->n;
		const struct chart_point *at = point_of(p->chart, curve, is_upper ? k : 2 * curve->n - 1 - k);
		if (is_shown(p->chart, at) && has_interval(at))
			drawing_to(p->d, x_of(p, at->x), y_of(p, is_upper ? at->high : low_of(p, at)));
	}
}

/* Draws the line of a curve, with a gap where a point is not shown. A yardstick is thinner. */
static void draw_curve(const struct plane *p, size_t i)
{
	const struct chart_curve *curve = &p->chart->curve[i];
	unsigned dash;
	const int paint = paint_of(p->chart, i, &dash);
	struct drawing_shape *s = drawing_curve(p->d, paint);

	s->width = curve->role == CHART_YARDSTICK ? 1.3 : 1.9;
	s->dash = dash;
	for (size_t k = 0; k < curve->n; k++) {
		const struct chart_point *at = point_of(p->chart, curve, k);
		const int shown = is_shown(p->chart, at);
		drawing_to(p->d, shown ? x_of(p, at->x) : NAN, shown ? y_of(p, at->y) : NAN);
	}
}

/* --- names */

struct end {
	size_t curve;
	double x, y; /* where the curve ends */
	double mean; /* of its heights: the order of curves that end in one place */
	double at;   /* the height of its name */
};

static int higher_first(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	if (x->y != y->y)
		return x->y > y->y ? 1 : -1;
	return x->mean != y->mean ? (x->mean > y->mean) - (x->mean < y->mean) : (x->curve > y->curve) - (x->curve < y->curve);
}

/* Sets the heights of the names, in the order of the ends of their curves: at least LINE apart, and within the plot. */
static void part_names(struct end *end, size_t n)
{
	double free_from = TOP, least = HEIGHT - BOTTOM + 4;

	for (size_t i = 0; i < n; i++) {
		end[i].at = end[i].y < free_from ? free_from : end[i].y;
		free_from = end[i].at + LINE;
	}
	for (size_t i = n; i-- > 0; least -= LINE)
		end[i].at = end[i].at > least ? least : end[i].at;
}

/* Writes the name of a curve at the right of the plane, and joins it to the end of the curve. */
static void draw_name(const struct plane *p, const struct end *e)
{
	const struct chart_curve *curve = &p->chart->curve[e->curve];
	unsigned dash;
	const int paint = paint_of(p->chart, e->curve, &dash);

	drawing_series(p->d, curve->name);
	drawing_line(p->d, paint, e->x, e->y, p->right + 6, e->at)->opacity = .35;
	struct drawing_shape *swatch = drawing_line(p->d, paint, p->right + 6, e->at, p->right + LEAD - 4, e->at);
	swatch->width = 2.5;
	swatch->dash = dash;
	drawing_text(p->d, DRAWING_INK, p->right + LEAD, e->at + 4, DRAWING_START, curve->name);
}

/* Names all curves that have a point, in the order of their ends, so far apart that they do not cover one another. */
static void draw_names(const struct plane *p)
{
	const struct chart *c = p->chart;
	AUTO_FREE struct end *end = mem_zero(c->curves, sizeof *end);
	size_t n = 0;

	for (size_t i = 0; i < c->curves; i++) {
		const struct chart_curve *curve = &c->curve[i];
		struct end e = {.curve = i};
		size_t shown = 0;
		for (size_t k = 0; k < curve->n; k++) {
			const struct chart_point *at = point_of(c, curve, k);
			if (!is_shown(c, at))
				continue;
			e.x = x_of(p, at->x);
			e.y = round(y_of(p, at->y)); /* rounded, so that higher_first() is a strict order */
			e.mean += y_of(p, at->y);
			shown++;
		}
		e.mean /= shown ? (double)shown : 1;
		if (shown)
			end[n++] = e;
	}
	qsort(end, n, sizeof *end, higher_first);
	part_names(end, n);
	for (size_t i = 0; i < n; i++)
		draw_name(p, &end[i]);
}

void chart_curve(struct chart *c, const char *name, enum chart_role role)
{
	c->curve = mem_grow(c->curve, &c->curve_room, c->curves + 1, sizeof *c->curve);
	c->curve[c->curves++] = (struct chart_curve){.name = name, .role = role, .first = c->points};
}

void chart_interval(struct chart *c, double x, double y, double low, double high)
{
	chart_point(c, x, y);
	c->curve[c->curves - 1].has_intervals = 1;
	c->point[c->points - 1].low = low;
	c->point[c->points - 1].high = high;
}

void chart_point(struct chart *c, double x, double y)
{
	c->point = mem_grow(c->point, &c->point_room, c->points + 1, sizeof *c->point);
	c->point[c->points++] = (struct chart_point){x, y, NAN, NAN};
	c->curve[c->curves - 1].n++;
}

void chart_draw(struct drawing *d, struct chart *c)
{
	struct plane p = {.d = d, .chart = c};

	drawing_init(d, DRAWING_WIDTH, HEIGHT);
	set_scales(&p);
	draw_y_axis(&p);
	draw_x_axis(&p);
	for (size_t i = 0; i < c->curves; i++) {
		drawing_series(d, c->curve[i].name);
		if (!has_dots(c, &c->curve[i]))
			draw_band(&p, i);
	}
	for (size_t i = 0; i < c->curves; i++) {
		drawing_series(d, c->curve[i].name);
		if (c->marks == CHART_LINES)
			draw_curve(&p, i);
		if (has_dots(c, &c->curve[i]))
			draw_dots(&p, i);
	}
	draw_names(&p);
	chart_release(c);
}

void chart_release(struct chart *c)
{
	free(c->curve);
	free(c->point);
	c->curve = NULL;
	c->point = NULL;
	c->curves = c->points = c->curve_room = c->point_room = 0;
}

/* --- maps */

void chart_map(struct drawing *d, const double *x, const double *y, size_t n, const unsigned char *link)
{
	double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
	char words[24];

	for (size_t i = 0; i < n; i++) {
		low[0] = x[i] < low[0] ? x[i] : low[0];
		high[0] = x[i] > high[0] ? x[i] : high[0];
		low[1] = y[i] < low[1] ? y[i] : low[1];
		high[1] = y[i] > high[1] ? y[i] : high[1];
	}
	const double wide = high[0] > low[0] ? high[0] - low[0] : 1;
	const double tall = high[1] > low[1] ? high[1] - low[1] : 1;
	const double scale = fmin((DRAWING_WIDTH - 40) / wide, 360 / tall);
	drawing_init(d, DRAWING_WIDTH, fmax(tall * scale, 1) + 44);
	const double left = (DRAWING_WIDTH - wide * scale) / 2;
	for (size_t i = 0; i < n * n; i++)
		if (link[i])
			drawing_line(d, DRAWING_INK, left + (x[i / n] - low[0]) * scale, 22 + (high[1] - y[i / n]) * scale,
				left + (x[i % n] - low[0]) * scale, 22 + (high[1] - y[i % n]) * scale)
				->opacity = .25;
	for (size_t i = 0; i < n; i++) {
		const double at = left + (x[i] - low[0]) * scale, up = 22 + (high[1] - y[i]) * scale;
		drawing_dot(d, DRAWING_HUE, at, up, 3.2);
		snprintf(words, sizeof words, "%zu", i + 1);
		drawing_text(d, DRAWING_INK, at, up - 6, DRAWING_MIDDLE, words);
	}
}

/* --- The diagram of critical differences. */

#define AXIS 44 /* its height */
#define ROW  18 /* between names */

struct diagram {
	struct drawing *d;
	const struct ranks *ranks;
	const char *const *name;
	size_t *order; /* methods, the best first */
	double side;   /* room for names at each side */
};

static double place_x(const struct diagram *d, double place)
{
	return d->side + (place - 1) / ((double)d->ranks->methods - 1) * (DRAWING_WIDTH - 2 * d->side);
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

static void write_name(const struct diagram *d, size_t method, char *text, size_t room)
{
	ascii_format(text, room, "%.60s %.1f", d->name[method], d->ranks->place[method]);
}

static double room_for_names(const struct diagram *d)
{
	double most = 0;
	char text[100];

	for (size_t i = 0; i < d->ranks->methods; i++) {
		write_name(d, i, text, sizeof text);
		most = fmax(most, drawing_text_room(text));
	}
	return fmin(most + 14, 170);
}

/* Draws the axis of the mean places, and above it the critical difference as a bar, if there is one. */
static void draw_axis(const struct diagram *d)
{
	const size_t n = d->ranks->methods, step = (n + 9) / 10;
	char words[60];

	drawing_line(d->d, DRAWING_INK, d->side, AXIS, DRAWING_WIDTH - d->side, AXIS);
	for (size_t i = 1; i <= n; i += step) {
		const double x = place_x(d, (double)i);
		drawing_line(d->d, DRAWING_INK, x, AXIS, x, AXIS - 5);
		snprintf(words, sizeof words, "%zu", i);
		drawing_text(d->d, DRAWING_INK, x, AXIS - 9, DRAWING_MIDDLE, words);
	}
	if (!isfinite(d->ranks->critical))
		return;
	/* as a bar of its own, from the left: it may be wider than the axis */
	const double wide = fmin(place_x(d, 1 + d->ranks->critical) - place_x(d, 1), DRAWING_WIDTH - d->side - 2);
	drawing_line(d->d, DRAWING_INK, d->side, 14, d->side + wide, 14)->width = 3;
	ascii_format(words, sizeof words, "CD %.2f", d->ranks->critical);
	drawing_text(d->d, DRAWING_INK, d->side - 6, 18, DRAWING_END, words);
}

/* Names of the better half stand at the left, the others at the right. Returns the lowest line. */
static double draw_methods(const struct diagram *d, double from)
{
	const size_t n = d->ranks->methods, half = (n + 1) / 2;
	char words[100];

	for (size_t i = 0; i < n; i++) {
		const size_t method = d->order[i];
		const int is_left = i < half, paint = DRAWING_HUE + (int)method;
		const double x = place_x(d, d->ranks->place[method]);
		const double y = from + (double)(is_left ? i : n - 1 - i) * ROW;
		drawing_series(d->d, d->name[method]);
		drawing_line(d->d, paint, x, AXIS, x, y)->width = 1.5;
		drawing_line(d->d, paint, x, y, is_left ? d->side - 6 : DRAWING_WIDTH - d->side + 6, y)->width = 1.5;
		write_name(d, method, words, sizeof words);
		drawing_text(d->d, DRAWING_INK, is_left ? d->side - 9 : DRAWING_WIDTH - d->side + 9, y + 4,
			is_left ? DRAWING_END : DRAWING_START, words);
	}
	drawing_series(d->d, NULL);
	return from + (double)half * ROW;
}

/* Draws a bar over each run of methods whose ranks do not differ significantly, unless a longer run contains it. Returns the y
 * below the bars. */
static double draw_bars(const struct diagram *d)
{
	const size_t n = d->ranks->methods;
	double y = AXIS + 9;
	size_t covered = 0;

	for (size_t i = 0; i < n; i++) {
		size_t last = i;
		while (last + 1 < n && !ranks_differ(d->ranks, d->order[i], d->order[last + 1]))
			last++;
		if (last == i || (i && last <= covered))
			continue;
		covered = last;
		drawing_line(d->d, DRAWING_INK, place_x(d, d->ranks->place[d->order[i]]) - 4, y,
			place_x(d, d->ranks->place[d->order[last]]) + 4, y)
			->width = 3.5;
		y += 8;
	}
	return y;
}

void chart_critical(struct drawing *d, const struct ranks *r, const char *const *name)
{
	struct diagram diagram = {.d = d, .ranks = r, .name = name, .order = mem_new(r->methods, sizeof *diagram.order)};

	drawing_init(d, DRAWING_WIDTH, 0);
	diagram.side = room_for_names(&diagram);
	sort_places(&diagram);
	draw_axis(&diagram);
	d->height = draw_methods(&diagram, draw_bars(&diagram) + 8) + 2;
	free(diagram.order);
}
