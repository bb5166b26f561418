/* What a coverage study says: its tables, figures and the paper's findings. */
#ifndef LAB_REPORT_COVERAGE_REPORT_H
#define LAB_REPORT_COVERAGE_REPORT_H

#include "lab/study/coverage_study.h"

/* In percent over random, over the sites: mean and standard error. */
struct coverage_gain {
	double mean, error;
	uint32_t sites; /* where random seeds covered more than nothing */
};

struct coverage_gains {
	struct coverage_gain by_seeds[COVERAGE_STRATEGIES][2][COVERAGE_SEEDS];
	struct coverage_gain by_hops[COVERAGE_STRATEGIES][2][COVERAGE_HOPS];
	uint32_t sites;
	double pages;
};

void coverage_report(
	const struct coverage_study *in, const struct coverage_gains *gains, struct study *study);

#endif
