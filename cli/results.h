/* Prints the results of a verb on stdout, as TSV (a header row after lines that begin with '#') or as one JSON
 * object. The same calls make either form:
 *
 *   results_begin()            # lycosa: 0.1.0                  {"version": "0.1.0",
 *   results_fact("graph", ..)  # graph: x.txt                    "graph": "x.txt",
 *   results_columns(...)       id    score                       "rows": [
 *   RESULTS_CELLS(...)         7     0.5                         {"id": 7, "score": 0.5}
 *   results_end()                                                ]}
 *
 * Results without rows have, after results_figures(), named values: one line each in TSV, one member each in JSON. A
 * number that is not whole has the shortest form that reads back as the same number. Texts are escaped. A name that is
 * used twice before the rows gives two lines in TSV and a list in JSON. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "base/cell.h"
#include "base/err.h"

#include <stdint.h>
#include <stdio.h>

struct json_t;

enum results_form { RESULTS_TSV, RESULTS_JSON };

struct results {
	FILE *out;
	enum results_form form;
	enum { RESULTS_ABOUT, RESULTS_FIGURES, RESULTS_ROWS } part;
	const char *const *column; /* NULL-terminated */
	const char *table;         /* the name of the current table; NULL: the first one */
	size_t columns, cell;      /* cell: the next column of the current row; 0 between rows */
	uint64_t rows;
	struct json_t *object; /* the whole object before the rows; then the current row */
};

/* Begins the results. `out` is borrowed until results_end(). */
void results_begin(struct results *r, FILE *out, enum results_form form);

/* Adds a named value, before the rows. Of an interval, here and in rows, the middle is printed; a number that is NAN is a missing
 * value: an empty cell in TSV, null in JSON; an infinity is "inf" in TSV and null in JSON. */
void results_fact(struct results *r, const char *name, struct cell value);

/* Adds named numbers: RESULTS_COUNTS(&r, {"nodes", 7}, {"arcs", 12}). */
void results_counts(struct results *r, const struct named_count *count);
#define RESULTS_COUNTS(r, ...) results_counts(r, (const struct named_count[]){__VA_ARGS__, {NULL, 0}})

/* Begins the named values, for results without rows. */
void results_figures(struct results *r);

/* Begins the rows: from here on each value is a cell, row after row. `names` ends with NULL and must outlive `r`. */
void results_columns(struct results *r, const char *const *names);

/* Begins the rows of a list that programs read line by line: in TSV the header row begins with '#'. */
void results_list(struct results *r, const char *const *names);

/* Begins a further table, after the rows of the one before, or after the named values. In JSON the table is a member like "rows".
 * In TSV each of its lines, also the header, begins with '#', the table's name and TAB, so that a reader of the rows skips it, and
 * `sed -n 's/^#pairs\t//p'` extracts it. */
void results_table(struct results *r, const char *name, const char *const *names);

/* Adds the next n cells of the rows. */
void results_cells(struct results *r, const struct cell *cell, size_t n);
#define RESULTS_CELLS(r, ...) \
	results_cells(r, (const struct cell[]){__VA_ARGS__}, sizeof((const struct cell[]){__VA_ARGS__}) / sizeof(struct cell))

/* Says whether nothing more can be written (the reader of a pipe has gone, or the disk is full), so that a long
 * loop can end; results_end() then returns the reason. */
int results_stopped(const struct results *r);

/* Ends the results. The caller calls this once, also after an error, and then at any point. Returns 0, or ERR_RESULTS
 * if something could not be written. */
int results_end(struct results *r, struct err_note *why) MUST_USE;

/* Prints a text from a file or the network so that it is safe in a line of TSV and on a terminal: control characters
 * (with TAB and line feed) and malformed UTF-8 become \xHH. */
void results_print(FILE *out, const char *text);

#endif
