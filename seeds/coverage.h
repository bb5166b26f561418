/* The coverage of a set of seeds: how many pages a crawl from the seeds reaches within a number of links, and the
 * sum of their values. */
#ifndef SEEDS_COVERAGE_H
#define SEEDS_COVERAGE_H

#include "graph/graph.h"

struct coverage {
	uint64_t pages;
	int64_t value; /* the sum of the pages' values */
};

/* Computes the coverage of n seeds within `hops` links; each page counts once. `value` has the value of each node in
 * one unit; if it is NULL, every page has the value SEED_VALUE_ONE. */
void coverage_of(const struct graph *g, const uint32_t *seed, size_t n, uint32_t hops, const int64_t *value, struct coverage *c);

#endif
