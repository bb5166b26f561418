/* The policy of a live crawl: made from its configuration; swaps, and the turns of a chain, are written
 * into the log. */
#ifndef CRAWLER_LIVE_POLICY_H
#define CRAWLER_LIVE_POLICY_H

#include "crawler/crawl.h"
#include "crawler/live_config.h"
#include "storage/store.h"

struct live_policy {
	const struct policy *policy; /* maybe a chain */
	struct opt_set opts;
	/* its own */
	struct store *store;
	const struct frontier *frontier;
	const struct policy *told; /* whose turn it is by the log */
};

/* ERR_USAGE for a policy or an option that is none; ERR_FILE for a file that is not there. Release
 * in any case. */
int live_policy_make(
	struct live_policy *, const struct live_config *, struct err_note *why) MUST_USE;
void live_policy_release(struct live_policy *);

/* Logs that the store's crawl goes on under this policy. */
int live_policy_swapped(const struct live_policy *, struct store *, struct err_note *why) MUST_USE;

/* From now on turns that change are logged, too; also one that changed just before the log broke
 * off. The frontier has come back from its log. */
int live_policy_watch(struct live_policy *, struct store *, const struct frontier *,
	struct err_note *why) MUST_USE;
struct observer live_policy_observer(struct live_policy *);

#endif
