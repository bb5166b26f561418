/* The table of a study in virtual time: what each method had found after a time. */
#ifndef CLI_LAB_STUDY_TIMES_H
#define CLI_LAB_STUDY_TIMES_H

#include "cli/lab/study_run.h"

/* Appends a table "times" with a row for each graph, method and time, the means of all draws; nothing if no crawl of the study is
 * in virtual time. A crawl that has ended keeps what it had found. */
void study_times(const struct study_run *, struct study *);

#endif
