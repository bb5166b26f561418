#include "lab/report/drawing.h"
#include "base/err.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void drawing_init(struct drawing *d, double width, double height)
{
	*d = (struct drawing){.width = width, .height = height};
}

void drawing_release(struct drawing *d)
{
	for (size_t i = 0; i < d->shapes; i++)
		free(d->shape[i].text);
	for (size_t i = 0; i < d->series_n; i++)
		free(d->series[i]);
	free(d->series);
	free(d->shape);
	free(d->point);
	*d = (struct drawing){0};
}

/* --- shapes */

static size_t series_of(const struct drawing *d)
{
	return d->series_n && d->series[d->series_n - 1] ? d->series_n : 0;
}

void drawing_series(struct drawing *d, const char *name)
{
	d->series = mem_grow(d->series, &d->series_room, d->series_n + 1, sizeof *d->series);
	d->series[d->series_n++] = name ? mem_text(name) : NULL;
}

static struct drawing_shape *add(struct drawing *d, int kind, int paint)
{
	d->shape = mem_grow(d->shape, &d->shape_room, d->shapes + 1, sizeof *d->shape);
	struct drawing_shape *s = &d->shape[d->shapes++];
	*s = (struct drawing_shape){.paint = paint, .width = 1, .opacity = 1, .first = d->points, .series = series_of(d)};
	s->kind = (unsigned)kind;
	return s;
}

void drawing_to(struct drawing *d, double x, double y)
{
	d->point = mem_grow(d->point, &d->point_room, d->points + 1, sizeof *d->point);
	d->point[d->points++] = (struct drawing_point){x, y};
	d->shape[d->shapes - 1].points++;
}

struct drawing_shape *drawing_curve(struct drawing *d, int paint)
{
	return add(d, DRAWING_CURVE, paint);
}

struct drawing_shape *drawing_area(struct drawing *d, int paint)
{
	return add(d, DRAWING_AREA, paint);
}

struct drawing_shape *drawing_line(struct drawing *d, int paint, double x, double y, double to_x, double to_y)
{
	struct drawing_shape *s = add(d, DRAWING_CURVE, paint);

	drawing_to(d, x, y);
	drawing_to(d, to_x, to_y);
	return s;
}

struct drawing_shape *drawing_dot(struct drawing *d, int paint, double x, double y, double radius)
{
	struct drawing_shape *s = add(d, DRAWING_DOT, paint);

	drawing_to(d, x, y);
	s->width = radius;
	return s;
}

struct drawing_shape *drawing_text(struct drawing *d, int paint, double x, double y, enum drawing_anchor anchor, const char *text)
{
	struct drawing_shape *s = add(d, DRAWING_WORDS, paint);

	drawing_to(d, x, y);
	s->anchor = anchor;
	s->text = mem_text(text);
	return s;
}

/* --- SVG */

const char *drawing_colour(int paint)
{
	/* Okabe and Ito's without yellow, which is too light for lines, and with a grey-brown for black */
	static const char *const hues[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a6a53"};

	return paint == DRAWING_INK     ? "currentColor"
		: paint == DRAWING_GREY ? "#8a8a8a"
					: hues[(size_t)paint % (sizeof hues / sizeof *hues)];
}

void drawing_escape(struct buf *out, const char *text)
{
	while (*text) {
		const size_t n = err_printable(text);
		if (*text == '<')
			buf_text(out, "&lt;");
		else if (*text == '>')
			buf_text(out, "&gt;");
		else if (*text == '&')
			buf_text(out, "&amp;");
		else if (*text == '"')
			buf_text(out, "&quot;");
		else if (n)
			buf_add(out, text, n);
		else
			buf_text(out, "&#xfffd;");
		text += n ? n : 1;
	}
}

static void svg_stroke(const struct drawing_shape *s, struct buf *out)
{
	static const char *const dashes[] = {"", "6 3", "2 3", "9 3 2 3"};

	buf_format(out, " stroke=\"%s\"", drawing_colour(s->paint));
	if (fabs(s->width - 1) > 1e-9)
		buf_format(out, " stroke-width=\"%.4g\"", s->width);
	if (s->opacity < 1)
		buf_format(out, " stroke-opacity=\"%.4g\"", s->opacity);
	if (s->dash)
		buf_format(out, " stroke-dasharray=\"%s\"", dashes[s->dash % 4]);
}

static void svg_fill(const struct drawing_shape *s, struct buf *out)
{
	if (s->paint != DRAWING_INK)
		buf_format(out, " fill=\"%s\"", drawing_colour(s->paint));
	if (s->opacity < 1)
		buf_format(out, " fill-opacity=\"%.4g\"", s->opacity);
}

/* Writes the points with two decimals, from which the page can compute a value to a ten-thousandth of the axis. */
static void svg_points(const struct drawing *d, const struct drawing_shape *s, struct buf *out)
{
	int is_down = 0;

	buf_text(out, " d=\"");
	for (size_t i = s->first; i < s->first + s->points; i++) {
		if (!isnan(d->point[i].y))
			buf_format(out, "%c%.2f %.2f", is_down ? 'L' : 'M', d->point[i].x, d->point[i].y);
		is_down = !isnan(d->point[i].y);
	}
	buf_byte(out, '"');
}

/* Writes place, anchor and turn of a text, and the text itself. */
static void svg_words(const struct drawing_shape *s, const struct drawing_point *at, struct buf *out)
{
	static const char *const anchors[] = {"start", "middle", "end"};

	buf_format(out, " x=\"%.1f\" y=\"%.1f\"", at->x, at->y);
	if (s->anchor != DRAWING_START)
		buf_format(out, " text-anchor=\"%s\"", anchors[s->anchor]);
	if (s->is_turned)
		buf_format(out, " transform=\"rotate(-90 %.1f %.1f)\"", at->x, at->y);
	svg_fill(s, out);
	buf_byte(out, '>');
	drawing_escape(out, s->text);
	buf_text(out, "</text>\n");
}

/* Writes a shape as an element of SVG; data-of names its series for the script of the page. */
static void svg_shape(const struct drawing *d, const struct drawing_shape *s, struct buf *out)
{
	static const char *const elements[] = {"path", "path", "circle", "text"};
	const struct drawing_point *at = &d->point[s->first];

	buf_format(out, "<%s", elements[s->kind]);
	if (s->series) {
		buf_text(out, " data-of=\"");
		drawing_escape(out, d->series[s->series - 1]);
		buf_byte(out, '"');
	}
	switch (s->kind) {
	case DRAWING_CURVE:
		buf_text(out, " fill=\"none\"");
		svg_stroke(s, out);
		svg_points(d, s, out);
		break;
	case DRAWING_AREA:
		svg_fill(s, out);
		svg_points(d, s, out);
		break;
	case DRAWING_DOT:
		buf_format(out, " cx=\"%.2f\" cy=\"%.2f\" r=\"%.4g\"", at->x, at->y, s->width);
		svg_fill(s, out);
		break;
	case DRAWING_WORDS:
		svg_words(s, at, out);
		return;
	}
	buf_text(out, "/>\n");
}

static void svg_axis(const char *name, const struct drawing_axis *a, struct buf *out)
{
	buf_format(out, " data-%s=\"%.9g %.9g %.2f %.2f %d\"", name, a->low, a->high, a->from, a->to, a->is_log);
}

/* Writes a drawing as an element <svg> with attributes `more`, with its axes for the script of the page, and a label for readers
 * who do not see it. */
static void svg(const struct drawing *d, const char *label, const char *more, struct buf *out)
{
	buf_format(out,
		"<svg%s viewBox=\"0 0 %.0f %.0f\" role=\"img\" font-family=\"Helvetica,Arial,sans-serif\" "
		"font-size=\"%d\" fill=\"currentColor\"",
		more, d->width, d->height, DRAWING_FONT);
	if (d->x.to > d->x.from) {
		svg_axis("x", &d->x, out);
		svg_axis("y", &d->y, out);
	}
	buf_text(out, " aria-label=\"");
	drawing_escape(out, label);
	buf_text(out, "\">\n");
	for (size_t i = 0; i < d->shapes; i++)
		svg_shape(d, &d->shape[i], out);
	buf_text(out, "</svg>\n");
}

void drawing_svg(const struct drawing *d, const char *label, struct buf *out)
{
	svg(d, label, "", out);
}

void drawing_svg_file(const struct drawing *d, const char *label, struct buf *out)
{
	svg(d, label, " xmlns=\"http://www.w3.org/2000/svg\" style=\"background:white\" color=\"black\"", out);
}
