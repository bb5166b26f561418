/* How far cores are from one another (Daneshpajouh et al., section 3.5): D(i, j) is the length of a
 * shortest way from any node of core i to any node of core j, along the links of the whole graph. */
#ifndef LAB_MEASURE_CORE_DISTANCE_H
#define LAB_MEASURE_CORE_DISTANCE_H

#include "seeds/method.h"

#define CORE_UNREACHED (-1)

/* Into distance[n * n], row by row. O(n (nodes + arcs)), less where cores are near. `threads`
 * changes no result; each needs 5 bytes a node. */
void core_distances(const struct graph *g, const struct seed_core *core, size_t n, unsigned threads,
	int32_t *distance);

/* Over the ordered pairs of different cores of which one reaches the other. */
struct core_distance_summary {
	uint64_t pairs, reached;
	int32_t least, most;
	double average;
	/* Pearson's, of |i - j| with D(i, j): below 0 where near cores are found in far iterations;
	 * NAN where one of both never changes. */
	double correlation;
	/* Mantel's test: how likely a correlation as low is if the order of the cores had nothing
	 * to do with it, by 999 shuffles of them; NAN likewise. */
	double p;
};

void core_distance_summarise(
	const int32_t *distance, size_t n, struct core_distance_summary *summary);

/* Places in the plane whose distances are as near as may be to those of the cores, the shorter way
 * of both (stress majorisation, Gansner et al. 2004, weights 1/d^2); pairs without a way are one
 * further apart than the furthest. x[n], y[n]. Deterministic. */
void core_layout(const int32_t *distance, size_t n, double *x, double *y);

#endif
