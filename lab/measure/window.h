/* Average PageRank of the windows of a crawl (Najork and Wiener 2001): it falls where a crawl finds the best pages
 * first. */
#ifndef LAB_MEASURE_WINDOW_H
#define LAB_MEASURE_WINDOW_H

#include "lab/measure/throughput.h"

/* Makes *mean, which the caller frees: for each run of `size` pages in the order crawled, the last run perhaps shorter,
 * the mean PageRank times N, which is 1 on average over the graph. Returns the number of windows. */
uint32_t window_means(double **mean, uint32_t size, const struct benchmark *b, const uint32_t *order, uint32_t crawled);

#endif
