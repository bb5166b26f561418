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
 *     come back as PAGE_QUEUED with OUTCOME_ABORTED, and page_service_failed() says why.
 *
 *     scorer_new(&s, "python3 model.py", 60000, why)      before the sandbox
 *     settings.scorer = s; fetchers_new(&f, &settings, why)
 *     ... each crawled page has is_scored and score ...
 *     fetchers_free(f); page_service_free(s) */
#ifndef FETCH_SCORER_H
#define FETCH_SCORER_H

#include "fetch/fetch.h"
#include "fetch/page_service.h"

#define SCORER_STRIKES 3

/* Makes a scorer (page_service_new()). */
int scorer_new(struct page_service **, const char *command, int64_t timeout_ms, struct err_note *why) MUST_USE;

/* Starts the scorer's thread (page_service_begin()). At most `most` pages are in flight; those with a score go to `outbox`. */
int scorer_begin(struct page_service *, struct channel *outbox, size_t most, struct err_note *why) MUST_USE;

/* Passes a page on: to the scorer if the page has a line, and else, or if the scorer is NULL, to the outbox. Any thread may
 * call. */
void scorer_pass(struct page_service *, struct fetch_page *, struct channel *outbox);

#endif
