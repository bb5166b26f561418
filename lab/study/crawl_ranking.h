/* A finished crawl as a ranking of pages: `lycosa rank --by ieca|fica|opic`. The IECA paper names this use of a
 * crawl's importance values and leaves it for later. */
#ifndef LAB_STUDY_CRAWL_RANKING_H
#define LAB_STUDY_CRAWL_RANKING_H

#include "lab/study/replay.h"

enum crawl_ranking {
	/* The key a page was taken with, frozen from then on: under ieca and fica its final distance,
	 * the lowest best. INFINITY (lowest first) or -INFINITY for a page that was not crawled. */
	CRAWL_RANKING_KEY,
	/* For opic: the history, the cash that a page had handed on when it was crawled, and the
	 * cash that has reached it since and lies there unspent. A share that a page
	 * gives itself by a link to itself is lost. 0 for a page that was not crawled. */
	CRAWL_RANKING_CASH,
};

/* Fills, for every node of g, score[] with the importance that a replay with keys gave it; history[], which may be
 * NULL, with the part of the score that CRAWL_RANKING_CASH calls the history; and sort_key[] with a number that is
 * higher for a better page and equal for equal scores. */
void crawl_ranking_make(enum crawl_ranking, const struct replay *r, const struct graph *g, double *score, double *history,
	uint64_t *sort_key);

/* Returns how many of the first m nodes by key a[] are among the first m by key b[]. Equal keys are in the order of
 * their ids. */
uint32_t crawl_ranking_overlap(const uint64_t *a, const uint64_t *b, uint32_t n, uint32_t m);

#endif
