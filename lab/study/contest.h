/* A contest of methods (policies, values of an option, or seed methods) over graphs: which method finds more hot pages,
 * within a graph and across graphs.
 *
 * Within a graph all methods crawl from the same draws of seeds. Wilcoxon's signed-rank test, with Holm's correction for all
 * pairs of methods, says whether a difference is more than the luck of these draws; it says nothing of other graphs.
 * Across graphs, Friedman's test and Nemenyi's critical difference (lab/measure/stats.h) say whether a difference is more
 * than the luck of the choice of graphs. They need independent graphs: the graphs of one family count as one, by the mean
 * of their means. A difference below the smallest effect of interest, stated beforehand, is no finding however
 * significant it is. */
#ifndef LAB_STUDY_CONTEST_H
#define LAB_STUDY_CONTEST_H

#include "lab/measure/stats.h"
#include "lab/study/summary.h"

#define CONTEST_LEVEL 0.05

struct contest_graph {
	const char *name, *family, *seeds; /* borrowed; graphs of equal family are not independent */
	uint64_t fingerprint;
	struct contest_entry {
		const struct compare *compare; /* the comparison that the method took part in */
		size_t place;                  /* of its policy there */
	} * entry;                             /* of each method */
};

/* A claim of a paper, or a finding of a job file: the method is better than each of the others. */
struct contest_claim {
	/* The report replaces {points} by the mean difference from the first of the others, {share} by the share of the
	 * independent graphs on which the method is better, and {graphs} by the number of these graphs. */
	const char *text;
	size_t method;
	const size_t *other;
	size_t others;
	const char *expected; /* the verdict for which the text is true; NULL: any */
	int is_finding;       /* 1: a finding of this study; 0: a claim of a paper */
};

struct contest {
	/* in, borrowed */
	const struct contest_graph *graph;
	size_t graphs;
	const char *const *method; /* names */
	size_t methods;
	/* Where each method is a policy with one of several values of an option or key, value by value: the number of
	 * policies, the name of the option, and each value as a number (the one that it is or ends in, NAN for none).
	 * Otherwise 0 and NULL. */
	size_t policies;
	const char *varied;
	const double *value;
	size_t at; /* the judged point: its index in compare.at, the same in all; for MEASURE_COVERED a number of links */
	/* The judged measure: MEASURE_DISCOVERABLE, MEASURE_HOT, MEASURE_AUC, or, for breadth-first crawls,
	 * MEASURE_COVERED. For the last two `at` is no point, and no draw is too short. */
	enum measure judge;
	double smallest_effect; /* of that measure: 0.01 is a percentage point */
	enum contest_draws { CONTEST_ALL_DRAWS, CONTEST_DROP_SHORT } draws;
	const struct contest_claim *claim;
	size_t claims;
	/* The gap: the names of yardsticks, which take no part otherwise. The arrays of each contest_graph have entries for
	 * them behind those of the methods. */
	const char *const *yardstick;
	size_t yardsticks; /* 0: no gap is wanted */
	size_t challenger; /* a method */
	double least_gap;  /* a graph with a smaller gap tells policies apart too little to count */
};

/* --- within a graph */

/* Says whether a draw is kept. CONTEST_DROP_SHORT keeps a draw only if every method has crawled as many pages as the
 * judged point asks for: if the seeds lead to fewer pages, all methods crawl the same ones. */
int contest_keeps(const struct contest *c, size_t graph, uint32_t draw);

/* Returns the number of draws that are kept on a graph. */
uint32_t contest_kept(const struct contest *c, size_t graph);

/* Returns the mean of a measure of a method, with its interval, over the draws that are kept; NAN where there are none. */
struct interval contest_mean(const struct contest *c, size_t graph, size_t method, enum measure m, size_t at);

/* Returns all pairs of methods on a graph by the judged measure (lab/study/summary.h), methods * methods of them, which the caller
 * frees: method m against o is the [m * methods + o]-th. A method is better or worse if the difference is at least the smallest
 * effect and p, corrected by Holm's method for all pairs on the graph, is below CONTEST_LEVEL; the draws are too few if no p of so
 * many draws can be below CONTEST_LEVEL. */
struct pair *contest_pairs(const struct contest *c, size_t graph);

/* --- across graphs */

/* Makes a row for each family of the graphs that kept a draw, and returns the number of rows: (*value)[row * methods +
 * method] is the mean of the judged measure, (*family)[row] the name. The caller frees both arrays. */
size_t contest_rows(const struct contest *c, double **value, const char ***family);

struct contest_across {
	struct ranks ranks;
	double *mean;  /* of each method: its mean over the rows */
	double *value; /* as contest_rows() makes them, with family and rows */
	const char **family;
	size_t rows;
};
/* Compares the methods across graphs. Release with contest_across_release(). */
void contest_across_make(const struct contest *c, struct contest_across *a);
void contest_across_release(struct contest_across *a);

/* Returns the share of the rows on which a method is better than another one; a row with equal values counts half. This is
 * Vargha and Delaney's A of paired rows. */
double contest_share(const struct contest_across *a, size_t method, size_t methods, size_t other);

/* A planned comparison: a claim's method against one of the others, tested over the rows of a contest. */
struct contest_planned {
	size_t method, other;
	double difference; /* of the means over the rows, method less other */
	double share;      /* contest_share() */
	double p;          /* Wilcoxon's signed-rank test over the rows */
	double corrected;  /* by Holm's method, for `comparisons` tests */
	size_t comparisons;
};

/* Returns the comparisons of a claim, claim->others of them, which the caller frees. They are corrected for each other and, if the
 * claim is a paper's, for those of all claims of papers in the contest; a pair that several claims name is one test. The picture
 * of all pairs (struct ranks) takes no part: it tests what nobody has claimed. */
struct contest_planned *contest_planned(const struct contest *c, const struct contest_across *a, const struct contest_claim *claim);

/* Returns the verdict on a claim, in static memory. "holds": against each of the others, the corrected p is below CONTEST_LEVEL,
 * the method is better in the mean by the smallest effect or more, and on most rows. "contradicted": against one of the others, all
 * three are so in the other direction. Otherwise "not shown". */
const char *contest_verdict(const struct contest *c, const struct contest_across *a, const struct contest_claim *claim);

/* --- The gap of a graph: from the best candidate to a yardstick, which knows the whole graph; of several yardsticks, to the best.
 * One of the candidates, the challenger, is compared with the best of the others, which is chosen in hindsight for each graph, so
 * that the challenger has to be good on all graphs, and the best of the others on one.
 *
 *	struct contest_gap gap;
 *	contest_gap(c, graph, &gap);                 c->challenger, c->yardsticks and c->least_gap are set
 *	if (gap.share > 0.25) ...                    a quarter of the way from the best of the others to the yardstick */

struct contest_gap {
	size_t best; /* the method, other than the challenger, with the highest mean over the draws */
	struct interval of_best, of_challenger, of_yardstick;
	struct interval difference; /* challenger less best, paired by draws */
	/* Wilcoxon's p of the difference, corrected by Holm's method for the comparisons of the challenger with each
	 * of the others on this graph */
	double p;
	size_t yardstick; /* the yardstick with the highest mean */
	double gap;       /* the mean of this yardstick less that of the best */
	double share;     /* difference / gap; NAN if the gap is 0, negative, or less than c->least_gap */
};

/* Computes the gap of a graph on which at least one draw was kept. Without other methods than the challenger, `best` is
 * the challenger itself. */
void contest_gap(const struct contest *c, size_t graph, struct contest_gap *out);

#endif
