/* Comparisons on several graphs, taken together: the policies that all of them have, and the mean
 * of a figure over the graphs, each graph counting alike, as in Table II of the IECA paper. */
#ifndef LAB_MEASURE_ACROSS_H
#define LAB_MEASURE_ACROSS_H

#include "lab/measure/summary.h"

/* The policies, by name, that all of the n >= 1 comparisons have, as the first of them counts
 * them, into common[], which has room for all of the first; best first by the mean over the graphs
 * of their mean AUC. Returns how many. */
size_t across_common(const struct compare *const *c, size_t n, size_t *common);

/* The place of the first comparison's `policy` in another; SIZE_MAX where it has none of that name.
 */
size_t across_place(const struct compare *other, const struct compare *first, size_t policy);

/* Of a policy that all have: the mean over the graphs of summary_of().mean. */
double across_mean(const struct compare *const *c, size_t n, size_t policy, enum measure, size_t i);

/* Its mean place on the graphs by that measure, 1 for the highest, among the policies common[m] that
 * are no yardsticks; equal ones share theirs. NAN for a yardstick. */
double across_rank(const struct compare *const *c, size_t n, const size_t *common, size_t m,
	size_t policy, enum measure, size_t i);

/* Which of compare.at is the paper's 45% point, or the nearest to it. */
size_t across_point(const struct compare *);

#endif
