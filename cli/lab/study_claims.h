/* The claims and findings of a job: "A > B, C: TEXT" and "A > B, C is VERDICT: TEXT". */
#ifndef CLI_LAB_STUDY_CLAIMS_H
#define CLI_LAB_STUDY_CLAIMS_H

#include "cli/lab/study_run.h"

/* Reads them into the contest of a run whose methods are named; study_run_release() frees them. ERR_USAGE with file
 * and line, or with the nearest method. */
int study_claims(struct study_run *r, struct err_note *why) MUST_USE;

/* Finds a method by its name, which stands in the job under a key. ERR_USAGE with the nearest method. */
int study_method(const struct study_run *r, enum job_key key, const char *name, size_t *method, struct err_note *why) MUST_USE;

#endif
