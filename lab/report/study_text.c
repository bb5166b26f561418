/* A study as Markdown, LaTeX and plain tables. */
#include "base/opt.h"
#include "lab/report/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Writes a number with three digits, or two decimals below 10 and one above; NAN as a dash. */
static void short_real(struct buf *out, double x)
{
	if (isnan(x))
		buf_text(out, "–");
	else if (x != 0 && (fabs(x) < 1e-3 || fabs(x) >= 1e6))
		buf_format(out, "%.3g", x);
	else
		buf_format(out, "%.*f", fabs(x) < 10 ? 2 : 1, x);
}

/* Bytes that mean something to the form are escaped by `escape`, which says with what. */
static void text(struct buf *out, const char *words, const char *(*escape)(char byte))
{
	for (; *words; words++) {
		const char *in_place = escape(*words);
		if (in_place)
			buf_text(out, in_place);
		else
			buf_byte(out, *words);
	}
}

/* How a form writes a text, an interval's sign, and what is set in bold. */
struct form {
	const char *(*escape)(char byte);
	const char *plus_minus, *bold, *end_bold;
};

/* Writes a cell in a form of text; the best value of a column is bold. */
static void cell(struct buf *out, const struct study_cell *c, const struct form *form)
{
	buf_text(out, c->is_best ? form->bold : "");
	if (c->kind == STUDY_TEXT)
		text(out, c->text, form->escape);
	else if (c->kind == STUDY_COUNT)
		buf_format(out, "%llu", (unsigned long long)c->count);
	else if (c->kind == STUDY_REAL)
		short_real(out, c->real);
	else if (c->kind == STUDY_INTERVAL)
		buf_format(out, isnan(c->real) ? "–" : "%.1f", c->real);
	if (c->kind == STUDY_INTERVAL && !isnan(c->half))
		buf_format(out, "%s%.1f", form->plus_minus, c->half);
	buf_text(out, c->is_best ? form->end_bold : "");
}

/* --- Markdown */

static const char *for_markdown(char byte)
{
	return byte == '|' ? "\\|" : byte == '_' ? " " : NULL;
}

static const char *for_markdown_cell(char byte)
{
	return byte == '|' ? "\\|" : NULL;
}

static const struct form markdown_form = {for_markdown_cell, " ±", "**", "**"};

/* Writes a table as Markdown, with numbers at the right of their columns. */
static void markdown_table(const struct study_table *t, struct buf *out)
{
	for (size_t i = 0; i < t->columns; i++) {
		buf_text(out, "| ");
		text(out, t->column[i], for_markdown);
		buf_byte(out, ' ');
	}
	buf_text(out, "|\n");
	for (size_t i = 0; i < t->columns; i++) {
		const struct study_cell *first = t->cells ? &t->cell[i] : NULL;
		buf_text(out, first && first->kind != STUDY_TEXT ? "|---:" : "|---");
	}
	buf_text(out, "|\n");
	for (size_t i = 0; i < t->cells; i++) {
		buf_text(out, "| ");
		cell(out, &t->cell[i], &markdown_form);
		buf_text(out, (i + 1) % t->columns ? " " : " |\n");
	}
	buf_byte(out, '\n');
}

void study_markdown(const struct study *s, struct buf *out)
{
	buf_format(out, "# %s\n\n", s->title);
	for (size_t i = 0; i < s->tables; i++) {
		const struct study_table *t = &s->table[i];
		if (t->heading)
			buf_format(out, "## %s\n\n", t->heading);
		for (size_t k = 0; k < t->figures; k++)
			buf_format(out, "![%s](%s.svg)\n\n%s\n\n", t->figure[k].label, t->figure[k].name, t->figure[k].caption);
		if (t->shown == STUDY_FILED) {
			buf_format(out, "The numbers are in [%s.tsv](%s.tsv).\n\n", t->name, t->name);
			continue;
		}
		if (*t->caption)
			buf_format(out, "%s\n\n", t->caption);
		markdown_table(t, out);
	}
}

/* --- LaTeX */

/* Returns what stands for a byte in LaTeX, or NULL if the byte stands for itself. */
static const char *for_latex(char byte)
{
	switch (byte) {
	case '_':
		return "\\_";
	case '%':
		return "\\%";
	case '&':
		return "\\&";
	case '#':
		return "\\#";
	case '$':
		return "\\$";
	case '{':
		return "\\{";
	case '}':
		return "\\}";
	case '~':
		return "\\textasciitilde{}";
	case '^':
		return "\\textasciicircum{}";
	case '\\':
		return "\\textbackslash{}";
	case '<':
		return "\\textless{}";
	case '>':
		return "\\textgreater{}";
	default:
		return NULL;
	}
}

static const char *for_latex_heading(char byte)
{
	return byte == '_' ? " " : for_latex(byte);
}

static const struct form latex_form = {for_latex, " $\\pm$ ", "\\textbf{", "}"};

/* Writes a table as LaTeX, with the rules of the package booktabs. */
static void latex_table(const struct study_table *t, struct buf *out)
{
	buf_text(out, "\\begin{table}\n\\centering\n\\caption{");
	text(out, t->caption, for_latex);
	buf_format(out, "}\n\\label{tab:%s}\n\\begin{tabular}{", t->name);
	for (size_t i = 0; i < t->columns; i++)
		buf_byte(out, t->cells && t->cell[i].kind != STUDY_TEXT ? 'r' : 'l');
	buf_text(out, "}\n\\toprule\n");
	for (size_t i = 0; i < t->columns; i++) {
		text(out, t->column[i], for_latex_heading);
		buf_text(out, i + 1 < t->columns ? " & " : " \\\\\n\\midrule\n");
	}
	for (size_t i = 0; i < t->cells; i++) {
		cell(out, &t->cell[i], &latex_form);
		buf_text(out, (i + 1) % t->columns ? " & " : " \\\\\n");
	}
	buf_text(out, "\\bottomrule\n\\end{tabular}\n\\end{table}\n\n");
}

void study_latex(const struct study *s, struct buf *out)
{
	buf_text(out, "% \\usepackage{booktabs}\n");
	for (size_t i = 0; i < s->tables; i++)
		if (s->table[i].shown == STUDY_SHOWN && s->table[i].cells)
			latex_table(&s->table[i], out);
}

/* --- tab-separated values */

static const char *for_tsv(char byte)
{
	return byte == '\t' || byte == '\n' || byte == '\r' ? " " : NULL;
}

static const struct form tsv_form = {for_tsv, "", "", ""};

void study_tsv(const struct study_table *t, struct buf *out)
{
	for (size_t i = 0; i < t->columns; i++) {
		text(out, t->column[i], for_tsv);
		buf_byte(out, i + 1 < t->columns ? '\t' : '\n');
	}
	for (size_t i = 0; i < t->cells; i++) {
		const struct study_cell *c = &t->cell[i];
		if (c->kind != STUDY_REAL && c->kind != STUDY_INTERVAL)
			cell(out, c, &tsv_form);
		else if (!isnan(c->real))
			opt_shortest(out, c->real);
		buf_byte(out, (i + 1) % t->columns ? '\t' : '\n');
	}
}
