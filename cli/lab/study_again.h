/* The manifests of evaluations whose keys are flags of a verb, `lycosa seeds` and `lycosa coverage`: made of the
 * flags, and run again as a command line. */
#ifndef CLI_LAB_STUDY_AGAIN_H
#define CLI_LAB_STUDY_AGAIN_H

#include "cli/flags/options.h"
#include "cli/lab/study_job.h"
#include "cli/verb.h"
#include "lab/report/study.h"

struct dataset;

/* Fills an empty job with the flags of a verb that were given or have a usual value, as far as they are keys of a job. The graph's
 * fingerprint is that of `data`, which may be NULL. */
void study_again_job(struct job *j, const struct command *c, const struct dataset *data);

/* Tells the study what it was made of, settles the job with its numbers, and writes the folder. */
int study_again_files(const char *folder, struct study *s, struct job *j, const struct dataset *data,
	struct err_note *why) MUST_USE;

/* Runs the verb that a job's "study" names with its keys as flags, into a folder that must be named (--out). ERR_OTHER where
 * the numbers, or ERR_USAGE where the graph is another than the job tells. */
int study_again(const struct job *j, const char *out, struct err_note *why) MUST_USE;

/* Runs the job of a comparison as `lycosa compare` does (cli/lab/verb_compare.c), which settles it. `out` is NULL if no folder is to
 * be written. ERR_OTHER where the numbers are others than the job tells. */
int compare_again(struct job *, const char *out, const struct report_options *, uint64_t threads, struct err_note *why) MUST_USE;

#endif
