/* The evaluation of seeds by Daneshpajouh, Nasiri and Ghodsi: the sizes of the cores and their distances, and what a
 * breadth-first crawl from the seeds finds at each depth, beside crawls from as many random pages. `lycosa seeds
 * --out` runs it. */
#ifndef LAB_REPORT_SEEDS_STUDY_H
#define LAB_REPORT_SEEDS_STUDY_H

#include "lab/study/dataset.h"
#include "lab/report/study.h"
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

#endif
