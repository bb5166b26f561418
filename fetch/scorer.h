/* Scores of crawled pages from a program of the user, as they come (--score-cmd).
 *
 * The program, a score command, reads a line for each crawled page from its stdin (fetch/page_fill.c), and writes a line with
 * the page's score to its stdout, in the order of the pages: a number from 0 to NUM_SCORE_MOST (base/num.h). It must write each
 * line at once, and not wait for further pages. An empty line, "-", "nan" or "inf", and a negative number mean that the page has
 * no score.
 *
 * A crawled page is held back until its score is known, so the event of the page has the score already: the policy sees the same
 * live, after a resume and in a replay of the store. The page counts as in flight meanwhile, so at most as many pages wait
 * as may be in flight, and the crawl fetches no faster than the command scores. Transfers go on.
 *
 *     fetcher threads --scorer_pass()--> inbox --> the scorer's thread --> outbox --> coordinator
 *                                                      |        ^
 *                                                      page     score
 *                                                      v        |
 *                                                      the command
 *
 * What a command may do wrong:
 *   - It ends, or answers nothing for `timeout_ms`, or a line that is none of the above, or more lines than it got pages. It is
 *     then killed and started again, and gets the unanswered pages again, at first the first one alone. If this page is without
 *     an answer twice, it has no score.
 *   - It does so with SCORER_STRIKES pages in a row, or with the first page that it is ever given. Then the scorer fails: all pages
 *     come back as PAGE_QUEUED with OUTCOME_ABORTED, and scorer_failed() says why.
 *
 *     scorer_new(&s, "python3 model.py", 60000, why)      before the sandbox
 *     settings.scorer = s; fetchers_new(&f, &settings, why)
 *     ... each crawled page has is_scored and score ...
 *     fetchers_free(f); scorer_free(s) */
#ifndef FETCH_SCORER_H
#define FETCH_SCORER_H

#include "fetch/channel.h"
#include "fetch/fetch.h"

#define SCORER_STRIKES 3

struct scorer;

/* Makes a scorer, and forks the process that starts its command (fetch/user_command.h). Returns 0, or ERR_OTHER if processes or
 * descriptors cannot be had. */
int scorer_new(struct scorer **, const char *command, int64_t timeout_ms, struct err_note *why) MUST_USE;

/* Starts the scorer's thread. At most `most` pages are in flight; those with a score go to `outbox`. Returns 0, or ERR_OTHER if
 * the thread cannot be had. */
int scorer_begin(struct scorer *, struct channel *outbox, size_t most, struct err_note *why) MUST_USE;

/* Passes a page on: to the scorer if the page has a line, and else, or if the scorer is NULL, to the outbox. Any thread may
 * call. */
void scorer_pass(struct scorer *, struct fetch_page *, struct channel *outbox);

/* Makes all pages come back as PAGE_QUEUED with OUTCOME_ABORTED, those that the scorer has and those that it takes later. NULL is
 * allowed. */
void scorer_abort(struct scorer *);

/* Ends the thread, after all threads that call scorer_pass() have ended, frees the pages that the scorer still has, and tells the
 * user how many pages have got no score. NULL is allowed. */
void scorer_end(struct scorer *);

/* Returns 0, or ERR_OTHER with a note if the scorer has failed. Any thread may call. NULL is allowed, and does not fail. */
int scorer_failed(struct scorer *, struct err_note *why) MUST_USE;

/* Closes the command's stdin, waits two seconds at most for the command to end, and frees the scorer. NULL is allowed. */
void scorer_free(struct scorer *);

#endif
