/* All policies there are. A new one is a file and a line in policies/table.c; or a shared object,
 * named by its path; or several in turn, a chain. */
#ifndef POLICIES_POLICIES_H
#define POLICIES_POLICIES_H

#include "frontier/policy.h"

/* Ends with NULL; in the order in which they are listed and compared. */
extern const struct policy *const policies[];

/* NULL where there is none of that name. */
const struct policy *policy_named(const char *name);

/* The name nearest to one that is not there; NULL where none is near. */
const char *policy_nearest(const char *name);

/* What a user may call a policy by, a spec:
 *   ieca               a name of the table
 *   ./mine.so          a path, which has a '/': see policy_load()
 *   bfs:10000,ieca     a chain: bfs for so many pages, then ieca; see policy_chain()
 * ERR_USAGE, with the nearest name, or as those say. policy_free() it after its opt_set. */
int policy_find(const char *spec, const struct policy **, struct err_note *why) MUST_USE;
void policy_free(const struct policy *);

/* The policy in a shared object: code that runs as part of this process, so a path is only ever
 * what a user has typed. It stays loaded; twice the same path is the same policy.
 * ERR_FILE where there is no such file; ERR_USAGE, and why, where it is no shared object, exports no
 * struct policy_module, was made for another POLICY_ABI, or its struct policy is none. */
int policy_load(const char *path, const struct policy **, struct err_note *why) MUST_USE;

/* A chain: each policy but the last with the pages that its turn lasts. Its name is the spec, its
 * options are "name.key" of each, and what it wants to know of the whole graph is what one of them
 * wants: no two may want different things. ERR_USAGE. */
#define CHAIN_MOST 16
int policy_chain(const char *spec, const struct policy **, struct err_note *why) MUST_USE;

/* Whether one or other policy of a spec is a file. */
int policy_spec_has_file(const char *spec);

/* The spec with the paths made absolute where they lead anywhere, as a store keeps it. free() it. */
char *policy_spec_absolute(const char *spec);

/* How long the first spec of a list is, in which commas stand between: a chain is one. */
size_t policy_spec_length(const char *list);

/* Calls `tell` for a policy, or for each of a chain. */
typedef void policy_tell(void *ctx, const struct policy *);
void policy_each(const struct policy *, policy_tell *, void *ctx);

/* That one of them that needs what no crawl has seen; NULL for none. */
const struct policy *policy_with_oracle(const struct policy *);

extern const struct policy policy_bfs, policy_backlink, policy_batch_pagerank,
	policy_partial_pagerank, policy_opic, policy_fica, policy_ieca, policy_dfs, policy_random,
	policy_largest_site, policy_rankmass, policy_omniscient, policy_indegree_oracle,
	policy_static;

#endif
