/* The claims and findings of a job: "A > B, C: TEXT" and "A > B, C is VERDICT: TEXT". */
#ifndef CLI_LAB_STUDY_CLAIMS_H
#define CLI_LAB_STUDY_CLAIMS_H

#include "cli/lab/study_run.h"

/* Reads them into the contest of a run whose methods are named; study_run_release() frees them. ERR_USAGE with file
 * and line, or with the nearest method. */
int study_claims(struct study_run *r, struct err_note *why) MUST_USE;

#endif
