/* A command of the user that is run for each crawled page, with the page's body as its stdin (--exec).
 *
 * The shell runs the command with the arguments $1, the page's URL; $2, the HTTP status; and $3, the media type, which may be
 * empty. No shell interprets these texts, whatever the network has put into them. Its stdout is that of the crawl.
 *
 * A page is held back until its command has ended, and counts as in flight meanwhile; so the crawl fetches no faster than the
 * commands run, one after the other, and a page is in the store only if its command has ended. A crawl that is killed runs the
 * commands of the pages in flight again when it goes on. A page with the status 304 has no body, and no command.
 *
 *     fetcher threads --runner_pass()--> inbox --> the runner's thread --scorer_pass()--> scorer, or outbox
 *
 * The bodies of the pages that wait count for the bound on the memory of bodies (fetch/body_memory.h).
 *
 * A page whose command has failed (fetch/page_command.h) counts as crawled nevertheless. If the command of the first page cannot be
 * run, the runner fails: all pages come back as PAGE_QUEUED with OUTCOME_ABORTED, and runner_failed() says why.
 *
 *     runner_new(&r, "tidy -q >/dev/null", 60000, why)   before the sandbox
 *     settings.runner = r; fetchers_new(&f, &settings, why)
 *     fetchers_free(f); runner_free(r) */
#ifndef FETCH_RUNNER_H
#define FETCH_RUNNER_H

#include "fetch/body_memory.h"
#include "fetch/channel.h"
#include "fetch/fetch.h"

struct runner;

/* Makes a runner, and forks the process that starts its commands (fetch/user_command.h). A command may take `timeout` ms; 0: as
 * long as it likes. Returns 0, or ERR_OTHER if processes or descriptors cannot be had. */
int runner_new(struct runner **, const char *command, int64_t timeout, struct err_note *why) MUST_USE;

/* Starts the runner's thread. At most `most` pages are in flight; a page whose command has ended goes to the scorer, or, if that is
 * NULL, to `outbox`. `memory` must outlive the thread. Returns 0, or ERR_OTHER if the thread cannot be had. */
int runner_begin(struct runner *, struct scorer *, struct channel *outbox, struct body_memory *memory, size_t most,
	struct err_note *why) MUST_USE;

/* Passes a page on: to the runner if the page has a body to show, and else, or if the runner is NULL, to the scorer or the outbox.
 * Any thread may call. */
void runner_pass(struct runner *, struct fetch_page *, struct scorer *, struct channel *outbox);

/* Ends the command that runs, and makes all pages come back as PAGE_QUEUED with OUTCOME_ABORTED, those that the runner has and
 * those that it takes later. NULL is allowed. */
void runner_abort(struct runner *);

/* Ends the thread, after all threads that call runner_pass() have ended, frees the pages that the runner still has, and tells the
 * user how many commands have failed. NULL is allowed. */
void runner_end(struct runner *);

/* Returns 0, or ERR_OTHER with a note if the runner has failed. Any thread may call. NULL is allowed, and does not fail. */
int runner_failed(struct runner *, struct err_note *why) MUST_USE;

/* Frees the runner. NULL is allowed. */
void runner_free(struct runner *);

#endif
