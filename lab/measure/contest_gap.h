/* The gap of a graph: from the best candidate to a yardstick, which knows the whole graph. One of the candidates, the
 * challenger, is compared with the best of the others, which is chosen in hindsight for each graph, so that the
 * challenger has to be good on all graphs, and the best of the others on one.
 *
 *	struct contest_gap gap;
 *	contest_gap(c, graph, &gap);                 c->challenger, c->yardstick and c->least_gap are set
 *	if (gap.share > 0.25) ...                    a quarter of the way from the best of the others to the yardstick */
#ifndef LAB_MEASURE_CONTEST_GAP_H
#define LAB_MEASURE_CONTEST_GAP_H

#include "lab/measure/contest.h"

struct contest_gap {
	size_t best; /* the method, other than the challenger, with the highest mean over the draws */
	struct interval of_best, of_challenger, of_yardstick;
	struct interval difference; /* challenger less best, paired by draws */
	/* Wilcoxon's p of the difference, corrected by Holm's method for the comparisons of the challenger with each
	 * of the others on this graph */
	double p;
	double gap;   /* the mean of the yardstick less that of the best */
	double share; /* difference / gap; NAN if the gap is 0, negative, or less than c->least_gap */
};

/* Computes the gap of a graph on which at least one draw was kept. Without other methods than the challenger, `best` is
 * the challenger itself. */
void contest_gap(const struct contest *c, size_t graph, struct contest_gap *out);

#endif
