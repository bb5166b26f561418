/* Methods (policies, or values of an option) against graphs: which method finds more hot pages, within
 * a graph and across graphs.
 *
 * Within a graph the draws of seeds are paired, and Wilcoxon's signed-rank test with Holm's correction
 * for all pairs says whether a difference is more than the luck of these draws. It says nothing of other
 * graphs. Across graphs Friedman's test and Nemenyi's critical difference (lab/measure/ranks.h) say so,
 * over independent graphs: the graphs of one family count as one, by the mean of their means. A
 * difference below the smallest effect of interest, stated beforehand, is no finding however sure. */
#ifndef LAB_MEASURE_CONTEST_H
#define LAB_MEASURE_CONTEST_H

#include "lab/measure/ranks.h"
#include "lab/measure/summary.h"

#define CONTEST_LEVEL 0.05

struct contest_graph {
	const char *name, *family,
		*seeds; /* borrowed; graphs of equal family are not independent */
	uint64_t fingerprint;
	const struct compare **compare; /* of each method: the comparison it took part in */
	const size_t *place;            /* of each method: its policy's place there */
};

/* What a paper, or a person, says: the method is better than each of the others. */
struct contest_claim {
	/* {points} stands for the mean difference from the first of the others, {share} for the share of the graphs on
	 * which the method is better, {graphs} for how many these are: numbers that cannot be wrong. */
	const char *text;
	size_t method;
	const size_t *other;
	size_t others;
	const char *expected; /* the verdict that the text rests on; NULL: any */
	int is_finding;       /* the text is what is found here, not what a paper says */
};

struct contest {
	/* in, borrowed */
	const struct contest_graph *graph;
	size_t graphs;
	const char *const *method; /* names */
	size_t methods;
	/* Where the methods are policies by values of one thing, value by value: how many policies, what varies, and
	 * the number that each value is or ends in, NAN for none. Else 0 and NULL. */
	size_t policies;
	const char *varied;
	const double *value;
	size_t at;              /* the judged point: its place in compare.at, the same in all; of MEASURE_COVERED links */
	/* MEASURE_DISCOVERABLE, MEASURE_HOT, or of breadth-first crawls, none of whose draws is then too short,
	 * MEASURE_COVERED. */
	enum measure judge;
	double smallest_effect; /* of that measure: 0.01 is a percentage point */
	enum contest_draws { CONTEST_ALL_DRAWS, CONTEST_DROP_SHORT } draws;
	const struct contest_claim *claim;
	size_t claims;
};

/* --- within a graph */

/* Whether a draw is kept: with CONTEST_DROP_SHORT every method has crawled as many pages as the judged
 * point asks for. A draw whose seeds reach fewer says nothing of methods: all crawl the same pages. */
int contest_keeps(const struct contest *c, size_t graph, uint32_t draw);
uint32_t contest_kept(const struct contest *c, size_t graph);

/* A measure of a method over the draws that are kept; NAN where there are none. */
struct interval contest_mean(
	const struct contest *c, size_t graph, size_t method, enum measure m, size_t at);

struct contest_pair {
	double difference; /* mean, method less other */
	double p;          /* Wilcoxon's, by Holm's method corrected for all pairs on the graph */
	enum {
		CONTEST_TOO_FEW,
		CONTEST_EQUAL,
		CONTEST_BETTER,
		CONTEST_WORSE,
		CONTEST_VERDICTS
	} verdict;
};
/* All pairs on a graph, method by method: methods * methods, to be freed. Better and worse are
 * differences of the smallest effect or more, with p below CONTEST_LEVEL; too few are draws with
 * which no p could be. */
struct contest_pair *contest_pairs(const struct contest *c, size_t graph);

/* --- across graphs */

/* Of the graphs that kept a draw: one row a family, value[row * methods + method], names in family[];
 * both to be freed. Returns how many rows. */
size_t contest_rows(const struct contest *c, double **value, const char ***family);

struct contest_across {
	struct ranks ranks;
	double *mean; /* of each method over the rows */
	double *value;
	const char **family;
	size_t rows;
};
void contest_across_make(const struct contest *c, struct contest_across *a);
void contest_across_release(struct contest_across *a);

/* The share of the rows on which a method is better than another, equal ones counting half: Vargha and
 * Delaney's A of paired rows. */
double contest_share(const struct contest_across *a, size_t method, size_t methods, size_t other);

/* "holds": against each of the others the mean places are told apart, in that direction, and the mean
 * difference is the smallest effect or more. "contradicted": against one of them the other way round.
 * Else "not shown". Static memory. */
const char *contest_verdict(
	const struct contest *c, const struct contest_across *a, const struct contest_claim *claim);

#endif
