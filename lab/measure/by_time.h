/* A crawl measured by its clock: what had been crawled after an hour, a day, a week.
 *
 *	by_time(out, &throughput, order, when, crawled, ms, n);        out[i] is the state after ms[i]
 *
 * The hot pages of by_time() are a fixed set, the tenth of all pages with the highest PageRank, since after a given time
 * two crawls have crawled different numbers of pages, and the hot pages of throughput_at() depend on that number. */
#ifndef LAB_MEASURE_BY_TIME_H
#define LAB_MEASURE_BY_TIME_H

#include "lab/measure/throughput.h"

struct time_point {
	int64_t ms;
	uint32_t crawled;
	double mass;   /* the sum of the PageRank of the crawled pages; that of all pages is 1 */
	double found;  /* the share of the tenth of all pages with the highest PageRank that is crawled */
	double strict; /* throughput_at(crawled), 0 before the first page */
	double discoverable;
};

/* Measures a crawl at n times, ms[] ascending. `order` has the crawled pages in the order in which they came, when[i] the
 * time in ms at which order[i] came, ascending; `hot` is throughput_measure() of the same order. */
void by_time(struct time_point *out, const struct throughput *hot, const uint32_t *order, const int64_t *when, uint32_t crawled,
	const int64_t *ms, size_t n);

#endif
