/* Going on where a crawl stopped: the log is run through frontier and policy again. A policy is a
 * function of the events it saw, so nothing else needs to be kept of it. */
#ifndef CRAWLER_RESUME_H
#define CRAWLER_RESUME_H

#include "base/progress.h"
#include "scope/scope.h"
#include "crawler/source.h"
#include "storage/store.h"

#include <signal.h>

/* Brings a new frontier (nothing seen) and a new network source on the store to where its log ends.
 * A page then in flight goes back to the queue with the key it was taken with, as an event that is
 * logged, too. ERR_DAMAGED where the log is none that a crawl could have written.
 * `progress` is told of entries read; it may be NULL. Where *stop is not 0, or becomes so: gives up,
 * ERR_INTERRUPTED, with nothing logged; `stop` may be NULL. */
int resume(struct store *, struct frontier *, struct source *, struct progress *,
	const volatile sig_atomic_t *stop, struct err_note *why) MUST_USE;

/* The seeds in the log: called for each, in order. */
typedef int resume_seed_fn(void *ctx, uint32_t id, struct err_note *why);
int resume_seeds(struct store *, resume_seed_fn *, void *ctx, struct err_note *why) MUST_USE;

#endif
