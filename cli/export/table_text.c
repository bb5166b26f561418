/* CSV and JSON Lines. */
#include "base/mem.h"
#include "base/output.h"
#include "cli/export/table.h"

#include <stdlib.h>
#include <string.h>

struct text_writer {
	struct table_writer base;
	struct output *out;
	struct buf lines, clean;
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
	if (strcmp(path, "-") != 0)
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

/* Adds a number in decimal. */
static void add_count(struct buf *b, uint64_t count)
{
	char digits[20], *p = digits + sizeof digits;

	do
		*--p = (char)('0' + count % 10);
	while (count /= 10);
	buf_add(b, p, (size_t)(digits + sizeof digits - p));
}

/* --- CSV */

static void add_field(struct buf *b, const char *text, size_t n)
{
	size_t plain = 0;

	while (plain < n && text[plain] != '"' && text[plain] != ',' && text[plain] != '\r' &&
		text[plain] != '\n')
		plain++;
	if (plain == n) {
		buf_add(b, text, n);
		return;
	}
	buf_byte(b, '"');
	for (const char *end = text + n, *quote; text < end; text = quote + 1) {
		quote = memchr(text, '"', (size_t)(end - text));
		if (!quote) {
			buf_add(b, text, (size_t)(end - text));
			break;
		}
		buf_add(b, text, (size_t)(quote + 1 - text));
		buf_byte(b, '"');
	}
	buf_byte(b, '"');
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

static int csv_row(struct table_writer *w, const struct cell *cells, struct err_note *why)
{
	struct text_writer *t = self(w);
	struct buf *b = &t->lines;
	size_t n;

	(void)why;
	for (size_t i = 0; i < w->table->columns; i++) {
		if (i)
			buf_byte(b, ',');
		if (cells[i].kind == CELL_COUNT)
			add_count(b, cells[i].count);
		else if (cells[i].kind == CELL_TEXT) {
			const char *text = table_clean(&cells[i], &t->clean, &n);
			add_field(b, text, n);
		}
	}
	buf_add(b, "\r\n", 2);
	return 0;
}

const struct table_form_ops table_csv = {.open = text_open,
	.begin = csv_begin,
	.row = csv_row,
	.flush = text_flush,
	.close = text_close,
	.abandon = text_abandon};

/* --- JSON Lines */

static void add_string(struct buf *b, const char *text, size_t n)
{
	static const char hex[] = "0123456789abcdef";
	size_t from = 0;

	buf_byte(b, '"');
	for (size_t i = 0; i < n; i++) {
		const unsigned char c = (unsigned char)text[i];
		if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
			continue;
		buf_add(b, text + from, i - from);
		from = i + 1;
		if (c == '"' || c == '\\') {
			buf_byte(b, '\\');
			buf_byte(b, c);
		} else if (c == '\n') {
			buf_text(b, "\\n");
		} else {
			buf_text(b, "\\u00");
			buf_byte(b, hex[c >> 4]);
			buf_byte(b, hex[c & 15]);
		}
	}
	buf_add(b, text + from, n - from);
	buf_byte(b, '"');
}

static int jsonl_begin(struct table_writer *w, struct err_note *why)
{
	(void)w, (void)why;
	return 0;
}

static int jsonl_row(struct table_writer *w, const struct cell *cells, struct err_note *why)
{
	struct text_writer *t = self(w);
	struct buf *b = &t->lines;
	size_t n;

	(void)why;
	for (size_t i = 0; i < w->table->columns; i++) {
		buf_byte(b, i ? ',' : '{');
		add_string(b, w->table->column[i].name, strlen(w->table->column[i].name));
		buf_byte(b, ':');
		if (cells[i].kind == CELL_COUNT)
			add_count(b, cells[i].count);
		else if (cells[i].kind == CELL_TEXT) {
			const char *text = table_clean(&cells[i], &t->clean, &n);
			add_string(b, text, n);
		} else
			buf_text(b, "null");
	}
	buf_add(b, "}\n", 2);
	return 0;
}

const struct table_form_ops table_jsonl = {.open = text_open,
	.begin = jsonl_begin,
	.row = jsonl_row,
	.flush = text_flush,
	.close = text_close,
	.abandon = text_abandon};
