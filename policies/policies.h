/* All policies there are. A new one is a file and a line in policies/table.c. */
#ifndef POLICIES_POLICIES_H
#define POLICIES_POLICIES_H

#include "frontier/policy.h"

/* Ends with NULL; in the order in which they are listed and compared. */
extern const struct policy *const policies[];

/* NULL where there is none of that name. */
const struct policy *policy_named(const char *name);

/* The name nearest to one that is not there; NULL where none is near. */
const char *policy_nearest(const char *name);

extern const struct policy policy_bfs, policy_backlink, policy_batch_pagerank,
	policy_partial_pagerank, policy_opic, policy_fica, policy_ieca, policy_dfs, policy_random,
	policy_largest_site, policy_rankmass, policy_omniscient, policy_indegree_oracle,
	policy_static;

#endif
