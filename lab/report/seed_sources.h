/* Crawls from the seeds of different sources: every policy from the seeds of every method and from random ones, so
 * that methods can be compared by the hot pages found. A part of `lycosa coverage --out`. */
#ifndef LAB_REPORT_SEED_SOURCES_H
#define LAB_REPORT_SEED_SOURCES_H

#include "lab/study/dataset.h"
#include "lab/report/study.h"

struct seed_sources {
	struct dataset *data;  /* its transpose is made */
	const uint32_t *host;  /* sites for hits; NULL: hits is left out */
	const int64_t *value;  /* NULL: 1 each */
	const uint8_t *barred; /* NULL: none */
	uint32_t seeds;        /* of each kind */
	uint32_t draws;        /* of random seeds */
	uint64_t rng_seed;
	unsigned threads; /* never changes the result */
};

/* Appends tables and figures to a study. Yardsticks, and policies that cannot run on the graph, are left out.
 * Returns the error of a crawl that failed. */
int seed_sources(const struct seed_sources *in, struct study *study, struct err_note *why) MUST_USE;

#endif
