/* What is expected of the rate of a page before its own visits tell: what its host's other pages, and all hosts, tell.
 *
 *	rates_init(&r, RATES_PRIOR);
 *	for (round = 0; round < RATES_ROUNDS; round++) {
 *		for each page of which something is known
 *			rates_count(&r, host, told);             as changes_told() of the page
 *		rates_update(&r);
 *	}
 *	before = rates_prior(&r, host, told);                {0, 0} for a page of which nothing is known
 *	rates_release(&r);
 *
 * The model: the median rate of a host is log-normal, and the rate of a page has a gamma distribution whose mean is that of its
 * host. So there are three numbers for all hosts: the median of the hosts' rates, how alike hosts are, and how alike the pages of a
 * host are. They are learnt from the pages themselves ("empirical Bayes"): each round improves the likelihood of all that is known
 * by one step, of Newton's method for the hosts and of expectation maximisation for the three numbers. If the pages of a host turn
 * out to be alike, then one visit to one of them tells of all; if they do not, each page is judged by its own visits, and a page of
 * which little is known may be anything. */
#ifndef REFRESH_RATES_H
#define REFRESH_RATES_H

#include "refresh/changes.h"

#include <stddef.h>
#include <stdint.h>

#define RATES_PRIOR  (1 / 30.0) /* changes a day of a page of which nothing is known: one in a month */
#define RATES_ROUNDS 4

struct host_rates {
	float rate;             /* the logarithm of the host's rate */
	float known;            /* how well it is known: 1 / variance of the logarithm, without what is known of all hosts */
	float slope, curvature; /* of the logarithm of the likelihood by `rate`, in this round */
	uint32_t n;             /* the pages counted in this round */
};

struct rates {
	double median;      /* the logarithm */
	double hosts_alike; /* 1 / variance of the logarithm of the hosts' rates */
	double pages_alike; /* the weight, as a number of changes, of the host's rate in that of a page */
	double spread;      /* a sum over the pages of this round, from which pages_alike is computed */
	uint64_t n;         /* these pages */
	struct host_rates *host;
	size_t hosts, room;
};

/* Begins with a rate > 0 that is taken for the hosts' median until pages are counted. */
void rates_init(struct rates *, double prior);

/* Counts a page. */
void rates_count(struct rates *, uint32_t host, struct known told);

/* Ends a round. */
void rates_update(struct rates *);

/* Returns what is expected of a page of a host; `told` is what it has told itself, which is taken out of what the host is known
 * for. */
struct known rates_prior(const struct rates *, uint32_t host, struct known told);

/* Frees the memory. */
void rates_release(struct rates *);

#endif
