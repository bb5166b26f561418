/* What a policy needs of a crawl, or all policies of a chain together: knowledge of the whole graph, sights, and memory. */
#include "policies/policies.h"

const struct policy *policy_with_oracle(const struct policy *p)
{
	struct policy_turn only;
	const struct plan plan = policy_plan(p, &only);

	for (size_t i = 0; i < plan.n; i++)
		if (plan.turns[i].policy->oracle)
			return plan.turns[i].policy;
	return NULL;
}

unsigned policy_needs(const struct policy *p)
{
	struct policy_turn only;
	const struct plan plan = policy_plan(p, &only);
	unsigned needs = 0;

	for (size_t i = 0; i < plan.n; i++)
		needs |= plan.turns[i].policy->needs | (plan.turns[i].policy->host_key ? POLICY_SEES_HOSTS : 0u);
	return needs;
}

unsigned policy_asks(const struct policy *p)
{
	struct policy_turn only;
	const struct plan plan = policy_plan(p, &only);
	unsigned asks = policy_needs(p);

	for (size_t i = 0; i < plan.n; i++)
		asks |= plan.turns[i].policy->wants;
	return asks;
}

const char *policy_sight_words(unsigned sights)
{
	return sights & POLICY_SEES_HOSTS      ? "hosts"
		: sights & POLICY_SEES_URLS    ? "URLs"
		: sights & POLICY_SEES_KINDS   ? "kinds of links"
		: sights & POLICY_SEES_SCORES  ? "scores"
		: sights & POLICY_SEES_ANCHORS ? "anchor texts"
					       : "";
}

size_t policy_page_bytes(const struct policy *p)
{
	struct policy_turn only;
	const struct plan plan = policy_plan(p, &only);
	size_t bytes = 0;

	for (size_t i = 0; i < plan.n; i++)
		bytes += sizeof(struct page) + plan.turns[i].policy->page_size;
	if (policy_asks(p) & POLICY_NEEDS_FOUND)
		bytes += sizeof(struct policy_found);
	return bytes + (policy_asks(p) & POLICY_SEES_ORDER ? sizeof(uint32_t) : 0);
}
