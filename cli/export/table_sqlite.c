/* An SQLite database. It is made under another name and without a journal, which a file that nobody reads yet does not
 * need, and gets its name when it is on the disk. */
#include "base/mem.h"
#include "base/output.h"
#include "cli/export/export_table.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct sqlite_writer {
	struct table_writer base;
	sqlite3 *db;
	sqlite3_stmt *insert, *remark;
	char *path;
	struct output *out; /* which has a name of its own until the file is whole */
	struct buf clean;
	uint8_t *is_null; /* by column: the parameter of `insert` is NULL */
	const struct table **begun;
	size_t tables, room;
};

static struct sqlite_writer *self(struct table_writer *w)
{
	return (struct sqlite_writer *)w;
}

static int translate(const struct sqlite_writer *s, int code, struct err_note *why)
{
	return err_set(why, code == SQLITE_NOMEM ? ERR_MEMORY : ERR_FILE,
		"cannot write '%s': %s; see to the disk, and export again", s->path,
		code == SQLITE_FULL ? "the disk is full" : sqlite3_errmsg(s->db));
}

static int run(struct sqlite_writer *s, const char *sql, struct err_note *why)
{
	const int code = sqlite3_exec(s->db, sql, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : translate(s, code, why);
}

static int prepare(struct sqlite_writer *s, const char *sql, sqlite3_stmt **statement, struct err_note *why)
{
	sqlite3_finalize(*statement);
	*statement = NULL;
	const int code = sqlite3_prepare_v2(s->db, sql, -1, statement, NULL);
	return code == SQLITE_OK ? 0 : translate(s, code, why);
}

static int step(struct sqlite_writer *s, sqlite3_stmt *statement, struct err_note *why)
{
	const int code = sqlite3_step(statement);

	sqlite3_reset(statement);
	return code == SQLITE_DONE ? 0 : translate(s, code, why);
}

static void sqlite_free(struct sqlite_writer *s)
{
	sqlite3_finalize(s->insert);
	sqlite3_finalize(s->remark);
	sqlite3_close(s->db);
	buf_release(&s->clean);
	free(s->is_null);
	free(s->begun);
	free(s->path);
	free(s);
}

static void sqlite_abandon(struct table_writer *w)
{
	output_abandon(self(w)->out);
	sqlite_free(self(w));
}

static int check_path(const char *path, struct err_note *why)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return err_set(why, ERR_USAGE, "a database cannot go to stdout: name its file, as in '--to sqlite pages.db'");
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(why, ERR_FILE, "cannot write '%s': it is no regular file; name a file that is, or is not there",
			path);
	return 0;
}

static int sqlite_open(struct table_writer **out, const char *path, struct err_note *why)
{
	struct output *made = NULL;
	int err = check_path(path, why);

	if (!err)
		err = output_open(&made, path, why);
	if (!err && !output_name(made))
		err = err_set(why, ERR_FILE, "cannot write '%s': a database needs a file of its own", path);
	if (err) {
		output_abandon(made);
		return err;
	}
	output_clear(made); /* of exports that were killed */
	struct sqlite_writer *s = mem_zero(1, sizeof *s);
	s->path = mem_text(path);
	s->out = made;
	const int code =
		sqlite3_open_v2(output_name(made), &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
	if (code != SQLITE_OK)
		err = translate(s, code, why);
	if (!err)
		err = run(s,
			"PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
			"PRAGMA encoding='UTF-8'; PRAGMA cache_size=-65536; PRAGMA threads=2; BEGIN;"
			"CREATE TABLE readme (topic TEXT, text TEXT);",
			why);
	if (!err)
		err = prepare(s, "INSERT INTO readme VALUES (?, ?)", &s->remark, why);
	if (err) {
		sqlite_abandon(&s->base);
		return err;
	}
	*out = &s->base;
	return 0;
}

static int sqlite_remark(struct table_writer *w, const char *topic, const char *text, struct err_note *why)
{
	struct sqlite_writer *s = self(w);
	size_t n;
	const struct cell cell = cell_bytes(text, strlen(text));

	text = table_clean(&cell, &s->clean, &n);
	sqlite3_bind_text(s->remark, 1, topic, -1, SQLITE_STATIC);
	sqlite3_bind_text(s->remark, 2, text, (int)n, SQLITE_STATIC);
	return step(s, s->remark, why);
}

/* Creates a table. The names of tables and columns are this program's own, and need no quotation marks. */
static int sqlite_begin(struct table_writer *w, struct err_note *why)
{
	struct sqlite_writer *s = self(w);
	const struct table *t = w->table;
	static const char *const type_of[] = {[CELL_COUNT] = "INTEGER", [CELL_REAL] = "REAL", [CELL_TEXT] = "TEXT"};
	AUTO(buf) topic = BUF_EMPTY;

	AUTO(buf) create = buf_of("CREATE TABLE %s (", t->name);
	AUTO(buf) insert = buf_of("INSERT INTO %s VALUES (", t->name);
	int err = sqlite_remark(w, t->name, t->about, why);

	for (size_t i = 0; i < t->columns && !err; i++) {
		const struct column *c = &t->column[i];
		buf_format(&create, "%s%s %s%s", i ? ", " : "", c->name, type_of[c->kind], !i && t->has_key ? " PRIMARY KEY" : "");
		buf_text(&insert, i ? ", ?" : "?");
		buf_clear(&topic);
		buf_format(&topic, "%s.%s", t->name, c->name);
		err = sqlite_remark(w, topic.at, c->about, why);
	}
	buf_text(&create, ")");
	buf_text(&insert, ")");
	if (!err)
		err = run(s, create.at, why);
	if (!err)
		err = prepare(s, insert.at, &s->insert, why);
	s->is_null = mem_resize(s->is_null, t->columns, 1);
	memset(s->is_null, 1, t->columns);
	s->begun = mem_grow(s->begun, &s->room, s->tables + 1, sizeof *s->begun);
	s->begun[s->tables++] = t;
	return err;
}

static int sqlite_row(struct table_writer *w, const struct cell *cells, struct err_note *why)
{
	struct sqlite_writer *s = self(w);

	for (size_t i = 0; i < w->table->columns; i++) {
		const int at = (int)i + 1;
		size_t n;
		if (cells[i].kind == CELL_COUNT) {
			sqlite3_bind_int64(s->insert, at, (sqlite3_int64)cells[i].count);
		} else if (cells[i].kind == CELL_REAL) {
			sqlite3_bind_double(s->insert, at, cells[i].real);
		} else if (cells[i].kind == CELL_TEXT) {
			const char *text = table_clean(&cells[i], &s->clean, &n);
			sqlite3_bind_text(s->insert, at, text, (int)n, text == cells[i].text ? SQLITE_STATIC : SQLITE_TRANSIENT);
		} else if (!s->is_null[i]) { /* half of a page's cells may be missing */
			sqlite3_bind_null(s->insert, at);
		}
		s->is_null[i] = cells[i].kind == CELL_NONE;
	}
	return step(s, s->insert, why);
}

static int sqlite_flush(struct table_writer *w, struct err_note *why)
{
	(void)w, (void)why;
	return 0;
}

static int make_indexes(struct sqlite_writer *s, struct err_note *why)
{
	AUTO(buf) sql = BUF_EMPTY;
	int err = 0;

	for (size_t i = 0; i < s->tables; i++)
		for (size_t c = 0; c < s->begun[i]->columns && !err; c++) {
			const char *table = s->begun[i]->name, *name = s->begun[i]->column[c].name;
			if (!s->begun[i]->column[c].is_indexed)
				continue;
			buf_clear(&sql);
			buf_format(&sql, "CREATE INDEX %s_%s ON %s (%s)", table, name, table, name);
			err = run(s, sql.at, why);
		}
	return err;
}

static int sqlite_close_file(struct table_writer *w, struct err_note *why)
{
	struct sqlite_writer *s = self(w);
	int err = make_indexes(s, why);

	if (!err)
		err = run(s, "COMMIT", why);
	if (err) {
		sqlite_abandon(w);
		return err;
	}
	sqlite3_finalize(s->insert);
	sqlite3_finalize(s->remark);
	s->insert = s->remark = NULL;
	const int code = sqlite3_close(s->db);
	s->db = NULL;
	if (code != SQLITE_OK) {
		err = translate(s, code, why);
		output_abandon(s->out);
	} else {
		output_sync(s->out);
		err = output_close(s->out, why);
	}
	sqlite_free(s);
	return err;
}

const struct table_form_ops table_sqlite = {.open = sqlite_open,
	.begin = sqlite_begin,
	.row = sqlite_row,
	.remark = sqlite_remark,
	.flush = sqlite_flush,
	.close = sqlite_close_file,
	.abandon = sqlite_abandon};
