/* The results of an evaluation: facts about its settings, and tables of numbers with their figures. Every
 * evaluation (policies compared, seeds, coverage) fills one struct study, and each form that results
 * take, tab-separated values, JSON, a page, Markdown, LaTeX, is written from it by one writer.
 *
 *	struct study s = {.title = mem_text("Two policies")};
 *	study_fact(&s, "graph", cell_text("web.txt"));
 *	study_table(&s, "areas", "Areas", mem_text("Area under the curve."), "policy auc", STUDY_SHOWN);
 *	STUDY_CELLS(&s, cell_text("opic"), cell_real(0.71));
 *	study_page(&s, "1.0", &html);
 *	study_release(&s);
 *
 * Headings, captions and cells are plain text: each writer escapes what its form gives a meaning. */
#ifndef LAB_REPORT_STUDY_H
#define LAB_REPORT_STUDY_H

#include "base/buf.h"
#include "base/cell.h"
#include "base/err.h"
#include "lab/report/chart.h"

#include <stddef.h>
#include <stdint.h>

struct study_figure {
	struct drawing drawing;
	char *name;            /* of its files, without ".svg" and ".pdf" */
	char *label, *caption; /* what is drawn, in a few words and in full */
};

struct study_table {
	const char *name; /* of the table in files: static */
	char *heading;    /* the heading of a new section of the page; NULL: the table belongs to the section of the table before */
	char *caption;
	char **column; /* the names of the columns, followed by NULL; '_' is shown as a blank */
	size_t columns;
	struct cell *cell; /* row by row; it owns their texts */
	size_t cells, room;
	enum study_shown {
		STUDY_SHOWN,
		STUDY_FILED /* in files alone, since it is long */
	} shown;
	struct study_figure *figure; /* they stand before the table */
	size_t figures, figure_room;
};

struct study_fact {
	char *name;
	struct cell value;
};

struct study {
	char *title;
	struct study_fact *fact;
	size_t facts, fact_room;
	struct study_table *table;
	size_t tables, room;
};

void study_release(struct study *s);

/* Appends a fact, a setting that the numbers depend on, such as "seeds" with the value "random:100". A name may be given more than
 * once. The texts are copied. */
void study_fact(struct study *s, const char *name, struct cell value);

/* Begins a table; the cells and figures that are appended next belong to it. `heading` is copied and may be NULL; the caption is
 * taken over, and NULL is an empty one. `columns` are names with blanks between them. */
void study_table(struct study *s, const char *name, const char *heading, char *take_caption, const char *columns,
	enum study_shown shown);

/* Adds n columns to the table that was begun last; the names are copied, and may have blanks. */
void study_columns(struct study *s, const char *const *column, size_t n);

/* Appends the next cells of the table, row by row. Their texts are copied. */
void study_cells(struct study *s, const struct cell *cell, size_t n);
#define STUDY_CELLS(s, ...) \
	study_cells(s, (const struct cell[]){__VA_ARGS__}, sizeof((const struct cell[]){__VA_ARGS__}) / sizeof(struct cell))

/* Appends three cells: a mean, and the ends of its interval. */
void study_mean(struct study *s, struct interval v);

/* Returns the cell of an interval, both times `scale`. */
struct cell study_interval(struct interval x, double scale);

/* Appends the row of a claim to a table "claim verdict seen": whether it holds (below 0: it is not tested), and what was seen. */
void study_claim(struct study *s, const char *claim, int holds, char *take_seen);

/* Appends a figure, to stand before the last table. The drawing is taken over and *take_drawing is emptied; the texts are
 * taken over, too. The name becomes the name of its files, with a hyphen for every byte that is no letter or digit. */
void study_figure(struct study *s, struct drawing *take_drawing, char *take_name, char *take_label, char *take_caption);

/* Draws a chart as a figure, and takes the curves from the chart. */
void study_chart(struct study *s, struct chart *c, char *take_name, char *take_label, char *take_caption);

/* Moves the tables of another study behind the tables of *s; the other study is then empty. */
void study_append(struct study *s, struct study *take_other);

/* --- writers */

/* Returns the number of decimals with which a column is shown: enough to tell its largest numbers apart. */
int study_decimals(const struct study_table *t, size_t column);

/* Appends the page, which needs no other file and no network. */
void study_page(const struct study *s, const char *version, struct buf *html);

/* Appends the shown tables with their captions, and references to the figures' files, as Markdown. */
void study_markdown(const struct study *s, struct buf *out);

/* Appends the shown tables as LaTeX, each a table environment with the rules of booktabs. */
void study_latex(const struct study *s, struct buf *out);

/* Appends one table as tab-separated values: a line of column names, then a line for each row, and no other lines. Of an
 * interval only the middle is written, and an unknown number is an empty cell, so that pandas, R and DuckDB read
 * a column of numbers as such. */
void study_tsv(const struct study_table *t, struct buf *out);

/* Returns a fingerprint of all cells (XXH3): the same numbers have the same fingerprint. */
uint64_t study_fingerprint(const struct study *s);

/* --- Sentences whose numbers are filled in: "{points} points more on {graphs} graphs". */

struct sentence_number {
	const char *name;
	char *take_text;
};

/* Returns the sentence with each {name} of the n numbers replaced; the texts of the numbers are freed. The caller frees it. */
char *sentence_filled(const char *text, const struct sentence_number *number, size_t n);

#endif
