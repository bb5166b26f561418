/* A table on its way into another program: rows of cells, written as CSV, as JSON Lines or into an SQLite database.
 *
 *	table_open(&t, TABLE_CSV, "pages.csv", why);
 *	table_begin(t, &pages, why);                          its name, its columns
 *	table_row(t, cells, why);  ...                        as many cells as the table has columns
 *	table_close(t, why);                                  now the file has its name
 *
 * A cell is a whole number, a real number (of which text has six digits), a text or missing. All three forms have the same texts:
 * UTF-8, in which each malformed sequence and each NUL became U+FFFD.
 *
 *	            CSV (RFC 4180)                     JSON Lines                    SQLite
 *	rows        CRLF; a header row first           an object a line              a table, with its indexes
 *	missing     an empty field                     null                          NULL
 *	text        in quotation marks where needed    control characters escaped    TEXT
 *
 * In CSV each control character but TAB, CR and LF is U+FFFD, too. A sheet (TABLE_SHEET) is CSV in which an apostrophe stands
 * before each text that a spreadsheet would take for a formula.
 *
 * Rows of a database are written by a second thread, since SQLite takes longer for a row than a store. The other forms take one
 * table; a database takes several, and describes each column in its table `readme`. */
#ifndef CLI_EXPORT_EXPORT_TABLE_H
#define CLI_EXPORT_EXPORT_TABLE_H

#include "base/buf.h"
#include "base/cell.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum table_form { TABLE_CSV, TABLE_SHEET, TABLE_JSONL, TABLE_SQLITE };

struct column {
	const char *name;
	enum cell_kind kind;
	int is_indexed;    /* SQLite: there is an index over the column */
	const char *about; /* what it has, one line */
};

struct table {
	const char *name, *about;
	const struct column *column; /* `columns` of them; in SQLite the first is the primary key if `has_key` */
	size_t columns;
	int has_key;
};

struct table_writer;

/* Opens a file for tables. For CSV and JSON Lines the path "-" means stdout. A file gets its name, in place of an earlier
 * one, only when it is whole (table_close()). Returns 0; ERR_USAGE for an SQLite database on stdout; or ERR_FILE. */
int table_open(struct table_writer **, enum table_form, const char *path, struct err_note *why) MUST_USE;

/* Begins a table, which must outlive the writer. Returns 0 or ERR_FILE. */
int table_begin(struct table_writer *, const struct table *, struct err_note *why) MUST_USE;

/* Adds a row to the table that was begun last, of counts below 2^63, finite real numbers, texts and missing values. CSV and JSON
 * Lines keep the row in memory until table_flush(). Returns 0 or ERR_FILE. */
int table_row(struct table_writer *, const struct cell *, struct err_note *why) MUST_USE;

/* Adds a row to the table `readme` of a database: a topic and a text about it. The other forms have no such table. */
int table_remark(struct table_writer *, const char *topic, const char *text, struct err_note *why) MUST_USE;

/* Writes the rows so far, or has them written while the caller goes on. The call may wait for the reader of a pipe, so that a
 * caller first lets go of what others wait for. */
int table_flush(struct table_writer *, struct err_note *why) MUST_USE;

/* Writes what is left, makes the indexes of a database, gives the file its name and frees the writer. Returns 0; or
 * ERR_FILE, after which there is no file of that name, or the earlier one. */
int table_close(struct table_writer *, struct err_note *why) MUST_USE;

/* Frees the writer without giving the file its name. NULL is allowed. */
void table_abandon(struct table_writer *);

/* --- the forms, of table_text.c and table_sqlite.c, for export_table.c alone */

struct table_form_ops {
	int (*open)(struct table_writer **, const char *path, struct err_note *why);
	int (*begin)(struct table_writer *, struct err_note *why);
	int (*row)(struct table_writer *, const struct cell *, struct err_note *why);
	int (*remark)(struct table_writer *, const char *topic, const char *text, struct err_note *why);
	int (*flush)(struct table_writer *, struct err_note *why);
	int (*close)(struct table_writer *, struct err_note *why);
	void (*abandon)(struct table_writer *);
};

/* The first member of the struct of each form. */
struct table_writer {
	const struct table_form_ops *ops;
	const struct table *table; /* that was begun last */
};

extern const struct table_form_ops table_csv, table_sheet, table_jsonl, table_sqlite;

/* Returns the text of a cell as the exported files have it, in `clean` if that differs from the cell's; *n is its length. */
const char *table_clean(const struct cell *, struct buf *clean, size_t *n);

#endif
