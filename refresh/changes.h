/* How often a page changes, estimated from the visits to it.
 *
 * A page is taken to change at random times, as a Poisson process of an unknown rate. A visit shows whether the page has
 * changed since the visit before, and not how often. So an interval of t days without a change has the likelihood
 * exp(-rate t), and one with a change 1 - exp(-rate t). Where the server says when the page changed last (Last-Modified),
 * t days before the visit, the likelihood is rate exp(-rate t). The estimate is the rate at which the product of all of them and of
 * a prior is greatest (Cho and Garcia-Molina, "Estimating frequency of change", 2003, the estimator for irregular visits
 * and the one for known times of change).
 *
 *	struct changes c = {0};
 *	changes_same(&c, 2.5);                               2.5 days after the visit before the page was the same
 *	changes_seen(&c, 1);                                 a day later it was another
 *	rate = changes_rate(&c, (struct known){1, 10});      in changes a day; 0.1 before anything was known
 *
 * Deviation: a maximum of likelihood alone would be infinite for a page that has changed before every visit, and 0 for one
 * that never has. What was known before, a gamma distribution, keeps it between.
 * Deviation: the last CHANGES_MOST intervals with changes count, and the older ones are forgotten, so that
 * the estimate follows a page whose habits change. */
#ifndef REFRESH_CHANGES_H
#define REFRESH_CHANGES_H

#include <stdint.h>

/* How much is known of a page's rate of change, expressed as an observation: the page was watched for `days` days, and changed
 * `changes` times. Both are real numbers >= 0.
 *
 * The rate has the likelihood rate^changes exp(-rate days). If what was known before is {a, b}, a gamma distribution with the mean
 * a / b, and visits have told {n, t}, then what is known is {a + n, b + t}. The mean is the estimate of the rate. */
struct known {
	double changes, days;
};

static inline struct known known_both(struct known before, struct known told)
{
	return (struct known){before.changes + told.changes, before.days + told.days};
}

static inline double known_rate(struct known k)
{
	return k.changes / k.days;
}

#define CHANGES_MOST 14

struct changes {
	float quiet;              /* days in which the page did not change */
	float dated;              /* the changes whose time is known */
	uint32_t n;               /* the intervals in which the page changed at an unknown time, the oldest first */
	float days[CHANGES_MOST]; /* their lengths */
};

/* Takes account of a visit that found the page as it was at the visit before, `days` >= 0 ago. */
void changes_same(struct changes *, double days);

/* Takes account of a visit that found the page changed since the visit before, `days` >= 0 ago. */
void changes_seen(struct changes *, double days);

/* Takes account of a visit that found the page changed, the last time `days` >= 0 ago. */
void changes_dated(struct changes *, double days);

/* Says whether there is anything to estimate from. */
int changes_are_known(const struct changes *);

/* Returns what the visits have told, for rates near `rate` > 0: the two likelihoods have the same slope and curvature there. */
struct known changes_told(const struct changes *, double rate);

/* Returns the estimated rate in changes a day, which is positive; `before` is what was known before any visit. */
double changes_rate(const struct changes *, struct known before);

#endif
