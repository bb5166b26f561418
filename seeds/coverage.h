/* What a crawl from seeds reaches within some links, and what that is worth. */
#ifndef SEEDS_COVERAGE_H
#define SEEDS_COVERAGE_H

#include "graph/graph.h"

struct coverage {
	uint64_t pages;
	int64_t value; /* of these pages, in millionths */
};

/* The union of the balls of n seeds, each page once. value[nodes] in millionths; NULL: 1 each. */
void coverage_of(const struct graph *g, const uint32_t *seed, size_t n, uint32_t hops,
	const int64_t *value, struct coverage *c);

#endif
