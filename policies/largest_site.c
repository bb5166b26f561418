/* Larger sites first: the host with most queued pages comes first, and of its pages the one that was discovered first. If
 * two hosts have equally many, the host whose first page was discovered earlier comes first. */
#include "policies/policies.h"

static double host_key(const struct policy_call *c, uint64_t pending)
{
	(void)c;
	return (double)pending;
}

const struct policy policy_largest_site = {
	.name = "largest-site",
	.summary = "the host with most pages queued first, its oldest page",
	.source = "Castillo, Marin, Rodriguez and Baeza-Yates 2004",
	.order = POLICY_HIGHEST_FIRST,
	.host_key = host_key,
};
