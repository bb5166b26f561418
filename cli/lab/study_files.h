/* The folder that every study leaves:
 *
 *   report.html, report.md, tables.tex   what is shown: one page, Markdown, LaTeX
 *   results.tsv, results.json            all tables in one file
 *   NAME.tsv                             a table: a row of names and rows of values, nothing else
 *   NAME.svg, NAME.pdf                   a figure
 *   manifest.json                        what gives the same numbers again */
#ifndef CLI_LAB_STUDY_FILES_H
#define CLI_LAB_STUDY_FILES_H

#include "cli/flags/options.h"
#include "lab/study/study.h"

/* Prints facts and tables on stdout. A first table called "rows" is the rows of the results; the others stand
 * behind it under their names. */
int study_print(const struct study *s, const struct report_options *o, struct err_note *why) MUST_USE;

/* Writes all but the manifest into a folder that is there. */
int study_files(const char *folder, const struct study *s, struct err_note *why) MUST_USE;

struct study_about {
	const char *verb;
	const struct graph_options *graph;
	const struct dataset *data; /* NULL where there is no graph */
	const char *options;        /* a line: what else the numbers depend on */
	uint64_t rng_seed;
};

/* Adds the facts, writes the folder, manifest.json included. */
int study_files_of(const char *folder, struct study *s, const struct study_about *about,
	struct err_note *why) MUST_USE;

#endif
