/* How deep a crawl went: pages by their depth when they were first discovered, as in Figures 9 to 12 of
 * Daneshpajouh, Nasiri and Ghodsi (whose iteration i is depth i - 1). A seed has depth 0. A page is one deeper
 * than the first crawled page that links to it. */
#ifndef LAB_MEASURE_DEPTH_H
#define LAB_MEASURE_DEPTH_H

#include "lab/measure/throughput.h"

struct depth_level {
	uint32_t pages; /* crawled, first discovered at this depth */
	double rank;    /* their mean PageRank; 0 where there are none */
};

/* Makes *levels, one for each depth, which the caller frees; returns their number. All depths from `most` - 1 on
 * (most >= 1) share the last level. A page is in no
 * level if no page crawled before it links to it, which the order of `ideal` allows. O(nodes + arcs of the crawl). */
uint32_t depth_profile(struct depth_level **levels, uint32_t most, const struct graph *g, const struct benchmark *b,
	const uint32_t *order, uint32_t crawled, const uint32_t *seeds, size_t n_seeds);

/* --- What each level of a breadth-first crawl holds: Figures 7 to 12 of Daneshpajouh, Nasiri and Ghodsi, whose
 * iteration i is level i - 1. */

struct crawl_level {
	double pages;
	double rank; /* mean PageRank of these times N; NAN without pages */
	double mass; /* PageRank of all pages so far, of all */
};

/* Fills `most` levels of the crawl from n seeds; the last one holds all deeper levels, too. */
void crawl_levels(const struct graph *g, const struct benchmark *b, const uint32_t *seed, size_t n, struct crawl_level *level,
	uint32_t most);

/* --- Average PageRank of the windows of a crawl (Najork and Wiener 2001): it falls where a crawl finds the best pages
 * first. */

/* Makes *mean, which the caller frees: for each run of `size` pages in the order crawled, the last run perhaps shorter,
 * the mean PageRank times N, which is 1 on average over the graph. Returns the number of windows. */
uint32_t window_means(double **mean, uint32_t size, const struct benchmark *b, const uint32_t *order, uint32_t crawled);

#endif
