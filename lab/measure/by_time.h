/* A crawl measured by its clock: what had been crawled after an hour, a day, a week.
 *
 *	by_time(out, &throughput, order, when, crawled, ms, n);        out[i] is the state after ms[i]
 *
 * The hot pages of by_time() are a fixed set, the tenth of all pages with the highest PageRank, since after a given time
 * two crawls have crawled different numbers of pages, and the hot pages of throughput_at() depend on that number. */
#ifndef LAB_MEASURE_BY_TIME_H
#define LAB_MEASURE_BY_TIME_H

#include "lab/measure/throughput.h"
#include "simweb/changing.h"

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

/* --- Measures a crawl of a changing web by the state of the web at a later time: whether the crawled pages are still those of the
 * highest PageRank, and still have the content that was crawled.
 *
 *	changing_graph(web, now, &g);
 *	benchmark_make(&then, &g, 1e-12, threads);
 *	by_then(&out, web, now, &then, order, began, clock_ms, n);        the state when n pages were crawled */

struct then_point {
	double strict; /* of as many pages with the highest PageRank by then as were crawled, the share that is crawled */
	double found;  /* of the tenth of all pages with the highest PageRank by then, the share that is crawled */
	double mass;   /* the sum of the PageRank by then of the crawled pages, of 1 */
	double fresh;  /* of the pages crawled, the share that is there and has not changed since its request began */
};

/* Measures the first n pages of a crawl, order[], by the web at the time `now` (in s) and its ranking. The request for order[i]
 * began at clock_ms + began[i] ms. If n is 0, all figures are 0. */
void by_then(struct then_point *out, const struct changing *, int64_t now, const struct benchmark *then, const uint32_t *order,
	const int64_t *began, int64_t clock_ms, uint32_t n);

#endif
