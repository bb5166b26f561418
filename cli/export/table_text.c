/* CSV and JSON Lines, and the text of a cell in each form. */
#include "base/mem.h"
#include "base/output.h"
#include "cli/export/export_table.h"
#include "parser/utf8.h"

#include <stdlib.h>
#include <string.h>

static int is_clean(const char *text, size_t n)
{
	const char *end = text + n;
	const uint64_t ones = UINT64_MAX / 255, tops = ones << 7;
	uint64_t eight;

	while (text < end) {
		if ((size_t)(end - text) >= sizeof eight) {
			memcpy(&eight, text, sizeof eight);
			if (!((eight | (eight - ones)) & tops)) { /* no byte is 0 or beyond ASCII */
				text += sizeof eight;
				continue;
			}
		}
		if ((uint8_t)*text - 1u < 0x7f)
			text++;
		else if (!*text || utf8_read(&text, end) == UTF8_MALFORMED)
			return 0;
	}
	return 1;
}

const char *table_clean(const struct cell *cell, struct buf *clean, size_t *n)
{
	const char *at = cell->text, *end = at + cell->n;

	*n = cell->n;
	if (is_clean(at, cell->n))
		return at;
	buf_clear(clean);
	while (at < end) {
		char bytes[4];
		const uint32_t c = utf8_read(&at, end);
		buf_add(clean, bytes, utf8_write(bytes, c == UTF8_MALFORMED || c == 0 ? UTF8_REPLACEMENT : c));
	}
	*n = clean->used;
	return clean->at;
}

struct text_writer {
	struct table_writer base;
	struct output *out;
	struct buf lines, clean;
	struct buf names; /* JSON Lines: what stands before the values of a row, `{"id":`, `,"url":` ..., */
	size_t *name_end; /* and where each of these ends, by column */
};

static struct text_writer *self(struct table_writer *w)
{
	return (struct text_writer *)w;
}

static int text_open(struct table_writer **out, const char *path, struct err_note *why)
{
	struct text_writer *t = mem_zero(1, sizeof *t);
	int err = output_open(&t->out, path, why);

	if (err) {
		free(t);
		return err;
	}
	output_sync(t->out);
	*out = &t->base;
	return 0;
}

static int text_flush(struct table_writer *w, struct err_note *why)
{
	struct text_writer *t = self(w);

	(void)why; /* output_close() has the first failure */
	output_bytes(t->out, t->lines.at, t->lines.used);
	buf_clear(&t->lines);
	return 0;
}

static void text_free(struct text_writer *t)
{
	buf_release(&t->lines);
	buf_release(&t->clean);
	buf_release(&t->names);
	free(t->name_end);
	free(t);
}

static int text_close(struct table_writer *w, struct err_note *why)
{
	struct text_writer *t = self(w);
	int err = text_flush(w, why);
	int failed = output_close(t->out, why);

	text_free(t);
	return err ? err : failed;
}

static void text_abandon(struct table_writer *w)
{
	output_abandon(self(w)->out);
	text_free(self(w));
}

/* Counts what a row has written into the room of b, up to `end`. */
static void wrote(struct buf *b, const char *end)
{
	b->used = (size_t)(end - b->at);
}

/* Writes a number in decimal, of COUNT_ROOM digits at most. Returns the end. */
#define COUNT_ROOM 20
static char *put_count(char *to, uint64_t count)
{
	char digits[COUNT_ROOM], *p = digits + sizeof digits;

	do
		*--p = (char)('0' + count % 10);
	while (count /= 10);
	const size_t n = (size_t)(digits + sizeof digits - p);
	memcpy(to, p, n);
	return to + n;
}

/* --- CSV */

/* What a field needs: quotation marks, or a look at its control characters, of which 0xc2 begins those of C1. */
enum { FIELD_QUOTED = 1, FIELD_CONTROLLED = 2 };

static int needs_of(const char *text, size_t n)
{
	enum { C = FIELD_CONTROLLED, Q = FIELD_QUOTED };
	static const char needs[256] = {0, C, C, C, C, C, C, C, C, 0, Q, C, C, Q, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
		C, ['"'] = Q, [','] = Q, [0x7f] = C, [0xc2] = C};
	int all = 0;

	for (size_t i = 0; i < n; i++)
		all |= needs[(unsigned char)text[i]];
	return all;
}

/* Returns how many bytes the control character at `text` has that a terminal would obey; 0 if there is none. */
static size_t control_at(const char *text, size_t n)
{
	const unsigned char c = (unsigned char)*text;

	if (c < ' ')
		return c != '\t' && c != '\n' && c != '\r';
	return c == 0x7f ? 1 : c == 0xc2 && n > 1 && (unsigned char)text[1] < 0xa0 ? 2 : 0;
}

/* Says whether a spreadsheet would take a field for a formula. */
static int is_formula(const char *text, size_t n)
{
	return n && strchr("=+-@\t\r", *text) != NULL;
}

/* Writes a field, of 3n + 3 bytes at most. Returns the end. */
static char *put_field(char *to, const char *text, size_t n, int is_sheet)
{
	const int needs = needs_of(text, n);

	if (needs & FIELD_QUOTED)
		*to++ = '"';
	if (is_sheet && is_formula(text, n))
		*to++ = '\'';
	if (!needs) {
		memcpy(to, text, n);
		return to + n;
	}
	for (size_t i = 0; i < n; i++) {
		const size_t control = control_at(text + i, n - i);
		if (control) {
			to += utf8_write(to, UTF8_REPLACEMENT);
			i += control - 1;
			continue;
		}
		if (text[i] == '"')
			*to++ = '"';
		*to++ = text[i];
	}
	if (needs & FIELD_QUOTED)
		*to++ = '"';
	return to;
}

static int csv_begin(struct table_writer *w, struct err_note *why)
{
	struct buf *b = &self(w)->lines;

	(void)why;
	for (size_t i = 0; i < w->table->columns; i++) {
		buf_text(b, i ? "," : "");
		buf_text(b, w->table->column[i].name);
	}
	buf_text(b, "\r\n");
	return 0;
}

static void put_row(struct table_writer *w, const struct cell *cells, int is_sheet)
{
	struct text_writer *t = self(w);
	struct buf *b = &t->lines;
	size_t n;

	for (size_t i = 0; i < w->table->columns; i++) {
		if (i)
			buf_byte(b, ',');
		if (cells[i].kind == CELL_COUNT) {
			wrote(b, put_count(buf_room(b, COUNT_ROOM), cells[i].count));
		} else if (cells[i].kind == CELL_REAL) {
			buf_format(b, "%.6g", cells[i].real);
		} else if (cells[i].kind == CELL_TEXT) {
			const char *text = table_clean(&cells[i], &t->clean, &n);
			wrote(b, put_field(buf_room(b, 3 * n + 3), text, n, is_sheet));
		}
	}
	buf_add(b, "\r\n", 2);
}

static int csv_row(struct table_writer *w, const struct cell *cells, struct err_note *why)
{
	(void)why;
	put_row(w, cells, w->ops == &table_sheet);
	return 0;
}

/* What all forms of text do alike. */
#define TEXT_FORM .open = text_open, .flush = text_flush, .close = text_close, .abandon = text_abandon

const struct table_form_ops table_csv = {TEXT_FORM, .begin = csv_begin, .row = csv_row};
const struct table_form_ops table_sheet = {TEXT_FORM, .begin = csv_begin, .row = csv_row};

/* --- JSON Lines */

/* Writes one character of a text that JSON escapes, in 6 bytes at most. Returns the end. */
static char *put_escape(char *to, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";

	*to++ = '\\';
	if (c == '"' || c == '\\' || c == '\n') {
		*to++ = c == '\n' ? 'n' : (char)c;
		return to;
	}
	memcpy(to, "u00", 3);
	to[3] = hex[c >> 4];
	to[4] = hex[c & 15];
	return to + 5;
}

/* Writes a string, of 6n + 2 bytes at most. Returns the end. */
static char *put_string(char *to, const char *text, size_t n)
{
	*to++ = '"';
	for (size_t i = 0; i < n; i++) {
		const unsigned char c = (unsigned char)text[i];
		if (c == 0xc2 && control_at(text + i, n - i))
			to = put_escape(to, (unsigned char)text[++i]);
		else if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
			*to++ = (char)c;
		else
			to = put_escape(to, c);
	}
	*to++ = '"';
	return to;
}

/* Writes down what stands before the value of each column, which all rows have alike. */
static int jsonl_begin(struct table_writer *w, struct err_note *why)
{
	struct text_writer *t = self(w);

	(void)why;
	buf_clear(&t->names);
	t->name_end = mem_resize(t->name_end, w->table->columns, sizeof *t->name_end);
	for (size_t i = 0; i < w->table->columns; i++) {
		const char *name = w->table->column[i].name;
		const size_t n = strlen(name);
		buf_byte(&t->names, i ? ',' : '{');
		wrote(&t->names, put_string(buf_room(&t->names, 6 * n + 2), name, n));
		buf_byte(&t->names, ':');
		t->name_end[i] = t->names.used;
	}
	return 0;
}

static int jsonl_row(struct table_writer *w, const struct cell *cells, struct err_note *why)
{
	struct text_writer *t = self(w);
	struct buf *b = &t->lines;
	size_t n;

	(void)why;
	for (size_t i = 0, from = 0; i < w->table->columns; from = t->name_end[i++]) {
		buf_add(b, t->names.at + from, t->name_end[i] - from);
		if (cells[i].kind == CELL_COUNT) {
			wrote(b, put_count(buf_room(b, COUNT_ROOM), cells[i].count));
		} else if (cells[i].kind == CELL_REAL) {
			buf_format(b, "%.6g", cells[i].real);
		} else if (cells[i].kind == CELL_TEXT) {
			const char *text = table_clean(&cells[i], &t->clean, &n);
			wrote(b, put_string(buf_room(b, 6 * n + 2), text, n));
		} else {
			buf_add(b, "null", 4);
		}
	}
	buf_add(b, "}\n", 2);
	return 0;
}

const struct table_form_ops table_jsonl = {TEXT_FORM, .begin = jsonl_begin, .row = jsonl_row};
