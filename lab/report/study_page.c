/* A study as a page: one HTML file with its styles, drawings and script in it. */
#include "base/mem.h"
#include "lab/report/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Made from page.css and page.js, a string a line. */
static const char style[] =
#include "lab/report/page.css.inc"
	;
static const char script[] =
#include "lab/report/page.js.inc"
	;

#define LONG 30 /* bytes: a text that may be broken into lines */

struct page {
	struct buf *html;
	int figures, tables;
};

/* Writes a number with a comma before every third digit. */
static void count(struct buf *html, uint64_t n)
{
	if (n >= 1000) {
		count(html, n / 1000); /* seven levels at most */
		buf_format(html, ",%03llu", (unsigned long long)(n % 1000));
	} else {
		buf_format(html, "%llu", (unsigned long long)n);
	}
}

/* Writes a number with a minus sign in place of a hyphen. */
static void real(struct buf *html, double x, int decimals)
{
	if (isnan(x))
		buf_text(html, "&ndash;");
	else if (x != 0 && fabs(x) < 1e-3)
		buf_format(html, "%.3g", x);
	else if (x >= (decimals ? 1e4 : 1e3) && x < 1e18)
		count(html, (uint64_t)llround(x));
	else
		buf_format(html, "%s%.*f", x < 0 ? "&minus;" : "", decimals, fabs(x));
}

/* --- figures */

static void figure(struct page *p, const struct study_figure *f)
{
	buf_format(p->html, "<figure id=\"%s\">\n", f->name);
	drawing_svg(&f->drawing, f->label, p->html);
	buf_format(p->html, "<figcaption><b>Figure %d.</b> ", ++p->figures);
	drawing_escape(p->html, f->caption);
	buf_text(p->html, "</figcaption>\n</figure>\n");
}

/* --- tables */

/* Returns the CSS class of a text cell: green or red for a verdict, and for a difference with a "*", which marks it as
 * significant. */
static const char *class_of(const struct cell *c)
{
	static const struct {
		const char *text, *class;
	} verdicts[] = {{"holds", "good text"}, {"does not hold", "bad text"}, {"contradicted", "bad text"}, {"not shown", "text"},
		{"not tested", "text"}};
	const size_t n = strlen(c->text);

	for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
		if (strcmp(c->text, verdicts[i].text) == 0)
			return verdicts[i].class;
	if (n && c->text[n - 1] == '*')
		return *c->text == '-' ? "bad" : "good";
	return n > LONG ? "long text" : "text";
}

/* Writes a cell of a table, as a heading in the first column; the best value of a column has a class of its own. */
static void cell(struct buf *html, const struct study_table *t, size_t i)
{
	const struct cell *c = &t->cell[i];
	const int is_head = i % t->columns == 0;

	if (is_head)
		buf_format(html, "<th scope=\"row\"%s>", c->kind == CELL_TEXT && strlen(c->text) > LONG ? " class=\"long\"" : "");
	else if (c->kind == CELL_TEXT)
		buf_format(html, "<td class=\"%s\">", class_of(c));
	else
		buf_text(html, c->is_best ? "<td class=\"best\">" : "<td>");
	if (c->kind == CELL_TEXT)
		drawing_escape(html, c->text);
	else if (c->kind == CELL_COUNT)
		count(html, c->count);
	else if (c->kind == CELL_REAL)
		real(html, c->real, study_decimals(t, i % t->columns));
	else if (c->kind == CELL_INTERVAL)
		real(html, c->real, 1);
	if (c->kind == CELL_INTERVAL && !isnan(c->half))
		buf_format(html, " <small>&plusmn;%.1f</small>", c->half);
	buf_text(html, is_head ? "</th>" : "</td>");
}

/* Appends a table in a box that scrolls sideways on a narrow screen and can be scrolled with the keyboard. */
static void table(struct page *p, const struct study_table *t)
{
	struct buf *html = p->html;

	if (t->shown == STUDY_FILED || !t->cells)
		return;
	buf_format(html, "<p class=\"dim\"><b>Table %d.</b> ", ++p->tables);
	drawing_escape(html, t->caption);
	buf_format(html,
		"</p>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Table %d\">"
		"<table%s>\n<thead><tr>",
		p->tables, t->columns > 10 ? " class=\"wide\"" : "");
	for (size_t i = 0; i < t->columns; i++) {
		buf_format(html, "<th scope=\"col\"%s>", i && t->cell[i].kind == CELL_TEXT ? " class=\"text\"" : "");
		char *name = mem_text(t->column[i]);
		for (char *c = name; *c; c++)
			*c = *c == '_' ? ' ' : *c;
		drawing_escape(html, name);
		free(name);
		buf_text(html, "</th>");
	}
	buf_text(html, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < t->cells; i++) {
		buf_text(html, i % t->columns ? "" : "<tr>");
		cell(html, t, i);
		buf_text(html, (i + 1) % t->columns ? "" : "</tr>\n");
	}
	buf_text(html, "</tbody></table></div>\n");
}

/* --- the page */

/* Writes the facts about the study, several values under one name if they follow one another, and the version. */
static void protocol(const struct study *s, const char *version, struct buf *html)
{
	buf_text(html, "<h2>Protocol</h2>\n<dl>\n");
	for (size_t i = 0; i < s->facts; i++) {
		const struct study_fact *f = &s->fact[i];
		if (!i || strcmp(f->name, f[-1].name) != 0) {
			buf_text(html, "<dt>");
			drawing_escape(html, f->name);
			buf_text(html, "</dt>");
		}
		buf_text(html, "<dd>");
		if (f->value.kind == CELL_TEXT)
			drawing_escape(html, f->value.text);
		else if (f->value.kind == CELL_COUNT)
			buf_format(html, "%llu", (unsigned long long)f->value.count);
		else
			buf_format(html, "%g", f->value.real);
		buf_text(html, "</dd>\n");
	}
	buf_format(html, "<dt>lycosa</dt><dd>%s</dd>\n</dl>\n", version);
}

static void begin(const struct study *s, struct buf *html)
{
	buf_text(html,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>");
	drawing_escape(html, s->title);
	buf_format(html, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
	drawing_escape(html, s->title);
	buf_text(html, "</h1>\n");
}

void study_page(const struct study *s, const char *version, struct buf *html)
{
	struct page p = {.html = html};

	begin(s, html);
	for (size_t i = 0; i < s->tables; i++) {
		const struct study_table *t = &s->table[i];
		if (t->heading) {
			buf_text(html, "<h2>");
			drawing_escape(html, t->heading);
			buf_text(html, "</h2>\n");
		}
		buf_text(html, t->figures ? "<div class=\"figures\">\n" : "");
		for (size_t k = 0; k < t->figures; k++)
			figure(&p, &t->figure[k]);
		buf_text(html, t->figures ? "</div>\n" : "");
		table(&p, t);
	}
	protocol(s, version, html);
	buf_format(html,
		"<p class=\"dim\">Every number is in the files beside this page, each table in a file of its "
		"own; <code>manifest.json</code> says what they were made from.</p>\n"
		"</main>\n<script>\n%s</script>\n</body>\n</html>\n",
		script);
}
