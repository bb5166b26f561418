/* How deep a crawl went: its pages by their depth when they were first discovered, as in Figures 9
 * to 12 of the seeds paper (their iteration i is depth i - 1). A seed has depth 0; a page that u is
 * the first to link to, in the order of the crawl, is one deeper than u. */
#ifndef LAB_MEASURE_DEPTH_H
#define LAB_MEASURE_DEPTH_H

#include "lab/measure/throughput.h"

struct depth_level {
	uint32_t pages; /* crawled, first discovered at this depth */
	double rank;    /* their mean PageRank; 0 where there are none */
};

/* A level a depth into a new *levels, to be free()d; returns how many. Depths from `most` - 1 on
 * (most >= 1) share the last. Pages that nothing crawled before linked to (`ideal` takes such) are
 * in none. O(nodes + arcs of the crawl). */
uint32_t depth_profile(struct depth_level **levels, uint32_t most, const struct graph *g,
	const struct benchmark *b, const uint32_t *order, uint32_t crawled, const uint32_t *seeds,
	size_t n_seeds);

#endif
