/* The policy of a live crawl: made from its configuration; swaps, and the turns of a chain, are written
 * into the log. */
#ifndef CRAWLER_LIVE_POLICY_H
#define CRAWLER_LIVE_POLICY_H

#include "crawler/crawl.h"
#include "crawler/live_config.h"
#include "storage/store.h"

struct live_policy {
	const struct policy *policy; /* a policy, or a chain of several */
	struct opt_set opts;
	/* its own */
	struct store *store;
	const struct frontier *frontier;
	const struct policy *told; /* the policy whose turn it is, as far as the log tells */
};

/* Finds the policy and reads its options. ERR_USAGE for a name or an option that does not exist; ERR_FILE
 * for a policy's file that does not exist. Release in any case. */
int live_policy_make(
	struct live_policy *, const struct live_config *, struct err_note *why) MUST_USE;
void live_policy_release(struct live_policy *);

/* Writes into the log that the crawl goes on under this policy (--swap-policy). */
int live_policy_swapped(const struct live_policy *, struct store *, struct err_note *why) MUST_USE;

/* Gets ready to write into the log when a chain's turn passes to its next policy. The frontier has come
 * back from the log; a turn that passed just before a kill, and is not in the log, is written now. */
int live_policy_watch(struct live_policy *, struct store *, const struct frontier *,
	struct err_note *why) MUST_USE;

/* The observer that watches the turns. */
struct observer live_policy_observer(struct live_policy *);

#endif
