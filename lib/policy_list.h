/* The policies that a caller names, with their options. */
#ifndef LIB_POLICY_LIST_H
#define LIB_POLICY_LIST_H

#include "frontier/policy.h"
#include "lib/lib_internal.h"

struct policy_list {
	const struct policy **policy;
	struct opt_set *opts; /* one for each policy */
	size_t n;
};

/* Finds the policies of options->policies, the first `most` of them, and gives them their options.
 * If the caller names none, the list has every built-in policy that can run on the graph. Errors:
 * ERR_USAGE; those of policy_load(). The caller calls policy_list_release() after an error, too. */
int policy_list_read(struct policy_list *list, const struct lycosa_graph *graph, const struct lycosa_crawl_options *options,
	size_t most, struct err_note *why) MUST_USE;
void policy_list_release(struct policy_list *list);

#endif
