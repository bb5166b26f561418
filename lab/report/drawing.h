/* A drawing: a list of shapes, from which an SVG element of a page, an SVG file and a PDF file are
 * written. No other program is needed, and the same shapes give the same bytes.
 *
 *	struct drawing d;
 *	drawing_init(&d, 440, 300);
 *	drawing_line(&d, DRAWING_INK, 0, 290, 440, 290);
 *	drawing_text(&d, DRAWING_INK, 220, 280, DRAWING_MIDDLE, "pages");
 *	drawing_svg(&d, "Pages", &html);
 *	drawing_release(&d);
 *
 * Coordinates are points from the upper left corner. A drawing is DRAWING_WIDTH points wide so that it can be
 * printed in one column of a paper with letters of 7 points or more. Paints are DRAWING_INK, which is the colour of the
 * text around a drawing in a page, and therefore light in the dark, and the hues of Okabe and Ito, which
 * colour-blind readers tell apart. */
#ifndef LAB_REPORT_DRAWING_H
#define LAB_REPORT_DRAWING_H

#include "base/buf.h"

#define DRAWING_WIDTH 440
#define DRAWING_FONT  13  /* height of letters */
#define DRAWING_PRINT 252 /* points that the width has on paper: a column of 3.5 inches */

enum drawing_paint {
	DRAWING_GREY = -2, /* yardsticks, which are no candidates */
	DRAWING_INK = -1,
	DRAWING_HUE = 0 /* the i-th of several curves is DRAWING_HUE + i */
};

enum drawing_anchor { DRAWING_START, DRAWING_MIDDLE, DRAWING_END };

struct drawing_shape {
	enum { DRAWING_CURVE, DRAWING_AREA, DRAWING_DOT, DRAWING_WORDS } kind;
	int paint;
	double width, opacity; /* of the stroke; a dot's radius is its width */
	unsigned dash;         /* 0: none */
	enum drawing_anchor anchor;
	int is_turned;        /* a text that is read from below */
	size_t first, points; /* its points in drawing.point */
	char *text;           /* NULL where there is none */
	size_t series;        /* 1 + the series that it belongs to; 0: none */
};

/* An axis, by which a page computes values from coordinates: the value `low` lies at `from`, `high` at `to`. */
struct drawing_axis {
	double low, high, from, to;
	int is_log;
};

struct drawing_point {
	double x, y; /* NAN: a gap */
};

struct drawing {
	double width, height;
	struct drawing_shape *shape;
	size_t shapes, shape_room;
	struct drawing_point *point;
	size_t points, point_room;
	char **series; /* names; a page switches the shapes of a series on and off together */
	size_t series_n, series_room;
	struct drawing_axis x, y; /* of the curves; from = to where a page is to tell no values */
};

void drawing_init(struct drawing *d, double width, double height);
void drawing_release(struct drawing *d);

/* Begins a series: the shapes that are added next belong to the series of this name, which is copied; NULL: to none. */
void drawing_series(struct drawing *d, const char *name);

/* Add a line, a dot or a text. Each returns the shape, so that the caller can set its other fields; the pointer is valid until the
 * next call. */
struct drawing_shape *drawing_line(struct drawing *d, int paint, double x, double y, double to_x, double to_y);
struct drawing_shape *drawing_dot(struct drawing *d, int paint, double x, double y, double radius);
struct drawing_shape *drawing_text(struct drawing *d, int paint, double x, double y, enum drawing_anchor anchor, const char *text);

/* Add a curve or an area without points; drawing_to() then adds its points one by one. */
struct drawing_shape *drawing_curve(struct drawing *d, int paint);
struct drawing_shape *drawing_area(struct drawing *d, int paint);
void drawing_to(struct drawing *d, double x, double y);

/* Appends an <svg> element for a page; `label` says what is drawn to readers who cannot see it. */
void drawing_svg(const struct drawing *d, const char *label, struct buf *out);

/* Appends an SVG file: the element, black on white. */
void drawing_svg_file(const struct drawing *d, const char *label, struct buf *out);

/* Appends a PDF file of one page as large as the drawing, a column of a paper wide. Texts are set in the
 * standard font Helvetica, which is not embedded; a letter that is not in Latin-1 is a question mark. */
void drawing_pdf(const struct drawing *d, struct buf *out);

/* Returns the width of a text in Helvetica at a font size of 1. */
double drawing_text_width(const char *text);

/* Returns the room that a text takes in a drawing at most: a browser without Helvetica sets it in a font that is up to a fifth
 * wider. */
double drawing_text_room(const char *text);

/* Appends a text with the characters escaped that HTML and XML give a meaning; bytes that are no printable UTF-8 become U+FFFD. */
void drawing_escape(struct buf *out, const char *text);

#endif
