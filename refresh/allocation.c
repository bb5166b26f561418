#include "refresh/allocation.h"

#include <assert.h>
#include <math.h>

/* The worth relative to importance times known.days at u = days / known.days: with a = known.changes, the integral of
 * a x (1 + x)^(-a - 1) from 0 to u; and its derivative by log(u). */
struct relative {
	double worth, slope;
};

static struct relative relative_at(double a, double u)
{
	const double log_grown = log1p(u), fall = expm1((1 - a) * log_grown), power = (1 + fall) / (1 + u); /* (1 + u)^-a */
	const double first = fabs(a - 1) < 1e-9 ? log_grown : -fall / (a - 1);

	return (struct relative){first - u * power, a * u * u * power / (1 + u)};
}

double allocation_worth(const struct allocation_page *p, double days)
{
	return p->importance * p->known.days * relative_at(p->known.changes, days / p->known.days).worth;
}

double allocation_days(const struct allocation_page *p, double price)
{
	const double a = p->known.changes, worth = price / (p->importance * p->known.days);
	const double most = a > 1 ? 1 / (a - 1) : INFINITY, early = sqrt(2 * worth / a);
	double u = early, step = 1;

	if (worth >= most)
		return INFINITY;
	if (p->days > 0 && isfinite(p->days))
		u = fmax(p->days / p->known.days, early);
	/* Newton's method for log(worth) by log(u), which is concave: the first step leads before the solution, where `early` is,
	 * since the worth is at most a u^2 / 2; the others climb to it */
	for (int i = 0; i < 50 && fabs(step) > 1e-3 && u < 1e12; i++) {
		const struct relative r = relative_at(a, u);
		step = fmin(log(worth / r.worth) * r.worth / r.slope, 4);
		u = fmax(u * (step > 0 ? 1 + step + step * step / 2 : exp(step)), early);
	}
	return u * p->known.days;
}

/* Sets the days between the visits of all pages at a price. Returns the visits a day, and their derivative by log(price). */
static double divide(struct allocation_page *page, size_t n, double price, double *slope)
{
	double visits = 0;

	*slope = 0;
	for (struct allocation_page *p = page; p < page + n; p++) {
		p->days = allocation_days(p, price);
		if (!isfinite(p->days))
			continue;
		const struct relative r = relative_at(p->known.changes, p->days / p->known.days);
		visits += 1 / p->days;
		*slope -= r.worth / (r.slope * p->days);
	}
	return visits;
}

double allocation_price(struct allocation_page *page, size_t n, double budget, double price)
{
	double low = 0, high = INFINITY, slope; /* the price is between */

	assert(n && budget > 0 && price > 0);
	for (int step = 0; step < 100; step++) {
		const double visits = divide(page, n, price, &slope);
		if (fabs(visits / budget - 1) < ALLOCATION_ERROR)
			break;
		*(visits > budget ? &low : &high) = price;
		/* Newton's method for log(visits) by log(price) */
		double next = visits > 0 ? price * exp(fmax(fmin(log(budget / visits) * visits / slope, 3), -3)) : price / 20;
		if (next <= low || next >= high)
			next = low > 0 && high < INFINITY ? sqrt(low * high) : low > 0 ? 4 * low : high / 4;
		price = next;
	}
	return price;
}
