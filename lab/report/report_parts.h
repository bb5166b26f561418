/* What the files that write a report share. */
#ifndef LAB_REPORT_REPORT_PARTS_H
#define LAB_REPORT_REPORT_PARTS_H

#include "lab/report/report.h"
#include "lab/measure/verdict.h"

/* Who writes a page, and of which graph just now. */
struct writer {
	struct buf *html;
	const struct report *report;
	const struct report_graph *graph;
	const struct compare *compare; /* the graph's */
	size_t *order;                 /* its policies, best first */
	struct pair *pairs;            /* verdict_pairs() */
	int figures, tables;
	int undrawn; /* there is no gnuplot: no second try */
	struct err_note why;
};

/* A column of a table of policies. */
struct column {
	enum measure measure;
	size_t i;
	double scale;
	int decimals;
	enum { HIGHEST_IS_BEST, LOWEST_IS_BEST, NONE_IS_BEST } best;
};

/* 1,234,567 */
void report_count(struct buf *html, uint64_t n);

/* Of a graph's path the last part. */
const char *report_short_name(const struct report_graph *);

/* "<tr><th>" with the policy's colour and name. */
void report_row_head(struct buf *html, const struct compare *, size_t policy);

/* A row a policy, best first; what is best in a column, yardsticks left out, is bold. */
void report_table(struct writer *, const struct column *, size_t n, const char *caption);

/* A column for each of compare.at, and the area under the curve behind them where that is asked. */
enum table_area { WITHOUT_AREA, WITH_AREA };
void report_table_of_points(struct writer *, enum measure, double scale, int decimals,
	enum table_area, const char *caption);

/* The policies in pairs. */
void report_matrix(struct writer *);

/* What each policy had to do, beside what the paper allows. */
void report_work_table(struct writer *);

/* The graphs taken together. */
void report_across(struct writer *);

#endif
