/* The folder that every study leaves: results.tsv and results.json with all tables, each table as a file
 * of its own (NAME.tsv, nothing but a row of names and rows of values), the shown ones in report.md and
 * tables.tex, drawings as NAME.svg, report.html with everything, and, of a study of one graph, manifest.json. */
#ifndef CLI_LAB_STUDY_FILES_H
#define CLI_LAB_STUDY_FILES_H

#include "cli/flags/options.h"
#include "lab/study/study.h"

struct study_about {
	const char *verb, *title;
	const struct graph_options *graph; /* NULL where there is no one graph */
	const struct dataset *data;        /* likewise */
	const char *options;        /* a line: what else the numbers depend on */
	uint64_t rng_seed;
};

/* All tables on stdout. */
int study_print(const struct study *, const struct study_about *, const struct report_options *,
	struct err_note *why) MUST_USE;

int study_files(const char *folder, const struct study *, const struct study_about *,
	struct err_note *why) MUST_USE;

#endif
