/* A crawl to its end as a ranking, which the IECA paper leaves for later: what each page's
 * importance had come to. */
#ifndef LAB_MEASURE_IMPORTANCE_H
#define LAB_MEASURE_IMPORTANCE_H

#include "lab/study/replay.h"

enum importance {
	/* The key a page was taken with, frozen from then on: under ieca and fica its final distance,
	 * the lowest best. INFINITY (lowest first) or -INFINITY for a page that was not crawled. */
	IMPORTANCE_KEY,
	/* For opic: the history, the cash that a page had handed on when it was crawled, and the
	 * cash that has reached it since and lies there unspent. What a page hands to itself it
	 * does not keep. 0 for one that was not crawled. */
	IMPORTANCE_CASH,
};

/* Of a replay that ran with keys, over all of g's nodes: score[] what is ranked by, history[] (may
 * be NULL) that part of it for IMPORTANCE_CASH, and sort_key[], which is the higher the better a
 * page is, equal where the scores are. */
void importance_make(enum importance, const struct replay *r, const struct graph *g, double *score,
	double *history, uint64_t *sort_key);

/* How many of the first m nodes by one key (ties by id) are among the first m by another. */
uint32_t importance_overlap(const uint64_t *a, const uint64_t *b, uint32_t n, uint32_t m);

#endif
