/* Drawings and charts: shapes as SVG and as PDF, axes, names, and what is left out. */
#include "tests/test.h"

#include "base/mem.h"
#include "lab/report/chart.h"

#include <math.h>

static size_t count_of(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

static void texts_are_escaped(void **state)
{
	struct buf out = BUF_EMPTY;

	(void)state;
	drawing_escape(&out, "<b>&\"x\"\x1b\xff\xc3\xa9");
	assert_string_equal(out.at, "&lt;b&gt;&amp;&quot;x&quot;&#xfffd;&#xfffd;\xc3\xa9");
	buf_release(&out);
}

static void a_width_is_the_sum_of_its_letters(void **state)
{
	(void)state;
	assert_true(fabs(drawing_text_width("il") - 0.444) < 1e-9);
	assert_true(fabs(drawing_text_width("W m") - (0.944 + 0.278 + 0.833)) < 1e-9);
	assert_true(fabs(drawing_text_width("\xc2\xb1") - 0.556) < 1e-9);
	assert_true(drawing_text_width("") == 0);
}

/* Every entry of the table points at its object, and the stream is as long as it says. */
static void a_pdf_finds_its_objects(void **state)
{
	struct drawing d;
	struct buf out = BUF_EMPTY;

	(void)state;
	drawing_init(&d, 440, 100);
	drawing_line(&d, DRAWING_HUE, 1, 2, 3, 4)->opacity = .5;
	drawing_dot(&d, DRAWING_GREY, 5, 6, 2);
	drawing_text(&d, DRAWING_INK, 7, 8, DRAWING_END, "a(b)\\\xc2\xb1\xe2\x82\xac");
	drawing_pdf(&d, &out);
	assert_non_null(strstr(out.at, "(a\\(b\\)\\\\\\261?) Tj"));
	assert_non_null(strstr(out.at, "/MediaBox [0 0 252 57.27]"));
	const char *table = strstr(out.at, "\nxref\n0 6\n") + 1, *start = strstr(out.at, "startxref\n");
	assert_int_equal(strtol(start + 10, NULL, 10), table - out.at);
	for (int i = 1; i < 6; i++) {
		char want[32];
		const long at = strtol(table + 9 + 20 * i, NULL, 10);
		snprintf(want, sizeof want, "%d 0 obj\n", i);
		assert_memory_equal(out.at + at, want, strlen(want));
	}
	const char *length = strstr(out.at, "/Length "), *stream = strstr(out.at, "stream\n") + 7;
	assert_memory_equal(stream + strtol(length + 8, NULL, 10), "endstream\n", 10);
	buf_release(&out);
	drawing_release(&d);
}

/* A browser without Helvetica and Arial sets texts in a font that is up to a fifth wider. */
static void assert_texts_are_inside_in_a_wide_font(const struct drawing *d)
{
	for (size_t i = 0; i < d->shapes; i++) {
		const struct drawing_shape *s = &d->shape[i];
		if (s->kind != DRAWING_WORDS || s->is_turned)
			continue;
		const double wide = 1.2 * DRAWING_FONT * drawing_text_width(s->text);
		const double left = d->point[s->first].x -
			(s->anchor == DRAWING_END                     ? wide
					: s->anchor == DRAWING_MIDDLE ? wide / 2
								      : 0);
		assert_true(left >= 0 && left + wide <= DRAWING_WIDTH);
	}
}

static void a_chart_names_its_curves_apart(void **state)
{
	static const double low[] = {1, 2, 3}, high[] = {1, 2, 3.01};
	struct chart c = {.x_label = "pages", .y_label = "hot"};
	struct drawing d;
	struct buf out = BUF_EMPTY;
	double y[2];
	size_t names = 0;

	(void)state;
	chart_curve(&c, "partial-pagerank<", CHART_CANDIDATE);
	for (int i = 0; i < 3; i++)
		chart_point(&c, i + 1, low[i]);
	chart_curve(&c, "two", CHART_YARDSTICK);
	for (int i = 0; i < 3; i++)
		chart_point(&c, i + 1, high[i]);
	chart_draw(&d, &c);
	for (size_t i = 0; i < d.shapes; i++)
		if (d.shape[i].kind == DRAWING_WORDS && d.shape[i].series)
			y[names++] = d.point[d.shape[i].first].y;
	assert_int_equal(names, 2);
	assert_texts_are_inside_in_a_wide_font(&d);
	assert_true(y[1] - y[0] >= DRAWING_FONT);
	drawing_svg(&d, "a \"label\"", &out);
	assert_non_null(strstr(out.at, "aria-label=\"a &quot;label&quot;\""));
	assert_non_null(strstr(out.at, ">partial-pagerank&lt;</text>"));
	assert_non_null(strstr(out.at, "stroke=\"#8a8a8a\""));
	assert_null(strstr(out.at, "nan"));
	buf_release(&out);
	drawing_release(&d);
}

static void logarithms_and_gaps_leave_points_out(void **state)
{
	static const double x[] = {0, 1, 10, 100}, y[] = {5, 0, NAN, 1000};
	struct chart c = {.x_label = "x", .y_label = "y", .x_scale = CHART_LOG, .y_scale = CHART_LOG, .marks = CHART_POINTS};
	struct drawing d;
	struct buf out = BUF_EMPTY;

	(void)state;
	chart_curve(&c, "c", CHART_CANDIDATE);
	for (int i = 0; i < 4; i++)
		chart_point(&c, x[i], y[i]);
	chart_draw(&d, &c);
	drawing_svg(&d, "points", &out);
	assert_int_equal(count_of(out.at, "<circle"), 1);
	assert_null(strstr(out.at, "nan"));
	assert_null(strstr(out.at, "inf"));
	buf_release(&out);
	drawing_release(&d);
	struct chart empty = {.x_label = "x", .y_label = "y", .y_scale = CHART_LOG};
	chart_draw(&d, &empty);
	drawing_svg(&d, "nothing", &out);
	assert_null(strstr(out.at, "nan"));
	assert_null(strstr(out.at, "inf"));
	buf_release(&out);
	drawing_release(&d);
}

static void a_map_has_its_nodes_and_links(void **state)
{
	static const double x[] = {0, 4, 4}, y[] = {0, 0, 3};
	static const unsigned char link[9] = {0, 1, 0, 0, 0, 0, 0, 0, 0};
	struct drawing d;
	struct buf out = BUF_EMPTY;

	(void)state;
	chart_map(&d, x, y, 3, link);
	drawing_svg_file(&d, "map", &out);
	assert_int_equal(count_of(out.at, "<circle"), 3);
	assert_int_equal(count_of(out.at, "<path"), 1);
	assert_non_null(strstr(out.at, "xmlns="));
	buf_release(&out);
	drawing_release(&d);
}

static void a_diagram_joins_what_is_not_told_apart(void **state)
{
	double place[] = {1.2, 1.9, 2.9};
	const struct ranks r = {.graphs = 30, .methods = 3, .place = place, .critical = 0.8, .level = 0.05};
	static const char *const name[] = {"partial-pagerank", "batch-pagerank", "backlink"};
	struct drawing d;
	size_t bars = 0;

	(void)state;
	chart_critical(&d, &r, name);
	for (size_t i = 0; i < d.shapes; i++)
		bars += d.shape[i].kind == DRAWING_CURVE && d.shape[i].width > 3.4;
	assert_int_equal(bars, 1); /* of the first two */
	assert_texts_are_inside_in_a_wide_font(&d);
	drawing_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_escaped),
		cmocka_unit_test(a_width_is_the_sum_of_its_letters),
		cmocka_unit_test(a_pdf_finds_its_objects),
		cmocka_unit_test(a_chart_names_its_curves_apart),
		cmocka_unit_test(logarithms_and_gaps_leave_points_out),
		cmocka_unit_test(a_map_has_its_nodes_and_links),
		cmocka_unit_test(a_diagram_joins_what_is_not_told_apart),
	};

	return cmocka_run_group_tests_name("drawing", tests, NULL, NULL);
}
