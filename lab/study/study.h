/* What an evaluation found: tables of numbers with their figures and a word to each, in one form
 * from which a page, TSV and JSON are made. */
#ifndef LAB_STUDY_STUDY_H
#define LAB_STUDY_STUDY_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct study_cell {
	enum { STUDY_TEXT, STUDY_COUNT, STUDY_REAL, STUDY_NONE } kind;
	char *text;
	uint64_t count;
	double real; /* NAN is shown as a dash */
};

struct study_table {
	const char *name; /* of the table in TSV and JSON: static */
	char *heading;    /* begins a section of the page; NULL: goes on with the last */
	char *caption;
	char **column; /* ends with NULL */
	size_t columns;
	struct study_cell *cell; /* row by row */
	size_t cells, room;
	enum study_shown {
		STUDY_SHOWN,
		STUDY_FILED
	} shown; /* FILED: not on the page, it is long */
	struct study_figure {
		struct buf script; /* for gnuplot; empty where it is drawn */
		struct buf svg;    /* drawn by lab/report/chart.h */
		char *name;        /* of its file, without ".svg"; NULL: it has none */
		char *label, *caption;
	} * figure;
	size_t figures, figure_room;
};

struct study {
	struct study_table *table;
	size_t tables, room;
};

void study_release(struct study *s);

/* A new table, to which what follows belongs. All texts but the name are copied. */
void study_table(struct study *s, const char *name, const char *heading, const char *caption,
	const char *const *column, enum study_shown shown);
void study_text(struct study *s, const char *text); /* copied */
void study_count(struct study *s, uint64_t count);
void study_real(struct study *s, double real);
void study_none(struct study *s);

/* A drawing before the table. The script is taken over, the texts are copied; the caption is HTML.
 */
void study_figure(struct study *s, struct buf *take_script, const char *label, const char *caption);

/* Likewise of an <svg> element that is there already; a file of this name is made of it, too. */
void study_drawing(struct study *s, const char *name, struct buf *take_svg, const char *label,
	const char *caption);

/* Appends what every script of a study begins with. */
void study_script(struct buf *script, const char *x, const char *y, const char *more);

/* A colour for the i-th of several curves, "#rrggbb" or "black". Static memory. */
const char *study_colour(size_t i);

struct study_page {
	const char *title, *graph, *version;
	uint64_t nodes, arcs, fingerprint;
	const char *options; /* a line */
};

/* Appends the page. ERR_OTHER with a note where drawings could not be made; it then goes without. */
int study_write(const struct study *s, const struct study_page *about, struct buf *html,
	struct err_note *why) MUST_USE;

/* Appends tables and captions as Markdown, with the drawings that have a file; tables that are filed
 * are left out. */
void study_markdown(const struct study *s, const char *title, struct buf *out);

/* Appends the tables as LaTeX, each a table environment with the rules of booktabs. */
void study_latex(const struct study *s, struct buf *out);

/* Appends one table as tab-separated values: a line of column names, then a line a row, no others. */
void study_tsv(const struct study_table *t, struct buf *out);

/* XXH3 over all cells: the same numbers have the same fingerprint. */
uint64_t study_fingerprint(const struct study *s);

#endif
