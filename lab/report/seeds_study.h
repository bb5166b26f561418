/* The evaluation of seeds by Daneshpajouh, Nasiri and Ghodsi: the sizes of the cores and their distances, and what a
 * breadth-first crawl from the seeds finds at each depth, beside crawls from as many random pages. `lycosa seeds
 * --out` runs it. */
#ifndef LAB_REPORT_SEEDS_STUDY_H
#define LAB_REPORT_SEEDS_STUDY_H

#include "lab/report/study.h"
#include "lab/study/dataset.h"
#include "seeds/method.h"

#define SEEDS_STUDY_CRAWLED 10 /* the seeds that a crawl begins with, at most: the paper's */
#define SEEDS_STUDY_LEVELS  25 /* of a crawl; the last holds what is deeper */

struct seeds_study {
	const struct dataset *data;      /* the graph that the seeds were found in */
	const struct seed_output *found; /* its cores, if the method has any */
	const struct dataset *crawled;   /* the graph that is crawled: that one, or a newer one */
	const uint32_t *seed;            /* n of its pages */
	size_t n;
	const char *method;
	uint32_t draws; /* of random seeds, >= 2 */
	uint64_t rng_seed;
	unsigned threads; /* >= 1; never changes the result */
};

/* Appends tables, figures and verdicts on the paper's claims to a study. */
void seeds_study(const struct seeds_study *in, struct study *study);

/* --- How far cores are from one another (Daneshpajouh et al., section 3.5): D(i, j) is the length of a
 * shortest way from any node of core i to any node of core j, along the links of the whole graph. */

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
