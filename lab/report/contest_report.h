/* What a contest says, as a study: tables, figures and claims, discoverable throughput (the IECA
 * paper's) before strict. */
#ifndef LAB_REPORT_CONTEST_REPORT_H
#define LAB_REPORT_CONTEST_REPORT_H

#include "lab/measure/contest.h"
#include "lab/study/study.h"

void contest_report(const struct contest *c, const struct contest_across *a, struct study *s);

/* The values one a row: graph, policy, draw, at, measure, value. */
void contest_values(const struct contest *c, struct study *s);

/* ERR_OTHER where a claim's verdict is not the one that its text expects: the sentence contradicts its
 * table. */
int contest_check(
	const struct contest *c, const struct contest_across *a, struct err_note *why) MUST_USE;

#endif
