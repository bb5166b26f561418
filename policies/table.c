#include "policies/policies.h"
#include "base/nearest.h"

#include <string.h>

const struct policy *const policies[] = {
	&policy_bfs,
	&policy_backlink,
	&policy_batch_pagerank,
	&policy_partial_pagerank,
	&policy_echo,
	&policy_scout,
	&policy_aim,
	&policy_qfirst,
	&policy_qmax,
	&policy_qmin,
	&policy_qmean,
	&policy_opic,
	&policy_fica,
	&policy_ieca,
	&policy_dfs,
	&policy_random,
	&policy_largest_site,
	&policy_rankmass,
	&policy_omniscient,
	&policy_map,
	&policy_indegree_oracle,
	&policy_static,
	NULL,
};

const struct policy *policy_named(const char *name)
{
	for (size_t i = 0; policies[i]; i++)
		if (strcmp(policies[i]->name, name) == 0)
			return policies[i];
	return NULL;
}

const char *policy_nearest(const char *name)
{
	const char *best = NULL;
	size_t distance = 0;

	for (size_t i = 0; policies[i]; i++)
		nearest_try(name, policies[i]->name, &best, &distance);
	return best && nearest_is_near(name, distance) ? best : NULL;
}
