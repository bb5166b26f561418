/* The diagram of critical differences. */
#include "base/ascii.h"
#include "base/mem.h"
#include "lab/report/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
		most = fmax(most, drawing_text_width(text) * DRAWING_FONT);
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
