/* The policy of a live crawl: finds it by the configuration, and writes into the crawl log when the policy changes, by
 * --swap-policy or because a chain moves on to its next policy. */
#ifndef CRAWLER_LIVE_POLICY_H
#define CRAWLER_LIVE_POLICY_H

#include "crawler/crawl.h"
#include "crawler/settings/live_config.h"
#include "storage/store.h"

struct live_policy {
	const struct policy *policy; /* a policy, or a chain of several */
	struct opt_set opts;
	/* private */
	struct store *store;
	const struct frontier *frontier;
	const struct policy *told; /* the policy in use by the last entry that the log has on this */
};

/* Finds the policy and parses its options. Returns 0; ERR_USAGE for a name or an option that does not exist; or ERR_FILE
 * for a policy's file that cannot be loaded. The caller calls live_policy_release() in each case. */
int live_policy_make(struct live_policy *, const struct live_config *, struct err_note *why) MUST_USE;

/* Frees the policy and its options. */
void live_policy_release(struct live_policy *);

/* Writes a LOG_POLICY entry with this policy into the log, for --swap-policy. Returns 0 or an error of the store. */
int live_policy_swapped(const struct live_policy *, struct store *, struct err_note *why) MUST_USE;

/* Begins to write a LOG_POLICY entry whenever the chain moves on to its next policy. The caller calls this after
 * resume_from_log(). If the chain moved on just before the earlier sitting was killed, and the log does not have it, the
 * entry is written now. Returns 0 or an error of the store. */
int live_policy_watch(struct live_policy *, struct store *, const struct frontier *, struct err_note *why) MUST_USE;

/* Returns the observer that writes these entries during the crawl. */
struct observer live_policy_observer(struct live_policy *);

#endif
