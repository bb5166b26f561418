/* The charter of a crawl (agents/charter.h) as the store of each agent keeps it, so that any agent can begin the crawl once more on
 * a server that has lost it. It stands in settings of the store, a part in each. */
#ifndef CRAWLER_AGENT_CHARTER_H
#define CRAWLER_AGENT_CHARTER_H

#include "agents/member.h"
#include "base/buf.h"
#include "storage/store.h"

/* Keeps a charter, in the place of the one that was kept. Returns 0 or an error of store_set(). */
int agent_charter_keep(struct store *, const struct buf *charter, struct err_note *why) MUST_USE;

/* Reads the charter that is kept, which replaces what the buf has. Returns 1, or 0 with an empty buf if none is. */
int agent_charter_kept(struct store *, struct buf *charter);

/* Adds the seeds of a charter that the kept one lacks to it, if one is kept. Returns 0 or an error of store_set(). */
int agent_charter_add(struct store *, const struct buf *seeds, struct err_note *why) MUST_USE;

/* Begins the crawl at a URL of n bytes, and adds its canonical form to the charter `taken`, unless it is invalid. Returns 0 or an
 * error. */
typedef int agent_charter_seed(void *ctx, const char *url, size_t n, struct buf *taken, struct err_note *why);

/* Takes the seeds that the operator has added to the crawl, by a function that is called for each with `ctx`, and keeps them: an
 * agent that starts again takes all once more. Every agent takes all: they may widen its scope. Returns 1 with the revision of the
 * last of them, 0 if there are none, or an error of the function or of store_set(). */
int agent_charter_take_seeds(struct member *, struct store *, agent_charter_seed *, void *ctx, uint64_t *revision,
	struct err_note *why) MUST_USE;

#endif
