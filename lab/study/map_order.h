/* The order of an oracle that has the map: a crawler that knows the whole graph, goes to the nearest hot page that it has not taken, and
 * has to crawl the way there. It is a yardstick beside `ideal`, which needs no way, and `omniscient`, which knows what each discovered
 * page is worth, but not where it leads to.
 *
 * After n pages, a page of rank r = 1, 2 ... that is d steps away, through pages that were not taken, is hot if r <= n + d: taken as page
 * n + d, it counts at once. The oracle goes to the hot page of the fewest steps, of several to that of the lowest rank; if there is none,
 * to the page of the lowest rank. It takes the first page on the way there, and looks anew. The way leads, backwards from the
 * destination, over pages of one step less, of several over that of the lowest rank. A page that is more than 64 steps away is
 * not looked at.
 *
 *	n = map_order(&graph, &benchmark, NULL, seeds, n_seeds, order);
 *
 * The steps to a page only become fewer, so all searches together visit a link as often as its page comes nearer. */
#ifndef LAB_STUDY_MAP_ORDER_H
#define LAB_STUDY_MAP_ORDER_H

#include "lab/measure/throughput.h"

/* Writes the pages that can be reached from the seeds into order[], which has room for all nodes, and returns their number. A node
 * that `outside` (a byte a node; NULL: none) marks is not taken. */
uint32_t map_order(const struct graph *g, const struct benchmark *, const uint8_t *outside, const uint32_t *seeds, size_t n_seeds,
	uint32_t *order);

#endif
