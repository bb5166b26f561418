/* The policies: the built-in table, policies from shared objects, and chains of policies. A new
 * policy is either a file and a line in policies/table.c, or a shared object that is named by its
 * path.
 *
 *	const struct policy *policy;
 *	if (policy_find("bfs:10000,ieca", &policy, why) == 0)
 *		...  and policy_free(policy) at the end */
#ifndef POLICIES_POLICIES_H
#define POLICIES_POLICIES_H

#include "frontier/policy.h"

/* The built-in policies in the order in which programs list and compare them. A NULL ends the
 * table. */
extern const struct policy *const policies[];

/* Returns the built-in policy of a name, or NULL if there is none. */
const struct policy *policy_named(const char *name);

/* Returns the name of a built-in policy that is nearest to an unknown name, or NULL if none is
 * near. */
const char *policy_nearest(const char *name);

/* Finds the policy that a spec names. A spec has one of three forms:
 *   ieca               a name of the table
 *   ./mine.so          a path, which contains a '/': see policy_load()
 *   bfs:10000,ieca     a chain: bfs for 10,000 pages, then ieca; see policy_chain()
 * The function returns ERR_USAGE with the nearest name in the note, or an error of policy_load() or
 * of policy_chain(). The caller frees the policy with policy_free(), after its opt_set. */
int policy_find(const char *spec, const struct policy **, struct err_note *why) MUST_USE;

/* Frees a policy that policy_find() gave. */
void policy_free(const struct policy *);

/* Loads a policy from a shared object. The code of the object runs as part of this process, so a
 * path must always have been typed by the user. The object stays loaded, and loading a path twice
 * gives the same policy. The function returns ERR_FILE if there is no such file. It returns
 * ERR_USAGE with the cause if the file is no shared object, exports no struct policy_module, was
 * made for another POLICY_ABI, or has an invalid struct policy. */
int policy_load(const char *path, const struct policy **, struct err_note *why) MUST_USE;

/* The most policies of a chain. */
#define CHAIN_MOST 16

/* Makes a chain: a policy without hooks that has a plan of turns. Each policy but the last has the
 * number of pages that its turn lasts. The name of the chain is the spec, and its options are "name.key" for each option
 * of its policies. The chain needs the same knowledge of the whole graph as its policies; two
 * policies that need different knowledge cannot form a chain. The function returns ERR_USAGE if the
 * spec makes no chain. */
int policy_chain(const char *spec, const struct policy **, struct err_note *why) MUST_USE;

/* Says whether a spec contains the path of a shared object. */
int policy_spec_has_file(const char *spec);

/* Returns a copy of a spec in which the paths that exist are absolute; a store keeps the spec in
 * this form. The caller frees the copy with free(). */
char *policy_spec_absolute(const char *spec);

/* Returns the length of the first spec in a list of specs with commas between them. A chain, which
 * has commas of its own, is one spec. */
size_t policy_spec_length(const char *list);

/* Receives one policy from policy_each(). */
typedef void policy_tell(void *ctx, const struct policy *);

/* Calls the function for a policy, or for each policy of a chain, in the order of their turns. */
void policy_each(const struct policy *, policy_tell *, void *ctx);

/* Returns the policy (a policy itself, or one policy of a chain) that needs knowledge which no
 * crawl can have, or NULL if there is none. */
const struct policy *policy_with_oracle(const struct policy *);

/* Returns the bits of enum policy_sight that a policy, or any policy of a chain, needs; POLICY_SEES_HOSTS also for a policy
 * that goes by hosts (host_key of struct policy). */
unsigned policy_needs(const struct policy *);

/* Returns the bits that a policy, or any policy of a chain, needs or wants. */
unsigned policy_asks(const struct policy *);

/* Returns the words for the first of these bits, except for finders and order, which every crawl can give: "hosts", "URLs",
 * "kinds of links", "scores", "anchor texts"; "" for none. Static memory. */
const char *policy_sight_words(unsigned sights);

/* Returns the bytes that a page takes in the arrays of a policy, or of all policies of a chain, which each keep
 * keys of their own. */
size_t policy_page_bytes(const struct policy *);

extern const struct policy policy_bfs, policy_backlink, policy_batch_pagerank, policy_partial_pagerank, policy_echo, policy_scout,
	policy_aim, policy_opic, policy_fica, policy_ieca, policy_dfs, policy_random, policy_largest_site, policy_rankmass,
	policy_omniscient, policy_map, policy_indegree_oracle, policy_static, policy_qfirst, policy_qmax, policy_qmin, policy_qmean;

#endif
