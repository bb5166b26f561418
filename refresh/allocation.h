/* How often each page is visited, under a budget of visits a day.
 *
 * Page i has an importance m and changes c times a day. If it is visited v times a day at random times, the copy of it is up
 * to date for the share v / (v + c) of the time. The visits a day that make the sum of m v / (v + c) greatest,
 * with a sum of v that is the budget, are
 *
 *	v = sqrt(m c / price) - c    where m / c > price, and 0 for all other pages
 *
 * The price is the freshness that one visit a day more would add. So a page that changes very often gets no visits: its copy
 * would be out of date at once. Azar, Horvitz, Lubetzky, Peres and Shahaf, "Tractable near-optimal policies for crawling",
 * PNAS 2018: the exact solution by sorting, and its use for visits at regular intervals 1 / v. */
#ifndef REFRESH_ALLOCATION_H
#define REFRESH_ALLOCATION_H

#include <stddef.h>

struct allocation_page {
	double importance; /* > 0 */
	double changes;    /* a day; > 0 */
};

/* Returns the price at which the pages are visited `budget` > 0 times a day in all. Reorders the n >= 1 pages. Cost: O(n log n). */
double allocation_price(struct allocation_page *, size_t n, double budget);

/* Returns the visits a day of a page at a price. */
double allocation_visits(const struct allocation_page *, double price);

/* Returns what a visit is worth whose predecessor was `days` ago: the importance times the expected days of freshness that it
 * adds, if the page is visited again after the same time. INFINITY: the page has never been visited. */
double allocation_worth(const struct allocation_page *, double days);

#endif
