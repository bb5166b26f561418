/* Breadth first: pages are crawled in the order of their discovery. All keys stay equal, so no hook is needed. */
#include "policies/policies.h"

const struct policy policy_bfs = {
	.name = "bfs",
	.summary = "breadth first: pages in the order of their discovery",
	.source = "Najork and Wiener 2001",
	.order = POLICY_LOWEST_FIRST,
};
