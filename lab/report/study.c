#include "lab/report/study.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/opt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void release_figure(struct study_figure *f)
{
	drawing_release(&f->drawing);
	free(f->name);
	free(f->label);
	free(f->caption);
}

static void release_table(struct study_table *t)
{
	for (size_t k = 0; k < t->cells; k++)
		free((void *)(uintptr_t)t->cell[k].text);
	for (size_t k = 0; k < t->figures; k++)
		release_figure(&t->figure[k]);
	for (size_t k = 0; k < t->columns; k++)
		free(t->column[k]);
	free(t->column);
	free(t->heading);
	free(t->caption);
	free(t->cell);
	free(t->figure);
}

void study_release(struct study *s)
{
	for (size_t i = 0; i < s->tables; i++)
		release_table(&s->table[i]);
	for (size_t i = 0; i < s->facts; i++) {
		free(s->fact[i].name);
		free((void *)(uintptr_t)s->fact[i].value.text);
	}
	free(s->fact);
	free(s->table);
	free(s->title);
	*s = (struct study){0};
}

/* --- facts */

static struct cell copied(struct cell cell)
{
	if (cell.kind == CELL_TEXT)
		cell.text = mem_text(cell.text);
	return cell;
}

void study_fact(struct study *s, const char *name, struct cell value)
{
	s->fact = mem_grow(s->fact, &s->fact_room, s->facts + 1, sizeof *s->fact);
	s->fact[s->facts++] = (struct study_fact){mem_text(name), copied(value)};
}

/* --- tables */

void study_table(struct study *s, const char *name, const char *heading, char *take_caption, const char *columns,
	enum study_shown shown)
{
	s->table = mem_grow(s->table, &s->room, s->tables + 1, sizeof *s->table);
	s->table[s->tables++] = (struct study_table){.name = name,
		.heading = heading ? mem_text(heading) : NULL,
		.caption = take_caption ? take_caption : mem_text(""),
		.shown = shown};
	for (size_t n; *columns; columns += n + (columns[n] == ' ')) {
		n = strcspn(columns, " ");
		AUTO_FREE char *one = mem_part(columns, n);
		study_columns(s, (const char *const *)&one, 1);
	}
}

void study_columns(struct study *s, const char *const *column, size_t n)
{
	struct study_table *t = &s->table[s->tables - 1];

	t->column = mem_resize(t->column, t->columns + n + 1, sizeof *t->column);
	for (size_t i = 0; i < n; i++)
		t->column[t->columns++] = mem_text(column[i]);
	t->column[t->columns] = NULL;
}

void study_cells(struct study *s, const struct cell *cell, size_t n)
{
	struct study_table *t = &s->table[s->tables - 1];

	t->cell = mem_grow(t->cell, &t->room, t->cells + n, sizeof *t->cell);
	for (size_t i = 0; i < n; i++)
		t->cell[t->cells++] = copied(cell[i]);
}

void study_mean(struct study *s, struct interval v)
{
	STUDY_CELLS(s, cell_real(v.mean), cell_real(v.low), cell_real(v.high));
}

void study_claim(struct study *s, const char *claim, int holds, char *take_seen)
{
	STUDY_CELLS(s, cell_text(claim),
		cell_text(holds < 0     ? "not tested"
				: holds ? "holds"
					: "does not hold"),
		cell_text(take_seen));
	free(take_seen);
}

struct cell study_interval(struct interval x, double scale)
{
	return (struct cell){.kind = CELL_INTERVAL, .real = scale * x.mean, .half = scale * (x.high - x.low) / 2};
}

void study_figure(struct study *s, struct drawing *take_drawing, char *take_name, char *take_label, char *take_caption)
{
	struct study_table *t = &s->table[s->tables - 1];

	for (char *c = take_name; *c; c++) /* a link to it needs no escapes then */
		*c = ascii_is_alnum(*c) || *c == '.' ? *c : '-';
	t->figure = mem_grow(t->figure, &t->figure_room, t->figures + 1, sizeof *t->figure);
	t->figure[t->figures++] = (struct study_figure){*take_drawing, take_name, take_label, take_caption};
	*take_drawing = (struct drawing){0};
}

void study_chart(struct study *s, struct chart *c, char *take_name, char *take_label, char *take_caption)
{
	struct drawing d;

	chart_draw(&d, c);
	study_figure(s, &d, take_name, take_label, take_caption);
}

void study_append(struct study *s, struct study *take_other)
{
	for (size_t i = 0; i < take_other->tables; i++) {
		s->table = mem_grow(s->table, &s->room, s->tables + 1, sizeof *s->table);
		s->table[s->tables++] = take_other->table[i];
	}
	take_other->tables = 0;
	study_release(take_other);
}

int study_decimals(const struct study_table *t, size_t column)
{
	double most = 0;

	for (size_t k = column; k < t->cells; k += t->columns)
		if (t->cell[k].kind == CELL_REAL && fabs(t->cell[k].real) > most)
			most = fabs(t->cell[k].real);
	return most >= 1000 ? 0 : most >= 100 ? 1 : most > 1 ? 2 : 4;
}

uint64_t study_fingerprint(const struct study *s)
{
	XXH3_state_t *state = XXH3_createState();

	XXH3_64bits_reset(state);
	for (size_t i = 0; i < s->tables; i++) {
		const struct study_table *t = &s->table[i];
		XXH3_64bits_update(state, t->name, strlen(t->name) + 1);
		for (size_t k = 0; k < t->cells; k++) {
			const struct cell *c = &t->cell[k];
			XXH3_64bits_update(state, &c->count, sizeof c->count);
			XXH3_64bits_update(state, &c->real, sizeof c->real);
			if (c->text)
				XXH3_64bits_update(state, c->text, strlen(c->text) + 1);
		}
	}
	const uint64_t numbers = XXH3_64bits_digest(state);
	XXH3_freeState(state);
	return numbers;
}

/* --- A study as Markdown, LaTeX and plain tables. */

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
static void cell(struct buf *out, const struct cell *c, const struct form *form)
{
	buf_text(out, c->is_best ? form->bold : "");
	if (c->kind == CELL_TEXT)
		text(out, c->text, form->escape);
	else if (c->kind == CELL_COUNT)
		buf_format(out, "%llu", (unsigned long long)c->count);
	else if (c->kind == CELL_REAL)
		short_real(out, c->real);
	else if (c->kind == CELL_INTERVAL)
		buf_format(out, isnan(c->real) ? "–" : "%.1f", c->real);
	if (c->kind == CELL_INTERVAL && !isnan(c->half))
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
		const struct cell *first = t->cells ? &t->cell[i] : NULL;
		buf_text(out, first && first->kind != CELL_TEXT ? "|---:" : "|---");
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
		buf_byte(out, t->cells && t->cell[i].kind != CELL_TEXT ? 'r' : 'l');
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
		const struct cell *c = &t->cell[i];
		if (c->kind != CELL_REAL && c->kind != CELL_INTERVAL)
			cell(out, c, &tsv_form);
		else if (!isnan(c->real))
			opt_shortest(out, c->real);
		buf_byte(out, (i + 1) % t->columns ? '\t' : '\n');
	}
}

char *sentence_filled(const char *text, const struct sentence_number *number, size_t n)
{
	struct buf out = BUF_EMPTY;

	buf_text(&out, "");
	while (*text) {
		size_t i = 0, length = 0;
		for (; *text == '{' && i < n; i++) {
			length = strlen(number[i].name);
			if (strncmp(text + 1, number[i].name, length) == 0 && text[length + 1] == '}')
				break;
		}
		if (*text == '{' && i < n) {
			buf_text(&out, number[i].take_text);
			text += length + 2;
		} else {
			buf_byte(&out, (unsigned char)*text++);
		}
	}
	for (size_t i = 0; i < n; i++)
		free(number[i].take_text);
	buf_end(&out);
	return buf_take(&out);
}
