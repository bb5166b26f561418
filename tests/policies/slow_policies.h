/* The policies a second time, slowly: straight from their definitions, dense arrays, linear scans,
 * no frontier, no heap, PageRank by Jacobi from 1/n. */
#ifndef TESTS_SLOW_POLICIES_H
#define TESTS_SLOW_POLICIES_H

#include "graph/graph.h"

struct slow {
	/* in */
	const struct graph *g;
	const uint32_t *host;   /* for largest-site */
	const double *score;    /* for static */
	const double *target;   /* for aim and the policies of quality.c */
	const char *const *url; /* for echo, by page; NULL: pages have no URLs */
	const char *policy;     /* with its default options */
	int form;               /* ieca's; 0: its default */
	const uint32_t *seeds;  /* distinct */
	size_t n_seeds;
	uint64_t batch, total, rng_seed; /* batch 0: batches grow, for echo and scout */
	/* out, g->nodes each */
	uint32_t *order, n;
	double most_lambda; /* of echo: the greatest trust in names, on the way */
	double *key;        /* of each page when it was taken */
};

/* Says whether a policy of this name has a second method here. */
int slow_knows(const char *policy);

void slow_crawl(struct slow *);
void slow_release(struct slow *);

/* The same for the policies echo and scout. */
void slow_echo(struct slow *);

/* The same for the policy aim; `target` has the score of each page. */
void slow_aim(struct slow *);

/* The same for qfirst, qmax, qmin and qmean; `target` has the score of each page. */
void slow_quality(struct slow *);

/* PageRank of a graph whose first n pages are `page`, of which those not `crawled` dangle. */
void slow_pagerank(const struct graph *g, const uint32_t *page, uint32_t n, const unsigned char *crawled, double *rank);

#endif
