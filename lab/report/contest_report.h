/* What a contest (lab/measure/contest.h) says, as a study: tables, figures and claims. Discoverable
 * throughput, which is the IECA paper's, comes before strict throughput.
 *
 * A contest may hold methods that are no candidates: yardsticks, which know the whole graph, and policies that
 * did not run on every graph. contest_report() wants a contest of candidates alone. The other functions take any
 * contest, draw yardsticks in grey, and pass over a method on a graph where it did not run
 * (contest_graph.place is SIZE_MAX). */
#ifndef LAB_REPORT_CONTEST_REPORT_H
#define LAB_REPORT_CONTEST_REPORT_H

#include "lab/measure/contest.h"
#include "lab/study/study.h"

/* Claims and their verdicts, mean places and effects across graphs where there are two or more, the
 * graphs, and both throughputs. */
void contest_report(const struct contest *c, const struct contest_across *a, struct study *s);

/* ERR_OTHER where a claim's verdict is not the one that its text expects: the sentence contradicts its
 * table. */
int contest_check(
	const struct contest *c, const struct contest_across *a, struct err_note *why) MUST_USE;

/* The curves of a crawl: a figure a graph, and the numbers. CURVES_ALL draws strict throughput and
 * PageRank as well. */
enum contest_curves { CONTEST_CURVES_MAIN, CONTEST_CURVES_ALL };
void contest_curves(const struct contest *c, enum contest_curves which, struct study *s);

/* The values one a row: graph, policy, draw, at, measure, value. */
void contest_values(const struct contest *c, struct study *s);

/* Graph by graph: each figure over the draws, the policies in pairs, what each window and depth of a
 * crawl held, and what a policy had to look at. CPU times differ from run to run and are left out unless
 * they are asked for. */
enum contest_costs { CONTEST_COUNTED, CONTEST_TIMED };
void contest_profiles(const struct contest *c, enum contest_costs costs, struct study *s);

/* Mean over the graphs and mean place of every method by AUC and by strict throughput at each point, as a
 * table; of candidates. */
void contest_means(const struct contest *c, struct study *s);

#endif
