#include "cli/export/table.h"
#include "parser/utf8.h"

#include <string.h>

int table_open(struct table_writer **out, enum table_form form, const char *path, struct err_note *why)
{
	static const struct table_form_ops *const ops[] =
		{[TABLE_CSV] = &table_csv, [TABLE_JSONL] = &table_jsonl, [TABLE_SQLITE] = &table_sqlite};

	*out = NULL;
	int err = ops[form]->open(out, path, why);
	if (err)
		return err;
	(*out)->ops = ops[form];
	if (form == TABLE_SQLITE)
		*out = table_in_thread(*out);
	return 0;
}

int table_begin(struct table_writer *w, const struct table *table, struct err_note *why)
{
	w->table = table;
	return w->ops->begin(w, why);
}

int table_row(struct table_writer *w, const struct cell *cells, struct err_note *why)
{
	return w->ops->row(w, cells, why);
}

int table_remark(struct table_writer *w, const char *topic, const char *text, struct err_note *why)
{
	return w->ops->remark ? w->ops->remark(w, topic, text, why) : 0;
}

int table_flush(struct table_writer *w, struct err_note *why)
{
	return w->ops->flush(w, why);
}

int table_close(struct table_writer *w, struct err_note *why)
{
	return w->ops->close(w, why);
}

void table_abandon(struct table_writer *w)
{
	if (w)
		w->ops->abandon(w);
}

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
