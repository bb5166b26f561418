#include "simweb/page_change.h"
#include "simweb/endless_draws.h"

#include <math.h>

#define MOST_CHANGES 8  /* in a slot; the probability of more is 1e-6 */
#define MOST_SLOTS   40 /* looked back; the probability of no change in so many is e^-40 */

double page_change_pace(uint64_t seed, uint64_t host, double median)
{
	struct rng r = draw_stream(seed, DRAW_PACE, host, 0);

	return median * exp(ENDLESS_PACE_SPREAD * draw_normal(&r));
}

/* Finds the last change of a slot of time that is not later than `until`. Times are fractions of the slot, in which a page
 * changes once on average. Sets *at to the change's time and returns the number of changes up to it; 0 if there is none. */
static unsigned last_change(struct rng *r, double until, double *at)
{
	unsigned changes = 0;

	*at = 0;
	/* the times between changes are exponential with mean 1 */
	for (double t = -log(1 - rng_unit(r)); t < 1 && t <= until && changes < MOST_CHANGES - 1; t -= log(1 - rng_unit(r))) {
		*at = t;
		changes++;
	}
	return changes;
}

struct page_change page_change_at(uint64_t seed, uint64_t host, uint32_t page, double pace, int64_t now)
{
	struct page_change c = {.is_away = 0};
	const double length = 86400 / pace;
	const double age = (double)now / length + draw_unit(seed, DRAW_PHASE, host, page);
	int64_t slot = (int64_t)age;
	double until = age - (double)slot, at = 0;

	for (int back = 0; back < MOST_SLOTS; back++, slot--, until = 1) {
		struct rng r = draw_stream(seed, DRAW_PHASE, host, (uint64_t)page << 32 ^ (uint64_t)(slot + 1));
		const unsigned changes = last_change(&r, until, &at);
		c.version = (uint64_t)(slot + MOST_SLOTS) * MOST_CHANGES + changes;
		if (changes)
			break;
	}
	/* `length` is infinite for a page that practically never changes, and so `since` is infinite or NAN */
	const double since = ceil((age - (double)slot - at) * length);
	c.modified = since < (double)now ? now - (int64_t)since : 1;
	const uint64_t stay = (uint64_t)(age / ENDLESS_STAY);
	c.is_away = draw_unit(seed, DRAW_LIFE, host, (uint64_t)page << 32 ^ stay) < ENDLESS_ABSENT;
	return c;
}

double endless_pace(const struct endless *e, const struct endless_host *h)
{
	return page_change_pace(e->seed, h->content, e->changes);
}

struct endless_state endless_state(const struct endless *e, const struct endless_host *h, uint32_t page, int64_t now)
{
	if (e->changes <= 0)
		return (struct endless_state){.is_there = 1};
	const struct page_change c = page_change_at(e->seed, h->content, page, endless_pace(e, h), now);
	const int may_be_away = page && (uint64_t)page * h->branches + 1 >= h->pages;

	const int is_dated = draw_unit(e->seed, DRAW_DATED, h->content, 0) < e->dated;

	return (struct endless_state){.version = c.version,
		.modified = is_dated ? c.modified : 0,
		.is_there = !(may_be_away && c.is_away)};
}
