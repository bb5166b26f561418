#include "monitor/hot_share.h"

#define STANDS_FOR 1.5 /* pages, by each page that waits */
/* the odds of the truth, as multiples of the odds of the estimate: the tenth and the ninetieth percentile */
#define LOW_ODDS  0.4
#define HIGH_ODDS 4.4

static double share_of(double crawled, double rest)
{
	return crawled / (crawled + rest);
}

struct hot_share hot_share_of(const struct frontier_counts *n)
{
	const double crawled = (double)n->crawled;
	const double rest = STANDS_FOR * (double)(n->queued - n->deferred + n->in_flight);

	if (!n->crawled)
		return (struct hot_share){(double)NAN, (double)NAN, (double)NAN};
	return (struct hot_share){.share = share_of(crawled, rest),
		.low = share_of(LOW_ODDS * crawled, rest),
		.high = share_of(HIGH_ODDS * crawled, rest)};
}
