/* The folder that an evaluation of seeds leaves: results.tsv, results.json, report.html and
 * manifest.json. */
#ifndef CLI_LAB_STUDY_FILES_H
#define CLI_LAB_STUDY_FILES_H

#include "cli/flags/options.h"
#include "lab/study/study.h"

struct study_about {
	const char *verb, *title;
	const struct graph_options *graph;
	const struct dataset *data; /* NULL where there is no one graph */
	const char *options;        /* a line: what else the numbers depend on */
	uint64_t rng_seed;
};

int study_files(const char *folder, const struct study *, const struct study_about *,
	struct err_note *why) MUST_USE;

#endif
