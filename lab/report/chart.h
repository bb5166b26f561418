/* Drawings as SVG, made here, no other program needed: curves with their intervals, and the diagram of
 * critical differences. A drawing takes the colour of the text around it for axes and labels, so that it
 * is readable in the dark; as a file of its own it has a white ground. Curves bear their names at their
 * ends. Deterministic. */
#ifndef LAB_REPORT_CHART_H
#define LAB_REPORT_CHART_H

#include "base/buf.h"
#include "lab/measure/ranks.h"

struct chart_curve {
	const char *name;
	const double *y, *low, *high; /* n values; NAN is a gap; low and high NULL: no interval */
};

struct chart {
	const char *x_label, *y_label;
	const double *x; /* n, ascending */
	size_t n;
	const struct chart_curve *curve;
	size_t curves;
};

/* A colour for the i-th of several curves, "#rrggbb": Okabe and Ito's without yellow, which the
 * colour-blind tell apart. Static memory. */
const char *chart_hue(size_t i);

/* Appends an <svg> element; `label` says what is drawn, for who cannot see it. */
void chart_draw(struct buf *svg, const struct chart *c, const char *label);

/* Appends Demsar's diagram: methods by their mean places, the best at the left; a bar joins those that
 * the critical difference does not tell apart. */
void chart_critical(
	struct buf *svg, const struct ranks *r, const char *const *name, const char *label);

/* Appends the drawing as a file of its own. */
void chart_file(struct buf *out, const char *svg);

#endif
