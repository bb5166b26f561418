/* How well two crawls of a graph agree: their orders, and, if they had a clock, their speeds and their hot pages. */
#ifndef CLI_LAB_AGREEMENT_H
#define CLI_LAB_AGREEMENT_H

#include "lab/study/replay.h"

/* Returns how many pages the two crawls have taken in the same order, from the first page on. */
uint32_t agreement_same(const struct replay *, const struct replay *);

/* The pages of a host that both crawls must have for its speed to be compared. */
#define AGREEMENT_HOST_PAGES 20

/* Element 0 is of the first crawl, which predicts, and element 1 of the second. */
struct agreement {
	uint32_t crawled[2];
	double per_minute[2];  /* pages, over the whole crawl */
	double deviation;      /* |second / first - 1| of these */
	uint32_t hosts;        /* those with AGREEMENT_HOST_PAGES pages in both crawls */
	double host_deviation; /* the largest deviation of these hosts' pages a minute, first page to last; 0: no host */
	uint32_t worst_host;
	/* The difference between the strict throughputs of the two crawls at K = 1%, 2% ... of all pages, as far as both got:
	 * the mean, which is the area between the two curves, and the largest from 10% on. */
	double curve_mean, curve_max;
};

/* Compares two crawls in time. */
void agreement_measure(struct agreement *, const struct dataset *, const struct benchmark *, const struct seedset *,
	const struct replay *first, const struct replay *second);

/* Says whether the speeds agree within 10%, and the curves within 0.02 on average. (On a small graph the largest difference
 * says little: of 30 pages, one is 0.03.) */
int agreement_holds(const struct agreement *);

#endif
