/* How often each page is visited, under a budget of visits a day.
 *
 * A page with importance m changes at the rate c, and is visited every d days. Its copy is fresh for m (1 - exp(-c d)) / c of these
 * days in the mean. The freshness of all pages is greatest, for a budget of visits, if the last visit of each
 * page is worth the same, the price:
 *
 *	worth = m (1 - exp(-c d) (1 + c d)) / c = price        or no visits at all, if m / c <= price
 *
 * So a page that changes very often gets no visits: its copy would be out of date at once (Cho and Garcia-Molina, "Effective page
 * refresh policies for Web crawlers", 2003; Azar, Horvitz, Lubetzky, Peres and Shahaf, "Tractable near-optimal policies for
 * crawling", PNAS 2018).
 *
 * The rate of a page is not known, only its distribution (refresh/changes.h). The worth is the mean over this
 * distribution. A page whose estimate is high and uncertain is thus worth a visit some day, since it may be a quiet one. */
#ifndef REFRESH_ALLOCATION_H
#define REFRESH_ALLOCATION_H

#include "refresh/changes.h"

#include <stddef.h>

struct allocation_page {
	double importance;  /* > 0 */
	struct known known; /* of its rate; both numbers > 0 */
	double days;        /* between two visits: where the search begins, if > 0; allocation_price() sets it */
};

/* Returns what a visit is worth whose predecessor was `days` >= 0 ago: the importance times the expected days of freshness that it
 * adds, if the page is visited again after the same time. */
double allocation_worth(const struct allocation_page *, double days);

/* Returns the days after which a visit is worth the price > 0; INFINITY: none ever is. */
double allocation_days(const struct allocation_page *, double price);

#define ALLOCATION_ERROR 0.003

/* Divides a budget of visits a day > 0 among n >= 1 pages: sets their days. Returns the price. The search begins at `price` > 0,
 * and ends when the visits are the budget, up to ALLOCATION_ERROR of it. Cost: O(n) for each step, two or three if it begins
 * near. */
double allocation_price(struct allocation_page *, size_t n, double budget, double price);

#endif
