#include "lab/report/drawing.h"
#include "base/err.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>
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

/* Returns the colour of a paint in static memory: "#rrggbb", or "currentColor" for DRAWING_INK. */
static const char *drawing_colour(int paint)
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

/* --- A drawing as a PDF file: ISO 32000-1, one page, its contents as they are. */

#define FONT_HEIGHT 1000.0 /* of the widths */
#define OPACITIES   20     /* graphics states: a twentieth apart */

/* Widths of Helvetica's letters from the blank to the tilde, in thousandths of its height. */
static const unsigned short widths[] = {278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556,
	556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
	500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556,
	500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
	260, 334, 584};

/* Returns the next character of a UTF-8 text in Latin-1, '?' if Latin-1 does not have it, 0 at the end. */
static unsigned next_letter(const unsigned char **text)
{
	const unsigned char *c = *text;
	unsigned letter = c[0];
	size_t n = 1;

	if ((c[0] & 0xe0) == 0xc0 && (c[1] & 0xc0) == 0x80) {
		letter = (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu);
		n = 2;
	} else if (c[0] >= 0x80) {
		letter = '?';
		while ((c[n] & 0xc0) == 0x80)
			n++;
	}
	*text += letter ? n : 0;
	return letter > 0xff ? '?' : letter;
}

double drawing_text_width(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	double sum = 0;

	for (unsigned c; (c = next_letter(&at)) != 0;)
		sum += c >= ' ' && c <= '~' ? widths[c - ' '] : 556;
	return sum / FONT_HEIGHT;
}

double drawing_text_room(const char *text)
{
	return drawing_text_width(text) * DRAWING_FONT * 1.2;
}

/* Writes a text as a string of PDF in the font's encoding: special and other than plain letters are escaped. */
static void string(const char *text, struct buf *out)
{
	const unsigned char *at = (const unsigned char *)text;

	buf_byte(out, '(');
	for (unsigned c; (c = next_letter(&at)) != 0;)
		if (c == '(' || c == ')' || c == '\\')
			buf_format(out, "\\%c", (char)c);
		else if (c < ' ' || c > '~')
			buf_format(out, "\\%03o", c);
		else
			buf_byte(out, (int)c);
	buf_byte(out, ')');
}

static void colour(const struct drawing_shape *s, const char *operator, struct buf * out)
{
	const char *name = drawing_colour(s->paint);
	const unsigned long rgb = *name == '#' ? strtoul(name + 1, NULL, 16) : 0;

	buf_format(out, "%.3f %.3f %.3f %s /O%d gs\n", (double)(rgb >> 16) / 255, (double)(rgb >> 8 & 0xff) / 255,
		(double)(rgb & 0xff) / 255, operator,(int) lround(s->opacity * OPACITIES));
}

/* Returns a height as PDF counts it, from the lower edge upwards. */
static double up(const struct drawing *d, double y)
{
	return d->height - y;
}

static void path(const struct drawing *d, const struct drawing_shape *s, struct buf *out)
{
	int is_down = 0;

	for (size_t i = s->first; i < s->first + s->points; i++) {
		if (!isnan(d->point[i].y))
			buf_format(out, "%.2f %.2f %c\n", d->point[i].x, up(d, d->point[i].y), is_down ? 'l' : 'm');
		is_down = !isnan(d->point[i].y);
	}
}

/* Draws a circle as four Bezier curves, whose control points lie 0.5523 of the radius away. */
static void dot(const struct drawing *d, const struct drawing_shape *s, struct buf *out)
{
	static const double turn[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
	const double x = d->point[s->first].x, y = up(d, d->point[s->first].y), r = s->width, k = 0.5523;

	buf_format(out, "%.2f %.2f m\n", x + r, y);
	for (int i = 0; i < 4; i++) {
		const double *a = turn[i], *b = turn[i + 1];
		buf_format(out, "%.2f %.2f %.2f %.2f %.2f %.2f c\n", x + r * (a[0] + k * b[0]), y + r * (a[1] + k * b[1]),
			x + r * (b[0] + k * a[0]), y + r * (b[1] + k * a[1]), x + r * b[0], y + r * b[1]);
	}
	buf_text(out, "f\n");
}

/* Writes a text. PDF knows no anchor, so the start is computed from the text's width. */
static void words(const struct drawing *d, const struct drawing_shape *s, struct buf *out)
{
	const double wide = drawing_text_width(s->text) * DRAWING_FONT;
	const double back = s->anchor == DRAWING_END ? wide : s->anchor == DRAWING_MIDDLE ? wide / 2 : 0;
	const double x = d->point[s->first].x, y = up(d, d->point[s->first].y);

	buf_format(out, "BT /F %d Tf ", DRAWING_FONT);
	if (s->is_turned)
		buf_format(out, "0 1 -1 0 %.2f %.2f Tm ", x, y - back);
	else
		buf_format(out, "%.2f %.2f Td ", x - back, y);
	string(s->text, out);
	buf_text(out, " Tj ET\n");
}

/* Writes a shape with its colour as operators of PDF. */
static void shape(const struct drawing *d, const struct drawing_shape *s, struct buf *out)
{
	static const char *const dashes[] = {"[]", "[6 3]", "[2 3]", "[9 3 2 3]"};

	colour(s, s->kind == DRAWING_CURVE ? "RG" : "rg", out);
	switch (s->kind) {
	case DRAWING_CURVE:
		buf_format(out, "%.3g w %s 0 d\n", s->width, dashes[s->dash % 4]);
		path(d, s, out);
		buf_text(out, "S\n");
		break;
	case DRAWING_AREA:
		path(d, s, out);
		buf_text(out, "f\n");
		break;
	case DRAWING_DOT:
		dot(d, s, out);
		break;
	case DRAWING_WORDS:
		words(d, s, out);
		break;
	}
}

static void begin_object(struct buf *out, size_t *at, int number)
{
	at[number] = out->used;
	buf_format(out, "%d 0 obj\n", number);
}

void drawing_pdf(const struct drawing *d, struct buf *out)
{
	const double scale = DRAWING_PRINT / d->width;
	size_t at[6];

	AUTO(buf) contents = buf_of("%.6f 0 0 %.6f 0 0 cm 1 j\n", scale, scale);

	for (size_t i = 0; i < d->shapes; i++)
		shape(d, &d->shape[i], &contents);
	const size_t from = out->used;
	buf_text(out, "%PDF-1.4\n");
	begin_object(out, at, 1);
	buf_text(out, "<< /Type /Catalog /Pages 2 0 R >>\nendobj\n");
	begin_object(out, at, 2);
	buf_text(out, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n");
	begin_object(out, at, 3);
	buf_format(out,
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %.2f] /Contents 4 0 R\n"
		"/Resources << /Font << /F 5 0 R >> /ExtGState <<",
		DRAWING_PRINT, d->height * scale);
	for (int i = 0; i <= OPACITIES; i++)
		buf_format(out, " /O%d << /CA %.2f /ca %.2f >>", i, (double)i / OPACITIES, (double)i / OPACITIES);
	buf_text(out, " >> >> >>\nendobj\n");
	begin_object(out, at, 4);
	buf_format(out, "<< /Length %zu >>\nstream\n", contents.used);
	buf_add(out, contents.at, contents.used);
	buf_text(out, "endstream\nendobj\n");
	begin_object(out, at, 5);
	buf_text(out,
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica "
		"/Encoding /WinAnsiEncoding >>\nendobj\n");
	const size_t table = out->used - from;
	buf_text(out, "xref\n0 6\n0000000000 65535 f \n");
	for (int i = 1; i < 6; i++)
		buf_format(out, "%010zu 00000 n \n", at[i] - from);
	buf_format(out, "trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%zu\n%%%%EOF\n", table);
}
