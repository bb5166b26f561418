/* Going on where a crawl stopped: the entries of its log are told again, in order, to those who were told of the events.
 *
 *	                    know_entry()           what the source knows of pages
 *	log entry ------>   frontier_ended() ...   the frontier, and through it every policy
 *
 *	err = net_source_new(&source, settings, scope, store, why);      knows nothing yet
 *	err = resume(store, frontier, source, NULL, NULL, why);          knows what it knew
 *
 * A policy is a function of the events that it saw, so nothing else is kept of it. Nothing is judged or fetched on the
 * way back. */
#ifndef CRAWLER_RESUME_H
#define CRAWLER_RESUME_H

#include "base/progress.h"
#include "scope/scope.h"
#include "crawler/source.h"
#include "storage/store.h"

#include <signal.h>

/* Brings a new frontier (nothing seen) and a new network source on the store to where its log ends. A page that was in
 * flight when the log broke off goes back to the queue with the key that it was taken with; the log is told of that, too.
 * ERR_DAMAGED where the log is none that a crawl could have written. `progress` (may be NULL) is told of entries read.
 * When *stop (may be NULL) becomes other than 0 the work is given up with ERR_INTERRUPTED, and nothing is logged. */
int resume(struct store *, struct frontier *, struct source *, struct progress *,
	const volatile sig_atomic_t *stop, struct err_note *why) MUST_USE;

/* The seeds in the log: called for each, in order. */
typedef int resume_seed_fn(void *ctx, uint32_t id, struct err_note *why);
int resume_seeds(struct store *, resume_seed_fn *, void *ctx, struct err_note *why) MUST_USE;

#endif
