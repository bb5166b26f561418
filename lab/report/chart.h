/* The charts of all studies, as drawings: curves with their intervals, points, a map of nodes, and the
 * diagram of critical differences. Every curve bears its name beside its end, so that no key has to be
 * looked up; names stand apart from one another.
 *
 *	const double x[] = {1, 2, 3}, y[] = {10, 40, 60};
 *	const struct chart_curve curve = {.name = "opic", .x = x, .y = y, .n = 3};
 *	const struct chart chart = {.x_label = "pages, %", .y_label = "hot pages, %",
 *		.curve = &curve, .curves = 1};
 *	struct drawing d;
 *	chart_draw(&d, &chart);                      release it with drawing_release() */
#ifndef LAB_REPORT_CHART_H
#define LAB_REPORT_CHART_H

#include "lab/measure/stats.h"
#include "lab/report/drawing.h"

struct chart_curve {
	const char *name;
	/* n points, x ascending where they are joined. A NAN in y is a gap; on a logarithmic axis 0 is one, too. */
	const double *x, *y;
	const double *low, *high; /* the interval of each y; NULL: none is known */
	size_t n;
	int is_yardstick; /* knows the whole graph: drawn in grey */
};

enum chart_scale { CHART_LINEAR, CHART_LOG };

struct chart {
	const char *x_label, *y_label;
	enum chart_scale x_scale, y_scale;
	const double *x_range, *y_range; /* the two ends of an axis; NULL: what the points need */
	/* CHART_LINES joins the points; where a curve has few, or CHART_POINTS is asked for, each is a dot. */
	enum { CHART_LINES, CHART_POINTS } marks;
	const struct chart_curve *curve;
	size_t curves;
};

/* Makes a drawing of a chart. It has axes alone where no curve has a point. */
void chart_draw(struct drawing *d, const struct chart *c);

/* Makes Demsar's diagram (JMLR 7, 2006, figure 1): methods by their mean places, the best at the left; a bar joins
 * methods that the critical difference does not tell apart. */
void chart_critical(struct drawing *d, const struct ranks *r, const char *const *name);

/* Makes a map: n nodes at their places, numbered from 1, and a line from node a to node b for each
 * link[a * n + b] that is not 0. Both axes have one scale. */
void chart_map(struct drawing *d, const double *x, const double *y, size_t n, const unsigned char *link);

#endif
