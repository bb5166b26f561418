/* A drawing as a PDF file: ISO 32000-1, one page, its contents as they are. */
#include "lab/report/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
	struct buf contents = BUF_EMPTY;
	size_t at[6];

	buf_format(&contents, "%.6f 0 0 %.6f 0 0 cm 1 j\n", scale, scale);
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
	buf_release(&contents);
}
