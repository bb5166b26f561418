/* The figures of a report, as scripts for gnuplot. Policies that are yardsticks (they know the
 * whole graph) are grey, the others have the colours of Okabe and Ito, which the colour-blind tell
 * apart; line styles tell policies apart that share one. A policy has one style in all figures. */
#ifndef LAB_REPORT_CHARTS_H
#define LAB_REPORT_CHARTS_H

#include "lab/measure/summary.h"

/* With fewer draws a band would be wider than the figure tells. */
#define CHART_BAND_DRAWS 5

enum chart {
	CHART_DISCOVERABLE, /* over the fraction crawled; from CHART_BAND_DRAWS on with the
			       interval as a band */
	CHART_HOT,
	CHART_MASS,
	CHART_WINDOW,
	CHART_DEPTH_RANK,
	CHART_DEPTH_PAGES,
	CHART_PART,   /* pages that take part, over the fraction crawled */
	CHART_EFFORT, /* operations a link against AUC */
	CHART_COST,   /* CPU a link against AUC */
	CHARTS
};

/* Appends the script. `order`: policies, best first; the key follows it. Trials have profiles. */
void chart_script(struct buf *script, const struct compare *, const size_t *order, enum chart);

/* The depth at which the figures by depth are cut: half as much again as holds 99% of the pages
 * under the policy in the middle. */
size_t chart_depth(const struct compare *);

/* Appends a policy's colour, as CSS has it. */
void chart_colour(struct buf *out, const struct compare *, size_t policy);

#endif
