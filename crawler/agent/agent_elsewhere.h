/* What the other agents of a crawl have crawled, seen and queued, as the frontier of one agent hears it, once a second at most.
 * Each time the store's log has an entry LOG_ELSEWHERE, so that the policy of a crawl that is resumed hears the same counts at the
 * same places.
 *
 * The coordinator thread calls these functions. */
#ifndef CRAWLER_AGENT_ELSEWHERE_H
#define CRAWLER_AGENT_ELSEWHERE_H

#include "frontier/remote.h"
#include "storage/store.h"

struct agent_elsewhere {
	struct frontier_elsewhere counts; /* as the frontier has heard them; all 0 at first */
	int64_t logged;
};

/* Reads back the text of an entry of the log. Returns 0 or ERR_DAMAGED. */
int agent_elsewhere_read(struct agent_elsewhere *, struct frontier *, const char *text, struct err_note *why) MUST_USE;

/* Tells the frontier and the log of new counts, if there are any and it is time. Returns 0 or an error of the store. */
int agent_elsewhere_log(struct agent_elsewhere *, struct frontier *, struct store *, const struct frontier_elsewhere *sum,
	struct err_note *why) MUST_USE;

#endif
