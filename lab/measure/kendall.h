/* Whether a crawl is like the whole: Kendall's tau-b between two rankings with ties. */
#ifndef LAB_MEASURE_KENDALL_H
#define LAB_MEASURE_KENDALL_H

#include "lab/measure/throughput.h"

/* tau_b = (concordant - discordant) / sqrt((n0 - n1)(n0 - n2)) of n pairs (x[i], y[i]), with
 * n0 = n(n-1)/2 and n1, n2 the pairs tied in x, in y (Kendall 1945). 0 where a side is constant.
 * Knight's method (1966): sort by x, count the exchanges of a merge sort by y; O(n log n). */
double kendall_tau_b(const uint64_t *x, const uint64_t *y, uint32_t n);

/* tau-b of the first k pages of an order (Boldi, Santini, Vigna 2004): the keys of their PageRank
 * in the subgraph that they induce, by the benchmark's tolerance, against those of the benchmark.
 */
double kendall_of_part(
	const struct graph *g, const struct benchmark *b, const uint32_t *order, uint32_t k);

#endif
