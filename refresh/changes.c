#include "refresh/changes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* two visits within a second are one */
#define LEAST_DAYS (1 / 86400.0)

/* rates, in changes a day, that are told apart */
#define LEAST_RATE 1e-6
#define MOST_RATE  1e6

/* Weakens all that is known, so that what follows counts for more. */
static void fade(struct changes *c, float factor)
{
	c->quiet *= factor;
	c->dated *= factor;
}

void changes_same(struct changes *c, double days)
{
	assert(days >= 0);
	c->quiet += (float)days;
}

void changes_seen(struct changes *c, double days)
{
	assert(days >= 0);
	if (c->n == CHANGES_MOST) {
		memmove(c->days, c->days + 1, (CHANGES_MOST - 1) * sizeof *c->days);
		c->n--;
		fade(c, (float)(CHANGES_MOST - 1) / CHANGES_MOST);
	}
	c->days[c->n++] = (float)(days > LEAST_DAYS ? days : LEAST_DAYS);
}

void changes_dated(struct changes *c, double days)
{
	assert(days >= 0);
	if (c->dated >= CHANGES_MOST)
		fade(c, (float)(CHANGES_MOST - 1) / CHANGES_MOST);
	c->dated++;
	c->quiet += (float)days;
}

int changes_are_known(const struct changes *c)
{
	return c->n > 0 || c->dated > 0 || c->quiet > 0;
}

/* The derivative of the logarithm of the likelihood by the rate; it falls as the rate grows. */
static double slope(const struct changes *c, double prior, double rate)
{
	double sum = (c->dated + CHANGES_PRIOR) / rate - CHANGES_PRIOR / prior - c->quiet;

	for (uint32_t i = 0; i < c->n; i++)
		sum += c->days[i] / expm1(rate * c->days[i]);
	return sum;
}

double changes_rate(const struct changes *c, double prior)
{
	double low = log(LEAST_RATE), high = log(MOST_RATE);

	assert(prior > 0);
	if (!c->n) { /* the slope is 0 where */
		const double rate = (c->dated + CHANGES_PRIOR) / (c->quiet + CHANGES_PRIOR / prior);
		return fmin(fmax(rate, LEAST_RATE), MOST_RATE);
	}
	for (int i = 0; i < 40; i++) {
		const double middle = (low + high) / 2;
		if (slope(c, prior, exp(middle)) > 0)
			low = middle;
		else
			high = middle;
	}
	return exp((low + high) / 2);
}
