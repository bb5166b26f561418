#include "refresh/allocation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The pages that are worth the highest price first. */
static int by_value(const void *a, const void *b)
{
	const struct allocation_page *x = a, *y = b;
	const double left = x->importance * y->changes, right = y->importance * x->changes;

	return left > right ? -1 : left < right;
}

double allocation_price(struct allocation_page *page, size_t n, double budget)
{
	double roots = 0, changes = 0, price = 0;

	assert(n && budget > 0);
	qsort(page, n, sizeof *page, by_value);
	for (size_t i = 0; i < n; i++) {
		/* the price, if the pages before i alone were visited */
		if (i && page[i].importance <= price * page[i].changes)
			break;
		roots += sqrt(page[i].importance * page[i].changes);
		changes += page[i].changes;
		price = roots * roots / ((budget + changes) * (budget + changes));
	}
	return price;
}

double allocation_visits(const struct allocation_page *p, double price)
{
	return p->importance > price * p->changes
		       ? sqrt(p->importance * p->changes / price) - p->changes
		       : 0;
}

double allocation_worth(const struct allocation_page *p, double days)
{
	const double x = p->changes * days;

	/* With visits every t days the freshness is m (1 - exp(-x)) / x. Its derivative by the visits a day, 1 / t: */
	return p->importance / p->changes * (x < 700 ? 1 - exp(-x) * (1 + x) : 1);
}
