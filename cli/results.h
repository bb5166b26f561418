/* What a verb prints on stdout: as TSV, a header row after lines that begin with '#', or as one
 * JSON object. The same calls make either:
 *
 *   results_begin()            # lycosa: 0.1.0                  {"version": "0.1.0",
 *   results_name("graph")
 *   results_text("x.txt")      # graph: x.txt                    "graph": "x.txt",
 *   results_columns(...)       id    score                       "rows": [
 *   results_count(7)
 *   results_real(0.5)          7     0.5                         {"id": 7, "score": 0.5}
 *   results_end()                                                ]}
 *
 * or, in place of rows, results_figures() and then named values: a line each, a member each.
 * Numbers that are not whole have the shortest form that reads back the same. Texts are escaped. A
 * name given twice before the rows is a line each, and in JSON a list. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "base/err.h"

#include <stdint.h>
#include <stdio.h>

struct json_t;

enum results_form { RESULTS_TSV, RESULTS_JSON };

struct results {
	FILE *out;
	enum results_form form;
	enum { RESULTS_ABOUT, RESULTS_FIGURES, RESULTS_ROWS } part;
	const char *name;          /* of the next value, outside rows */
	const char *const *column; /* NULL-terminated */
	const char *table;         /* the name of the rows; NULL: they are the first */
	size_t columns, cell;      /* cell: of the row begun, 0 between rows */
	uint64_t rows;
	struct json_t *object; /* about and figures; then the row begun */
};

/* `out` is borrowed until the end. */
void results_begin(struct results *r, FILE *out, enum results_form form);

/* Gives the next value its name (static, or alive until that value). Not in rows. */
void results_name(struct results *r, const char *name);

void results_figures(struct results *r);
/* From here on values are cells, row after row. `names` ends with NULL and outlives `r`. */
void results_columns(struct results *r, const char *const *names);

/* Likewise for a list that is read again line by line: in TSV the header row begins with '#'. */
void results_list(struct results *r, const char *const *names);

/* After rows: from here on values are cells of another table. In JSON it is a member like "rows".
 * In TSV each of its lines, the header's too, begins with '#', its name and TAB, so that who reads
 * rows passes over it, and `sed -n 's/^#pairs\t//p'` is the table alone. */
void results_table(struct results *r, const char *name, const char *const *names);

/* A value. NULL is an empty text. NAN is none: an empty cell, in JSON null. An
 * infinity is "inf" in TSV (rank: infinitely far) and null in JSON. */
void results_text(struct results *r, const char *text);
void results_count(struct results *r, uint64_t count);
void results_real(struct results *r, double real);
void results_fingerprint(struct results *r, uint64_t fingerprint);
void results_none(struct results *r);

/* Whether nothing more can be written: the reader has gone, the disk is full. Worth asking in a
 * long loop; results_end() tells why. */
int results_stopped(const struct results *r);

/* Must be called once whatever happened, between rows or, where work was cut short by an error,
 * anywhere. ERR_FILE where something could not be written. */
int results_end(struct results *r, struct err_note *why) MUST_USE;

/* Text of a file or the network for a line of TSV or a terminal: control characters, TAB and line
 * feed among them, and malformed UTF-8 become \xHH. */
void results_print(FILE *out, const char *text);

#endif
