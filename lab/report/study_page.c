/* A study as a page. */
#include "lab/report/figure.h"
#include "base/num.h"
#include "lab/report/report.h"
#include "lab/study/study.h"

#include <math.h>
#include <string.h>

struct sheet {
	struct buf *html;
	int figures, tables;
	int undrawn; /* there is no gnuplot: no second try */
	struct err_note why;
};

static void draw(struct sheet *p, const struct study_figure *figure)
{
	struct buf svg = BUF_EMPTY;

	if (figure->svg.used)
		report_figure(p->html, ++p->figures, figure->svg.at, figure->caption);
	if (figure->svg.used || p->undrawn)
		return;
	const int err = figure_draw(&svg, &figure->script, figure->label, &p->why);
	p->undrawn = err == ERR_OTHER;
	if (!p->undrawn)
		report_figure(p->html, ++p->figures, err ? NULL : svg.at, figure->caption);
	buf_release(&svg);
}

static void real(struct buf *html, double x)
{
	if (isnan(x))
		buf_text(html, "&ndash;");
	else if (x != 0 && (fabs(x) < 1e-3 || fabs(x) >= 1e6))
		buf_format(html, "%.3g", x);
	else
		buf_format(html, "%.*f", fabs(x) < 1 ? 4 : fabs(x) < 100 ? 2 : 1, x);
}

/* A verdict has a colour. */
static const char *class_of(const struct study_cell *c)
{
	if (c->kind != STUDY_TEXT)
		return "";
	return strcmp(c->text, "holds") == 0 ? " class=\"good text\""
	       : strcmp(c->text, "does not hold") == 0 || strcmp(c->text, "contradicted") == 0
		       ? " class=\"bad text\""
		       : " class=\"text\"";
}

static void cell(struct buf *html, const struct study_cell *c, int first)
{
	buf_format(html, first ? "<th scope=\"row\">" : "<td%s>", class_of(c));
	if (c->kind == STUDY_TEXT)
		figure_escape(html, c->text);
	else if (c->kind == STUDY_COUNT)
		buf_format(html, "%llu", (unsigned long long)c->count);
	else if (c->kind == STUDY_REAL)
		real(html, c->real);
	buf_text(html, first ? "</th>" : "</td>");
}

static void table(struct sheet *p, const struct study_table *t)
{
	struct buf *html = p->html;

	if (t->shown == STUDY_FILED || !t->cells)
		return;
	buf_format(html, "<p class=\"dim\"><b>Table %d.</b> %s</p>\n", ++p->tables, t->caption);
	report_begin_scroll(html, "Table", p->tables);
	buf_text(html, "<table>\n<thead><tr>");
	for (size_t i = 0; i < t->columns; i++) {
		buf_text(html, "<th scope=\"col\">");
		for (const char *c = t->column[i]; *c; c++)
			buf_byte(html, *c == '_' ? ' ' : *c);
		buf_text(html, "</th>");
	}
	buf_text(html, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < t->cells; i++) {
		buf_text(html, i % t->columns ? "" : "<tr>");
		cell(html, &t->cell[i], i % t->columns == 0);
		buf_text(html, (i + 1) % t->columns ? "" : "</tr>\n");
	}
	buf_text(html, "</tbody></table></div>\n");
}

static void entry(struct buf *html, const char *name, const char *text)
{
	buf_format(html, "<dt>%s</dt><dd>", name);
	figure_escape(html, text);
	buf_text(html, "</dd>\n");
}

static void protocol(struct buf *html, const struct study_page *about)
{
	char fingerprint[FINGERPRINT_ROOM];

	buf_text(html, "<h2>Protocol</h2>\n<dl>\n");
	if (about->graph)
		entry(html, "graph", about->graph);
	if (about->nodes)
		buf_format(html,
			"<dt>fingerprint</dt><dd>%s</dd>\n"
			"<dt>pages</dt><dd>%llu</dd>\n<dt>links</dt><dd>%llu</dd>\n",
			fingerprint_text(about->fingerprint, fingerprint), (unsigned long long)about->nodes,
			(unsigned long long)about->arcs);
	entry(html, "options", about->options);
	entry(html, "lycosa", about->version);
	buf_text(html, "</dl>\n");
}

int study_write(const struct study *s, const struct study_page *about, struct buf *html,
	struct err_note *why)
{
	struct sheet p = {.html = html};

	report_begin_page(html, about->title);
	for (size_t i = 0; i < s->tables; i++) {
		const struct study_table *t = &s->table[i];
		if (t->heading)
			buf_format(html, "<h2>%s</h2>\n", t->heading);
		for (size_t k = 0; k < t->figures; k++)
			draw(&p, &t->figure[k]);
		table(&p, t);
	}
	protocol(html, about);
	if (p.undrawn)
		buf_text(html, "<p>The figures are left out: gnuplot was missing when this was "
			       "made.</p>\n");
	buf_text(html,
		"<p class=\"dim\">Every number is in <code>results.tsv</code> and "
		"<code>results.json</code>; <code>manifest.json</code> says what they were made "
		"from.</p>\n</main>\n</body>\n</html>\n");
	if (p.undrawn)
		*why = p.why;
	return p.undrawn ? ERR_OTHER : 0;
}
