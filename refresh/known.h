/* How much is known of a page's rate of change, expressed as an observation: the page was watched for `days` days, and changed
 * `changes` times. Both are real numbers >= 0.
 *
 * The rate has the likelihood rate^changes exp(-rate days). If what was known before is {a, b}, a gamma distribution with the mean
 * a / b, and visits have told {n, t}, then what is known is {a + n, b + t}. The mean is the estimate of the rate. */
#ifndef REFRESH_KNOWN_H
#define REFRESH_KNOWN_H

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

#endif
