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
#include "cli/lab/study_job.h"
#include "lab/report/study.h"

/* The files that a folder may have, as patterns behind its path; the last is NULL. */
extern const char *const study_file_names[];

/* Prints facts and tables on stdout. A first table called "rows" is the rows of the results; the others stand
 * behind it under their names. */
int study_print(const struct study *s, const struct report_options *o, struct err_note *why) MUST_USE;

/* Writes a folder that is there; the manifest is the job, settled. */
int study_files(const char *folder, const struct study *s, const struct job *j, struct err_note *why) MUST_USE;

#endif
