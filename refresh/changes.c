#include "refresh/changes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* two visits within a second are one */
#define LEAST_DAYS (1 / 86400.0)

/* rates, in changes a day, that are told apart */
#define LEAST_RATE 1e-6
#define MOST_RATE  1e6

/* Reduces the weight of the quiet days and dated changes so far, so that later observations count for more. */
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

/* Sums over the intervals the factor 1 - exp(-rate d) of the likelihood, with rate^n exp(-rate t) in its place. With x = rate d and
 * h(x) = x / (exp(x) - 1), both have the same first and second derivative by log(rate), if t = -h'(x) d and n = h(x) + rate t. */
struct known changes_told(const struct changes *c, double rate)
{
	struct known k = {(double)c->dated, (double)c->quiet};

	for (uint32_t i = 0; i < c->n; i++) {
		const double d = (double)c->days[i], x = fmin(rate * d, 500);
		/* a very small x: h(x) = 1 - x / 2 */
		const double grown = x > 1e-6 ? expm1(x) : x, h = x > 1e-6 ? x / grown : 1;
		const double fall = x > 1e-6 ? h * (1 + 1 / grown) - 1 / grown : 0.5;
		k.days += fall * d;
		k.changes += h + fall * x;
	}
	return k;
}

double changes_rate(const struct changes *c, struct known before)
{
	double rate = known_rate(before), last;

	/* Newton's method. From below the zero it climbs to it, and from above its first step leads below. */
	do {
		last = rate;
		rate = known_rate(known_both(before, changes_told(c, rate)));
		rate = fmin(fmax(rate, LEAST_RATE), MOST_RATE);
	} while (c->n && fabs(rate - last) > 1e-6 * rate);
	return rate;
}
