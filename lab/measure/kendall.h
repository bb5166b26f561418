/* Kendall's tau-b between two rankings with ties: how alike the ranking of a crawled part and that of the whole
 * graph are. 1 is the same order, -1 the reverse, 0 no relation. */
#ifndef LAB_MEASURE_KENDALL_H
#define LAB_MEASURE_KENDALL_H

#include "lab/measure/throughput.h"

/* Returns tau_b = (concordant - discordant) / sqrt((n0 - n1)(n0 - n2)) of n pairs (x[i], y[i]), with
 * n0 = n(n-1)/2 and n1, n2 the pairs tied in x, in y (Kendall 1945). 0 where a side is constant.
 * Knight's method (1966): sort by x, count the exchanges of a merge sort by y; O(n log n). */
double kendall_tau_b(const uint64_t *x, const uint64_t *y, uint32_t n);

/* Returns the tau-b of the first k pages of an order (Boldi, Santini, Vigna 2004): the PageRank of these pages in
 * the subgraph that they induce, to the benchmark's tolerance, against their PageRank in the whole graph. */
double kendall_of_part(const struct graph *g, const struct benchmark *b, const uint32_t *order, uint32_t k);

#endif
