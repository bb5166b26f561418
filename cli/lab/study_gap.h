/* The gap of a job, "gap = echo, omniscient": how much of the way from the best other policy to a yardstick, which knows the
 * whole graph, a policy makes on each graph (lab/measure/contest_gap.h). */
#ifndef CLI_LAB_STUDY_GAP_H
#define CLI_LAB_STUDY_GAP_H

#include "cli/lab/study_run.h"

/* Adds the yardstick to the policies of a run, since it runs with them. A job without a gap has none. Returns 0, or
 * ERR_USAGE with file and line. */
int study_yardstick(struct study_run *r, struct err_note *why) MUST_USE;

/* Reads the policy whose gap is measured, and the smallest gap that counts, into the contest of a run whose methods are
 * named. Returns 0, or ERR_USAGE with file and line, or with the nearest method. */
int study_gap(struct study_run *r, struct err_note *why) MUST_USE;

#endif
