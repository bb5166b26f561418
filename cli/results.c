#include "cli/results.h"
#include "base/ascii.h"
#include "base/err.h"
#include "base/num.h"
#include "base/buf.h"
#include "base/opt.h"
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void escape(const char *text, struct buf *out)
{
	while (*text) {
		size_t n = err_printable(text);
		if (n) {
			buf_add(out, text, n);
		} else {
			buf_format(out, "\\x%02x", (unsigned char)*text);
			n = 1;
		}
		text += n;
	}
}

void results_print(FILE *out, const char *text)
{
	struct buf b = BUF_EMPTY;
	const char *p = text;

	while (*p >= 0x20 && *p < 0x7f)
		p++;
	if (!*p) { /* the usual case */
		fputs(text, out);
		return;
	}
	escape(text, &b);
	fwrite(b.at, 1, b.used, out);
	buf_release(&b);
}

void results_begin(struct results *r, FILE *out, enum results_form form)
{
	*r = (struct results){.out = out, .form = form, .part = RESULTS_ABOUT};
	if (form == RESULTS_JSON)
		r->object = json_object();
	results_fact(r, form == RESULTS_JSON ? "version" : "lycosa", cell_text(PACKAGE_VERSION));
}

void results_figures(struct results *r)
{
	assert(r->part == RESULTS_ABOUT);
	r->part = RESULTS_FIGURES;
	if (r->form == RESULTS_TSV)
		fputs("name\tvalue\n", r->out);
}

/* Prints a value; a real number in the shortest form that reads back as the same number. */
static void dump_value(const json_t *value, FILE *out)
{
	int digits = 15;

	if (json_is_real(value)) {
		char text[32];
		for (; digits < 17; digits++) {
			ascii_format(text, sizeof text, "%.*g", digits, json_real_value(value));
			if (ascii_real(text, NULL) == json_real_value(value))
				break;
		}
	}
	const size_t flags = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION((size_t)digits);
	char *text = json_dumps(value, flags);
	for (const char *p = text; p && *p; p += err_printable(p))
		if (!err_printable(p)) { /* a control character, which a terminal would obey */
			free(text);
			text = json_dumps(value, flags | JSON_ENSURE_ASCII);
			break;
		}
	fputs(text ? text : "null", out);
	free(text);
}

/* Prints the members of an object, each after `lead`: "" in rows, blanks where the JSON is laid out for readers. */
static void dump_members(json_t *object, const char *lead, FILE *out)
{
	const char *name, *comma = "";
	json_t *value;

	json_object_foreach(object, name, value)
	{
		fprintf(out, "%s%s\"%s\":%s", comma, lead, name, *lead ? " " : "");
		dump_value(value, out);
		comma = ",";
	}
}

void results_list(struct results *r, const char *const *names)
{
	if (r->form == RESULTS_TSV)
		fputs("# ", r->out);
	results_columns(r, names);
}

/* Begins a table; in JSON, what stands before the first one is printed. */
static void begin_rows(struct results *r, const char *name, const char *const *names)
{
	assert(!r->cell && names[0]);
	if (r->form == RESULTS_JSON && r->part != RESULTS_ROWS) {
		/* the closing brace comes at the end */
		fputc('{', r->out);
		dump_members(r->object, "", r->out);
		json_object_clear(r->object);
		fprintf(r->out, ",\"%s\":[", name);
	} else if (r->form == RESULTS_JSON) {
		fprintf(r->out, "\n],\"%s\":[", name);
	}
	r->part = RESULTS_ROWS;
	r->column = names;
	r->rows = 0;
	for (r->columns = 0; names[r->columns]; r->columns++)
		if (r->form == RESULTS_TSV)
			fprintf(r->out, "%s%s", r->columns || r->table ? "\t" : "", names[r->columns]);
	if (r->form == RESULTS_TSV)
		fputc('\n', r->out);
}

void results_columns(struct results *r, const char *const *names)
{
	assert(r->part == RESULTS_ABOUT);
	begin_rows(r, "rows", names);
}

void results_table(struct results *r, const char *name, const char *const *names)
{
	r->table = name;
	if (r->form == RESULTS_TSV)
		fprintf(r->out, "#%s", name);
	begin_rows(r, name, names);
}

/* Prints what stands before a value in TSV. */
static void lead(const struct results *r, const char *name)
{
	if (r->part == RESULTS_ABOUT)
		fprintf(r->out, "# %s: ", name);
	else if (r->part == RESULTS_FIGURES)
		fprintf(r->out, "%s\t", name);
	else if (r->cell)
		fputc('\t', r->out);
	else if (r->table)
		fprintf(r->out, "#%s\t", r->table);
}

/* Counts a cell, after which the row may be complete. */
static void step(struct results *r)
{
	if (++r->cell < r->columns)
		return;
	r->cell = 0;
	if (r->form == RESULTS_TSV) {
		fputc('\n', r->out);
	} else {
		fputs(r->rows ? ",\n{" : "\n{", r->out);
		dump_members(r->object, "", r->out);
		fputc('}', r->out);
		json_object_clear(r->object);
	}
	r->rows++;
}

/* Adds a value under a name. If the object has the name, its value becomes a list. */
static void put(struct results *r, const char *name, json_t *value)
{
	json_t *before = json_object_get(r->object, name);

	if (before && json_is_array(before)) {
		json_array_append_new(before, value);
	} else if (before) {
		json_t *list = json_array();
		json_array_append(list, before);
		json_array_append_new(list, value);
		json_object_set_new(r->object, name, list);
	} else {
		json_object_set_new(r->object, name, value);
	}
}

/* Returns a text as JSON, with bytes that are no UTF-8 escaped. */
static json_t *json_of_text(const char *text)
{
	json_t *value = json_string(text);

	if (!value) {
		AUTO(buf) b = BUF_EMPTY;
		escape(text, &b);
		value = json_string(b.at);
	}
	return value;
}

/* Returns a cell as JSON if it is a number or missing; `text` is what it is in TSV. */
static json_t *json_of(const struct cell *c, const char *text)
{
	if (c->kind == CELL_NONE)
		return json_null();
	if (c->kind == CELL_REAL || c->kind == CELL_INTERVAL)
		return isfinite(c->real) ? json_real(c->real) : json_null();
	return c->kind == CELL_COUNT && c->count <= INT64_MAX ? json_integer((json_int_t)c->count) : json_of_text(text);
}

/* Writes what a cell is in TSV, unescaped. */
static void tsv_of(const struct cell *c, struct buf *out)
{
	char hash[FINGERPRINT_ROOM];

	if (c->kind == CELL_TEXT)
		buf_text(out, c->text);
	else if (c->kind == CELL_COUNT)
		buf_format(out, "%llu", (unsigned long long)c->count);
	else if (c->kind == CELL_HASH)
		buf_text(out, fingerprint_text(c->count, hash));
	else if (c->kind != CELL_NONE && !isnan(c->real))
		opt_shortest(out, c->real);
	buf_end(out);
}

/* Adds a value under its name, or that of its column. */
static void add(struct results *r, const char *name, const struct cell *c)
{
	AUTO(buf) text = BUF_EMPTY;

	tsv_of(c, &text);
	if (r->form == RESULTS_JSON) {
		put(r, name, json_of(c, text.at));
	} else {
		lead(r, name);
		results_print(r->out, text.at);
	}
}

void results_fact(struct results *r, const char *name, struct cell value)
{
	assert(r->part != RESULTS_ROWS);
	add(r, name, &value);
	if (r->form == RESULTS_TSV)
		fputc('\n', r->out);
}

void results_counts(struct results *r, const struct named_count *count)
{
	for (; count->name; count++)
		results_fact(r, count->name, cell_count(count->n));
}

void results_cells(struct results *r, const struct cell *cell, size_t n)
{
	assert(r->part == RESULTS_ROWS);
	for (size_t i = 0; i < n; i++) {
		add(r, r->column[r->cell], &cell[i]);
		step(r);
	}
}

int results_stopped(const struct results *r)
{
	return ferror(r->out);
}

int results_end(struct results *r, struct err_note *why)
{
	if (r->form == RESULTS_JSON && r->part == RESULTS_ROWS) {
		fputs("\n]}\n", r->out);
	} else if (r->form == RESULTS_JSON) {
		fputc('{', r->out);
		dump_members(r->object, "\n  ", r->out);
		fputs("\n}\n", r->out);
	}
	json_decref(r->object);
	r->object = NULL;
	errno = 0;
	int failed = ferror(r->out);
	failed |= fflush(r->out);
	if (!failed)
		return 0;
	return err_set(why, ERR_RESULTS, "cannot write the results: %s", errno ? ascii_error(errno) : "is the disk full?");
}
