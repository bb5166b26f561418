/* Average PageRank per window of a crawl (Najork and Wiener 2001): are the best pages early? */
#ifndef LAB_MEASURE_WINDOW_H
#define LAB_MEASURE_WINDOW_H

#include "lab/measure/throughput.h"

/* The mean PageRank times N (1 is the mean of the graph) of each `size` pages in the order crawled,
 * the last window perhaps of fewer, into a new *mean, to be free()d; returns how many. */
uint32_t window_means(double **mean, uint32_t size, const struct benchmark *b,
	const uint32_t *order, uint32_t crawled);

#endif
