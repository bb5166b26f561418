/* Writes the results of a contest (lab/study/contest.h) into a study: tables, figures and claims. Discoverable
 * throughput, which is the IECA paper's, comes before strict throughput.
 *
 * A contest may hold methods that are no candidates: yardsticks, which know the whole graph, and policies that
 * did not run on every graph. contest_report() wants a contest of candidates alone. The other functions take any
 * contest, draw yardsticks in grey, and pass over a method on a graph where it did not run
 * (contest_graph.place is SIZE_MAX). */
#ifndef LAB_REPORT_CONTEST_REPORT_H
#define LAB_REPORT_CONTEST_REPORT_H

#include "base/err.h"
#include "lab/report/study.h"
#include "lab/study/contest.h"

#include <stddef.h>

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

/* --- Claims of a paper that an evaluation judges on one graph at a time (`lycosa seeds --out`, `lycosa coverage --out`),
 * put together over several graphs; and findings, sentences that rest on these claims and state a verdict beforehand.
 *
 *	struct paper_claims p = {.claims = 0};
 *	paper_claims_add(&p, "web-2021", "MaxOut covers most pages", "does not hold", "best: rootscc, +12.0%");
 *	err = paper_claims_find(&p, "MaxOut covers most pages is not shown: MaxOut is best on none of {graphs} graphs", why);
 *	paper_claims_report(&p, &study);
 *	err = paper_claims_check(&p, why);
 *	paper_claims_release(&p); */

struct paper_claim {
	char *text;
	size_t graphs; /* on which it was tested */
	size_t holds;  /* on so many of these graphs */
};

struct paper_finding {
	size_t claim;
	const char *expected; /* one of the verdicts below */
	char *text;
};

struct paper_claims {
	struct paper_claim *claim; /* in the order in which they were added */
	size_t claims, claim_room;
	struct study by_graph; /* the table "claims_by_graph" */
	struct paper_finding *finding;
	size_t findings, finding_room;
};

void paper_claims_release(struct paper_claims *p);

/* Adds the verdict on a claim on one graph: "holds", "does not hold", or "not tested", which does not count. `seen` are the
 * figures that the verdict rests on. The texts are copied. */
void paper_claims_add(struct paper_claims *p, const char *graph, const char *claim, const char *verdict, const char *seen);

/* Returns the verdict on claim number `claim` over all graphs, in static memory: "holds" or "contradicted" if the p of the sign
 * test over the graphs, corrected by Holm's method for all claims that were tested, is below CONTEST_LEVEL, and otherwise "not
 * shown". */
const char *paper_claims_verdict(const struct paper_claims *p, size_t claim);

/* Adds a finding, "CLAIM is VERDICT: TEXT", after the claims. In the text, {holds} is the number of graphs on which the
 * claim holds, and {graphs} the number of graphs. ERR_USAGE if it has another form, or names no claim. */
int paper_claims_find(struct paper_claims *p, const char *finding, struct err_note *why) MUST_USE;

/* Appends two tables to a study: "claims", findings before claims, as contest_report() writes it, and "claims_by_graph". */
void paper_claims_report(struct paper_claims *p, struct study *s);

/* Returns 0, or ERR_OTHER with a note if the claim of a finding has another verdict than the one stated. */
int paper_claims_check(const struct paper_claims *p, struct err_note *why) MUST_USE;

#endif
