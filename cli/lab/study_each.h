/* A job of `lycosa seeds` or `lycosa coverage` with several graphs or with findings: each graph is evaluated into a folder of
 * its own, DIR/NAME, and DIR has the verdicts on the paper's claims over all graphs. */
#ifndef CLI_LAB_STUDY_EACH_H
#define CLI_LAB_STUDY_EACH_H

#include "cli/lab/study_job.h"

/* Returns whether study_each() has to run a job of `lycosa seeds` or `lycosa coverage`: it has several graphs, or one graph and
 * a finding. study_again() runs any other. */
int study_each_is_meant(const struct job *j);

/* Runs the job, and settles it with the fingerprints of graphs and numbers. ERR_USAGE with file and line where the
 * job is wrong; ERR_OTHER where a finding is contradicted or the numbers are not the stated ones, after
 * the folder was written; ERR_* of an evaluation. */
int study_each(struct job *j, const char *out, struct err_note *why) MUST_USE;

#endif
