/* Writes the results of a contest (lab/study/contest.h) into a study: tables, figures and claims. Discoverable
 * throughput, which is the IECA paper's, comes before strict throughput.
 *
 * A contest may hold methods that are no candidates: yardsticks, which know the whole graph, and policies that
 * did not run on every graph. contest_report() wants a contest of candidates alone. The other functions take any
 * contest, draw yardsticks in grey, and pass over a method on a graph where it did not run
 * (contest_graph.place is SIZE_MAX). */
#ifndef LAB_REPORT_CONTEST_REPORT_H
#define LAB_REPORT_CONTEST_REPORT_H

#include "lab/study/contest.h"
#include "lab/report/study.h"

/* Appends the claims with their verdicts, the mean places and the effects across graphs if there are two graphs or more, the
 * list of graphs, and both throughputs. */
void contest_report(const struct contest *c, const struct contest_across *a, struct study *s);

/* Appends the gap of each graph (lab/study/contest.h), and their means over independent graphs. For a contest with a
 * yardstick. */
void contest_gaps(const struct contest *c, struct study *s);

/* Returns 0, or ERR_OTHER with a note if the verdict on a claim is not the expected one: its sentence contradicts the table. */
int contest_check(const struct contest *c, const struct contest_across *a, struct err_note *why) MUST_USE;

/* Appends the curves of the crawls: a figure for each graph, and a table of their points. CONTEST_CURVES_MAIN draws discoverable
 * throughput; CONTEST_CURVES_ALL also draws strict throughput and PageRank mass. */
enum contest_curves { CONTEST_CURVES_MAIN, CONTEST_CURVES_ALL };
void contest_curves(const struct contest *c, enum contest_curves which, struct study *s);

/* Appends a table with one value in each row: graph, policy, draw, at, measure, value. */
void contest_values(const struct contest *c, struct study *s);

/* Appends, for each graph, the measures over the draws, the policies in pairs, the pages of each window and depth of a crawl,
 * and the operations of each policy. CPU times differ from run to run; only CONTEST_TIMED includes them. */
enum contest_costs { CONTEST_COUNTED, CONTEST_TIMED };
void contest_profiles(const struct contest *c, enum contest_costs costs, struct study *s);

/* Appends the mean AUC of each policy on each graph with its interval, and the differences of all pairs of policies with p,
 * correction, effect and verdict. */
void contest_verdicts(const struct contest *c, struct study *s);

/* Appends a table with the mean over the graphs and the mean place of every candidate, by AUC and by strict throughput at
 * each point. */
void contest_means(const struct contest *c, struct study *s);

#endif
