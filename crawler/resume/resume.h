/* Resumes a crawl: reads the entries of its log in order, and passes each to the two parts that saw the original event.
 *
 *	                    knowledge_apply_entry()      the knowledge of the network source
 *	log entry ------>   tell_frontier() ...          the frontier, and through it the policy
 *
 *	err = net_source_new(&source, settings, scope, store, why);        a source without knowledge
 *	err = resume_from_log(store, NULL, frontier, source,
 *		RESUME_TO_CRAWL, NULL, NULL, NULL, why);              as it was when the crawl stopped
 *
 * The state of a policy depends only on the events that it has seen, so it need not be kept; a snapshot saves the time to
 * compute it again. Nothing is judged and nothing is fetched during a resume. */
#ifndef CRAWLER_RESUME_H
#define CRAWLER_RESUME_H

#include "base/progress.h"
#include "scope/scope.h"
#include "crawler/resume/snapshot.h"
#include "crawler/source.h"
#include "storage/store.h"

#include <signal.h>

struct live_agent;

/* What for: to go on with the crawl, or to look at it, which writes nothing into the store. */
enum resume_purpose { RESUME_TO_CRAWL, RESUME_TO_VIEW };

/* Brings a new frontier and a new network source to the state at the end of the store's log. The frontier takes the state of the
 * entries that a usable snapshot has seen from there (crawler/resume/snapshot.h; NULL, or without a folder: the frontier is told of
 * all entries), and so does the source. A page that was in flight when the log ended is queued again with the key that it was taken
 * with, and a LOG_REQUEUED entry says so. `agent` is the agent that the store is of (crawler/agent/live_agent.h), or NULL;
 * `progress` and `stop` may be NULL. Returns 0; ERR_DAMAGED if no crawl can have written this log; ERR_INTERRUPTED if *stop became
 * other than 0, in which case the store is unchanged; or an error of the store. */
int resume_from_log(struct store *, const struct snapshot_place *, struct frontier *, struct source *, enum resume_purpose,
	struct live_agent *agent, struct progress *, const volatile sig_atomic_t *stop, struct err_note *why) MUST_USE;

/* Receives one seed. Returns 0, or a negative error to stop. */
typedef int resume_seed_fn(void *ctx, uint32_t id, struct err_note *why);

/* Calls a function for each seed of the user in the log, in order, until a call returns a negative value. Returns that
 * value, or 0, or ERR_DAMAGED. */
int resume_seeds(struct store *, resume_seed_fn *, void *ctx, struct err_note *why) MUST_USE;

#endif
