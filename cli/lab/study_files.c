#include "cli/lab/study_files.h"
#include "cli/folder.h"
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const study_file_names[] = {"/*.tsv", "/*.svg", "/*.pdf", "/results.json", "/manifest.json", "/report.html",
	"/report.md", "/tables.tex", NULL};

static void print_cell(struct results *r, const struct study_cell *c)
{
	if (c->kind == STUDY_TEXT)
		results_text(r, c->text);
	else if (c->kind == STUDY_COUNT)
		results_count(r, c->count);
	else if (c->kind == STUDY_NONE)
		results_none(r);
	else
		results_real(r, c->real);
}

static void print_table(struct results *r, const struct study_table *t)
{
	for (size_t k = 0; k < t->cells; k++)
		print_cell(r, &t->cell[k]);
}

/* Prints, for a study without a table "rows", a row for each of its tables: the name, and the number of rows. */
static void print_names(struct results *r, const struct study *s)
{
	static const char *const columns[] = {"table", "rows", NULL};

	results_columns(r, columns);
	for (size_t i = 0; i < s->tables; i++) {
		results_text(r, s->table[i].name);
		results_count(r, s->table[i].cells / s->table[i].columns);
	}
}

/* Prints every table under its own name, so that one expression of sed or jq selects any of them. */
static int print(const struct study *s, enum results_form form, FILE *out, struct err_note *why)
{
	const size_t rows = s->tables && strcmp(s->table[0].name, "rows") == 0;
	struct results r;

	results_begin(&r, out, form);
	for (size_t i = 0; i < s->facts; i++) {
		results_name(&r, s->fact[i].name);
		print_cell(&r, &s->fact[i].value);
	}
	if (rows) {
		results_columns(&r, (const char *const *)s->table[0].column);
		print_table(&r, &s->table[0]);
	} else {
		print_names(&r, s);
	}
	for (size_t i = rows; i < s->tables; i++) {
		results_table(&r, s->table[i].name, (const char *const *)s->table[i].column);
		print_table(&r, &s->table[i]);
	}
	return results_end(&r, why);
}

static int write_results(const char *folder, const char *name, const struct study *s, enum results_form form, struct err_note *why)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	if (!out)
		return err_set(why, ERR_MEMORY, "cannot make '%s': out of memory", name);
	int err = print(s, form, out, why);
	if ((ferror(out) | fclose(out)) && !err) /* a stream to memory has no other way to fail */
		err = err_set(why, ERR_MEMORY, "cannot make '%s': out of memory", name);
	if (!err)
		err = folder_write(folder, name, text, n, why);
	free(text);
	return err;
}

static int write_with_end(const char *folder, const char *name, const char *end, const struct buf *text, struct err_note *why)
{
	struct buf file = BUF_EMPTY;

	buf_format(&file, "%s%s", name, end);
	const int err = folder_write(folder, file.at, text->at ? text->at : "", text->used, why);
	buf_release(&file);
	return err;
}

static int write_figure(const char *folder, const struct study_figure *f, struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	drawing_svg_file(&f->drawing, f->label, &text);
	int err = write_with_end(folder, f->name, ".svg", &text, why);
	buf_clear(&text);
	drawing_pdf(&f->drawing, &text);
	if (!err)
		err = write_with_end(folder, f->name, ".pdf", &text, why);
	buf_release(&text);
	return err;
}

/* Writes one table, and the figures that stand before it. */
static int write_table(const char *folder, const struct study_table *t, struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	study_tsv(t, &text);
	int err = write_with_end(folder, t->name, ".tsv", &text, why);
	for (size_t k = 0; !err && k < t->figures; k++)
		err = write_figure(folder, &t->figure[k], why);
	buf_release(&text);
	return err;
}

static void write_html(const struct study *s, struct buf *out)
{
	study_page(s, PACKAGE_VERSION, out);
}

static int write_manifest(const char *folder, const struct job *j, struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	job_manifest(j, &text);
	const int err = folder_write(folder, "manifest.json", text.at, text.used, why);
	buf_release(&text);
	return err;
}

int study_files(const char *folder, const struct study *s, const struct job *j, struct err_note *why)
{
	static const struct {
		const char *name;
		void (*write)(const struct study *s, struct buf *out);
	} texts[] = {{"report.html", write_html}, {"report.md", study_markdown}, {"tables.tex", study_latex}};
	int err = write_results(folder, "results.tsv", s, RESULTS_TSV, why);

	if (!err)
		err = write_results(folder, "results.json", s, RESULTS_JSON, why);
	for (size_t i = 0; !err && i < s->tables; i++)
		err = write_table(folder, &s->table[i], why);
	for (size_t i = 0; !err && i < sizeof texts / sizeof *texts; i++) {
		struct buf text = BUF_EMPTY;
		texts[i].write(s, &text);
		err = folder_write(folder, texts[i].name, text.at, text.used, why);
		buf_release(&text);
	}
	if (!err)
		err = write_manifest(folder, j, why);
	return err;
}

int study_print(const struct study *s, const struct report_options *o, struct err_note *why)
{
	return print(s, o->json ? RESULTS_JSON : RESULTS_TSV, stdout, why);
}
