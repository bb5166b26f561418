/* The charts of all studies, as drawings: curves with their intervals, points, a map of nodes, and the
 * diagram of critical differences. Every curve bears its name beside its end, so that no key has to be
 * looked up; names stand apart from one another.
 *
 *	struct chart c = {.x_label = "pages, %", .y_label = "hot pages, %"};
 *	chart_curve(&c, "opic", CHART_CANDIDATE);
 *	chart_point(&c, 1, 10);
 *	chart_point(&c, 2, 40);
 *	chart_draw(&d, &c);                          release the drawing with drawing_release() */
#ifndef LAB_REPORT_CHART_H
#define LAB_REPORT_CHART_H

#include "lab/measure/stats.h"
#include "lab/report/drawing.h"

/* A yardstick knows the whole graph: it is drawn in grey. */
enum chart_role { CHART_CANDIDATE, CHART_YARDSTICK };

struct chart_curve {
	const char *name;
	enum chart_role role;
	int has_intervals;
	size_t first, n; /* its points in chart.point */
};

struct chart_point {
	double x, y, low, high; /* the interval of y; NAN: unknown */
};

enum chart_scale { CHART_LINEAR, CHART_LOG };

struct chart {
	const char *x_label, *y_label;
	enum chart_scale x_scale, y_scale;
	const double *x_range, *y_range; /* the two ends of an axis; NULL: what the points need */
	/* CHART_LINES joins the points; where a curve has few, or CHART_POINTS is asked for, each is a dot. */
	enum { CHART_LINES, CHART_POINTS } marks;
	/* what the functions below add */
	struct chart_curve *curve;
	struct chart_point *point;
	size_t curves, curve_room, points, point_room;
};

/* Begins a curve, to which the points that are added next belong. The name is borrowed until the chart is drawn. */
void chart_curve(struct chart *c, const char *name, enum chart_role role);

/* Add a point, x ascending where points are joined. A NAN in y is a gap; on a logarithmic axis 0 is one, too. */
void chart_point(struct chart *c, double x, double y);
void chart_interval(struct chart *c, double x, double y, double low, double high);

/* Makes a drawing of a chart, and takes the curves from the chart. The drawing has axes alone where no curve has a point. */
void chart_draw(struct drawing *d, struct chart *c);

/* Frees the curves of a chart that is not drawn. */
void chart_release(struct chart *c);

/* Makes Demsar's diagram (JMLR 7, 2006, figure 1): methods by their mean places, the best at the left; a bar joins
 * methods that the critical difference does not tell apart. */
void chart_critical(struct drawing *d, const struct ranks *r, const char *const *name);

/* Makes a map: n nodes at their places, numbered from 1, and a line from node a to node b for each
 * link[a * n + b] that is not 0. Both axes have one scale. */
void chart_map(struct drawing *d, const double *x, const double *y, size_t n, const unsigned char *link);

#endif
