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
#include "cli/verb.h"
#include "lab/report/study.h"

/* The files that a folder may have, as patterns behind its path; the last is NULL. */
extern const char *const study_file_names[];

/* Returns the last part of a path, or the path if that is empty. */
const char *short_name(const char *path);

/* Prints facts and tables on stdout. A first table called "rows" is the rows of the results; the others stand
 * behind it under their names. */
int study_print(const struct study *s, const struct report_options *o, struct err_note *why) MUST_USE;

/* Writes a folder that is there; the manifest is the job, settled. */
int study_files(const char *folder, const struct study *s, const struct job *j, struct err_note *why) MUST_USE;

/* Writes a study into a folder, or prints it if `folder` is NULL, and settles its job with the fingerprint of its numbers. Returns
 * 0, ERR_OTHER if the job, then a manifest, has stated another one, or an error of study_files() or study_print(). */
int study_leave(const char *folder, const struct study *s, struct job *j, const struct report_options *o,
	struct err_note *why) MUST_USE;

/* Compares the fingerprint of the numbers found with the one that a job, then a manifest, has stated; NULL: it stated none. Returns
 * 0, or ERR_OTHER. */
int study_numbers_check(const struct job *, const char *wanted, uint64_t found, struct err_note *why) MUST_USE;

/* --- Evaluations, `lycosa seeds` and `lycosa coverage` with --out, whose manifests' keys are flags of the verb. */

struct dataset;

/* What an evaluation has found, and the job that does it again: with the fingerprints of graph and numbers. */
struct evaluation {
	struct study study;
	struct job job;
};

void evaluation_release(struct evaluation *);

/* Tells the study what it was made of, and writes it and its job into a folder; `data` is NULL if there is no graph. Then keeps
 * both in the command's evaluation, if it has one. */
int evaluation_write(const struct command *, const char *folder, struct study *take_study, const struct dataset *data,
	struct err_note *why) MUST_USE;

/* Runs the verb that a job's "study" names with its keys as flags, into a folder that must be named (--out). ERR_OTHER where
 * the numbers, or ERR_USAGE where the graph is another than the job tells. Follow with evaluation_release() in any case. */
int evaluation_run(struct evaluation *, const struct job *, const char *out, struct err_note *why) MUST_USE;

/* Runs the job of a comparison as `lycosa compare` does (cli/lab/verb_compare.c), which settles it. `out` is NULL if no folder is
 * to be written. ERR_OTHER where the numbers are others than the job tells. */
int compare_again(struct job *, const char *out, const struct report_options *, uint64_t threads, struct err_note *why) MUST_USE;

#endif
