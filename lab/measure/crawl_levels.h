/* What each level of a breadth-first crawl holds: Figures 7 to 12 of Daneshpajouh, Nasiri and Ghodsi, whose
 * iteration i is level i - 1. */
#ifndef LAB_MEASURE_CRAWL_LEVELS_H
#define LAB_MEASURE_CRAWL_LEVELS_H

#include "lab/measure/throughput.h"

struct crawl_level {
	double pages;
	double rank; /* mean PageRank of these times N; NAN without pages */
	double mass; /* PageRank of all pages so far, of all */
};

/* Fills `most` levels of the crawl from n seeds; the last one holds all deeper levels, too. */
void crawl_levels(const struct graph *g, const struct benchmark *b, const uint32_t *seed, size_t n, struct crawl_level *level,
	uint32_t most);

#endif
