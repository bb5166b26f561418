/* The letters of a post that the store's log has: LOG_POSTED, whose numbers are counted for each agent.
 *
 *	struct post_log *log = post_log_new(store);
 *	err = post_log_confirm(store, post, from, mark, clock_ms(), why);      the news of an agent: what it has committed
 *	if (!err && post_lacks(post)) err = post_log_restore(log, post, why);
 *
 * Letters are restored in portions, as much as the post takes into memory; the reading stays where a portion has ended, so that all
 * portions together read the log once:
 *
 *   entries of the log   1 ............... | letter 5000 to agent 3, for which there is no room | ...
 *                        read, not needed    the next call begins here
 *                        any more
 *
 * It begins anew only when an agent needs letters from before: its first confirmation has come, or it has lost a part of its store.
 *
 * The coordinator thread calls these functions. */
#ifndef CRAWLER_POST_LOG_H
#define CRAWLER_POST_LOG_H

#include "agents/post.h"
#include "storage/store.h"

#define POST_LOG_MISSING_MOST ((uint64_t)1 << 24) /* letters that a store may have lost: a day's of 190 a second */

struct post_log;

/* Makes the reader of a store's log. The store must outlive it; the caller frees it with post_log_free(), for which NULL is
 * allowed. */
struct post_log *post_log_new(struct store *);
void post_log_free(struct post_log *);

/* Reads letters that the post needs back from the log, which is committed (post_restore()). Returns 0 or an error of the store. */
int post_log_restore(struct post_log *, struct post *, struct err_note *why) MUST_USE;

/* Returns how many entries of the log were read in all. */
uint64_t post_log_read(const struct post_log *);

/* An agent has committed the letters to it up to a number. If this store has lost letters which that agent has taken, because it is
 * an older copy, their numbers are used up by empty letters: what is sent next is new to that agent. Returns 0; ERR_FORMAT for a
 * number that is more than POST_LOG_MISSING_MOST above the last letter's, which changes nothing; or an error of the store. */
int post_log_confirm(struct store *, struct post *, unsigned from, uint64_t number, int64_t now, struct err_note *why) MUST_USE;

#endif
