/* What a comparison says: each figure over the draws. */
#ifndef LAB_MEASURE_SUMMARY_H
#define LAB_MEASURE_SUMMARY_H

#include "lab/study/compare.h"
#include "lab/measure/stats.h"

/* A figure of a trial. Those from HOT to TAU are at the i-th of compare.at, the CURVE ones at step
 * i, the others at window or depth i. */
enum measure {
	MEASURE_AUC,
	MEASURE_REGRET_IDEAL,
	MEASURE_REGRET_OMNISCIENT,
	MEASURE_NS_A_LINK, /* CPU */
	MEASURE_NS_A_PAGE,
	MEASURE_BYTES_A_PAGE, /* of the graph: op_counts_bytes_a_page() */
	MEASURE_EFFORT,       /* heap moves, links ranked and links read, a link read */
	MEASURE_HOT,
	MEASURE_DISCOVERABLE,
	MEASURE_MASS,
	MEASURE_LIFT,
	MEASURE_TAU,
	MEASURE_CURVE_HOT,
	MEASURE_CURVE_DISCOVERABLE,
	MEASURE_CURVE_MASS,
	MEASURE_WINDOW,
	MEASURE_DEPTH_PAGES, /* 0 beyond the deepest */
	MEASURE_DEPTH_RANK,  /* times N */
	MEASURE_QUEUED,      /* by step, of N */
	MEASURE_PART,        /* pages that take part, likewise: struct op_counts */
};

/* As in the column of that figure: "hot_discoverable". Static memory. */
const char *measure_name(enum measure);

/* Whether it is a time, which differs from run to run. */
int measure_is_time(enum measure);

/* NAN where a trial has no such figure. */
double measure_of(const struct compare *, const struct trial *, enum measure, size_t i);

/* Of a policy, over the draws that have it. */
struct interval summary_of(const struct compare *, size_t policy, enum measure, size_t i);

/* What the crawls of a policy had to do, mean over the draws; NAN for what is no crawl. */
enum op_count {
	OP_COUNT_LINKS, /* E */
	OP_COUNT_KEY_UPDATES,
	OP_COUNT_HEAP_MOVES, /* as struct frontier_work */
	OP_COUNT_HEAP_BOUND, /* op_counts_heap_bound() */
	OP_COUNT_RANKED_PAGES,
	OP_COUNT_RANKED_LINKS, /* as struct frontier_work */
	OP_COUNT_RANK_BOUND,   /* op_counts_rank_bound() */
	OP_COUNT_PEAK,         /* pages queued */
	OP_COUNT_BYTES,        /* a page: op_counts_bytes_a_page() */
	OP_COUNT_FIGURES
};
double summary_of_op_count(const struct compare *, size_t policy, enum op_count);

/* Whether a policy is no crawl of the web but a measure of others: it knows the whole graph. */
int summary_is_yardstick(const struct policy *);

/* The policies by their mean AUC, best first, into order[n_policies]; equal ones as they stand. */
void summary_order(const struct compare *, size_t *order);

#endif
