#include "cli/results.h"
#include "base/ascii.h"
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
	results_name(r, form == RESULTS_JSON ? "version" : "lycosa");
	results_text(r, PACKAGE_VERSION);
}

void results_name(struct results *r, const char *name)
{
	assert(r->part != RESULTS_ROWS && !r->name);
	r->name = name;
}

void results_figures(struct results *r)
{
	assert(r->part == RESULTS_ABOUT && !r->name);
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
	json_dumpf(value, out, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION((size_t)digits));
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

void results_columns(struct results *r, const char *const *names)
{
	assert(r->part == RESULTS_ABOUT && !r->name && names[0]);
	r->part = RESULTS_ROWS;
	r->column = names;
	while (names[r->columns])
		r->columns++;
	if (r->form == RESULTS_TSV) {
		for (size_t i = 0; i < r->columns; i++)
			fprintf(r->out, "%s%c", names[i], i + 1 < r->columns ? '\t' : '\n');
		return;
	}
	/* the closing brace comes at the end */
	fputc('{', r->out);
	dump_members(r->object, "", r->out);
	fputs(",\"rows\":[", r->out);
	json_object_clear(r->object);
}

void results_table(struct results *r, const char *name, const char *const *names)
{
	assert(r->part == RESULTS_ROWS && !r->cell && names[0]);
	r->table = name;
	r->column = names;
	r->columns = 0;
	r->rows = 0;
	while (names[r->columns])
		r->columns++;
	if (r->form == RESULTS_JSON) {
		fprintf(r->out, "\n],\"%s\":[", name);
		return;
	}
	fprintf(r->out, "#%s", name);
	for (size_t i = 0; i < r->columns; i++)
		fprintf(r->out, "\t%s", names[i]);
	fputc('\n', r->out);
}

/* Prints what stands before a value in TSV. */
static void lead(const struct results *r)
{
	assert(r->part == RESULTS_ROWS || r->name);
	if (r->part == RESULTS_ABOUT)
		fprintf(r->out, "# %s: ", r->name);
	else if (r->part == RESULTS_FIGURES)
		fprintf(r->out, "%s\t", r->name);
	else if (r->cell)
		fputc('\t', r->out);
	else if (r->table)
		fprintf(r->out, "#%s\t", r->table);
}

/* Counts a value, after which the row may be complete. */
static void step(struct results *r)
{
	r->name = NULL;
	if (r->part != RESULTS_ROWS) {
		if (r->form == RESULTS_TSV)
			fputc('\n', r->out);
		return;
	}
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

/* Adds a value under the current name. If the object has the name, its value becomes a list. */
static void put(struct results *r, json_t *value)
{
	const char *name = r->part == RESULTS_ROWS ? r->column[r->cell] : r->name;
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
	step(r);
}

void results_text(struct results *r, const char *text)
{
	if (r->form == RESULTS_TSV) {
		lead(r);
		results_print(r->out, text ? text : "");
		step(r);
		return;
	}
	json_t *value = json_string(text ? text : "");
	if (!value) { /* no UTF-8 */
		struct buf b = BUF_EMPTY;
		escape(text, &b);
		value = json_string(b.at);
		buf_release(&b);
	}
	put(r, value);
}

void results_count(struct results *r, uint64_t count)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
	if (r->form == RESULTS_TSV || count > INT64_MAX)
		results_text(r, digits);
	else
		put(r, json_integer((json_int_t)count));
}

void results_fingerprint(struct results *r, uint64_t fingerprint)
{
	char text[FINGERPRINT_ROOM];

	results_text(r, fingerprint_text(fingerprint, text));
}

void results_real(struct results *r, double real)
{
	if (isnan(real)) {
		results_none(r);
	} else if (r->form == RESULTS_TSV) {
		struct buf text = BUF_EMPTY;
		opt_shortest(&text, real);
		results_text(r, text.at);
		buf_release(&text);
	} else {
		put(r, isfinite(real) ? json_real(real) : json_null());
	}
}

void results_none(struct results *r)
{
	if (r->form == RESULTS_TSV)
		results_text(r, "");
	else
		put(r, json_null());
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
