/* Hands questions and commands of other threads to the coordinator thread, which alone may touch a crawl.
 *
 *   a thread of a server                         the coordinator, between two steps of the crawl loop
 *   err = inbox_ask(inbox, &ask.ask, 5000, why)
 *       waits until it is answered        --->   inbox_answer(inbox, answer, ctx)
 *       reads its own struct              <---       answer(ctx, &ask.ask) for each one that waits, oldest first
 *
 * Any number of threads may ask. The caller's struct begins with a struct ask, and holds the question and the answer. */
#ifndef MONITOR_INBOX_H
#define MONITOR_INBOX_H

#include "base/err.h"

#include <stdint.h>

struct ask {
	struct ask *next; /* private */
	int is_answered;
};

struct inbox;

/* Makes an inbox, which is closed at first; the caller frees it with inbox_free(). */
struct inbox *inbox_new(void);

/* Frees an inbox that no thread uses any more. NULL is allowed. */
void inbox_free(struct inbox *);

/* Opens the inbox: somebody answers from now on. */
void inbox_open(struct inbox *);

/* Closes the inbox: from now on inbox_ask() fails, for those that wait, too. */
void inbox_close(struct inbox *);

/* Asks, and waits up to patience_ms for the answer. Returns 0 with ask->is_answered; or ERR_BUSY if the inbox is closed or
 * nobody has answered in time, in which case the coordinator does not touch the ask any more. */
int inbox_ask(struct inbox *, struct ask *, int64_t patience_ms, struct err_note *why) MUST_USE;

/* Calls answer() for each ask that waits. Costs one load of memory where none does. Only the coordinator thread calls
 * this. */
void inbox_answer(struct inbox *, void (*answer)(void *ctx, struct ask *), void *ctx);

#endif
