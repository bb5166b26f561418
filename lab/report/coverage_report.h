/* Writes the results of a coverage study (lab/study/coverage_study.h): tables, figures, and verdicts on the paper's claims. */
#ifndef LAB_REPORT_COVERAGE_REPORT_H
#define LAB_REPORT_COVERAGE_REPORT_H

#include "lab/study/coverage_study.h"

/* A gain over random seeds in percent: its mean over the sites, and the standard error of this mean. */
struct coverage_gain {
	double mean, error;
	uint32_t sites; /* the sites where random seeds covered anything */
};

struct coverage_gains {
	struct coverage_gain by_seeds[COVERAGE_STRATEGIES][2][COVERAGE_SEEDS];
	struct coverage_gain by_hops[COVERAGE_STRATEGIES][2][COVERAGE_HOPS];
	uint32_t sites;
	double pages;
};

/* Appends tables, figures and verdicts to a study. */
void coverage_report(const struct coverage_study *in, const struct coverage_gains *gains, struct study *study);

#endif
