/* How far cores are from one another (Daneshpajouh et al., section 3.5): D(i, j) is the length of a
 * shortest way from any node of core i to any node of core j, along the links of the whole graph. */
#ifndef LAB_MEASURE_CORE_DISTANCE_H
#define LAB_MEASURE_CORE_DISTANCE_H

#include "seeds/method.h"

#define CORE_UNREACHED (-1)

/* Fills distance[n * n] row by row, with CORE_UNREACHED where no way leads from one core to the other.
 * O(n (nodes + arcs)), less where cores are near. The number of threads changes no result; each needs 5 bytes a
 * node. */
void core_distances(const struct graph *g, const struct seed_core *core, size_t n, unsigned threads, int32_t *distance);

/* Figures over the ordered pairs of different cores; all but `pairs` and `reached` over those with a way. */
struct core_distance_summary {
	uint64_t pairs, reached;
	int32_t least, most;
	double average;
	/* Pearson's correlation of |i - j| with D(i, j). It is below 0 if cores that were extracted in iterations far apart are
	 * near one another in the graph; NAN if one of both is constant. */
	double correlation;
	/* Mantel's test: how likely a correlation as low is if the order of the cores had nothing
	 * to do with it, by 999 shuffles of them; NAN likewise. */
	double p;
};

void core_distance_summarise(const int32_t *distance, size_t n, struct core_distance_summary *summary);

/* Fills x[n] and y[n] with places in the plane whose distances approximate those of the cores, by stress majorisation
 * (Gansner et al. 2004) with weights 1/d^2. Of the two ways between a pair the shorter one counts; a pair without a way is
 * placed one further apart than the furthest pair. Deterministic. */
void core_layout(const int32_t *distance, size_t n, double *x, double *y);

#endif
