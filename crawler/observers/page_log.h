/* The log of a crawl (--log, --log-to): one line of JSON for each event of a page, in order (doc/formats.md). Pages that are put
 * back without a request have no line. The lines are printable ASCII, since texts from the network are escaped. The
 * log is an observer of the crawl; one thread uses it.
 *
 *	page_log_open(&log, "crawl.jsonl", 0, why);
 *	page_log_of(log, store, frontier, stop);
 *	observers[n++] = page_log_observer(log);
 *	code = page_log_close(log, why); */
#ifndef CRAWLER_PAGE_LOG_H
#define CRAWLER_PAGE_LOG_H

#include "crawler/crawl.h"
#include "storage/store.h"

struct page_log;

/* Opens a log for appending; the file is created if it is missing, and the path "-" is stdout. A regular file that would have more
 * than `most` bytes (0: any number) is synced and becomes PATH.1, the next one PATH.2, and so on, as far as these names are free.
 * Each line is written to a regular file at once; to a pipe or a terminal, lines are written at least once a second. Returns 0, or
 * ERR_FILE;
 * *out is NULL after an error. */
int page_log_open(struct page_log **, const char *path, uint64_t most, struct err_note *why) MUST_USE;

/* Opens a log whose lines go to the stdin of a command, which the shell runs (fetch/user_command.h). No line is lost: a command
 * that reads slowly slows the crawl down, and the hook `sync` waits until the command has read every line, so a page is in the
 * store only if its line was read. A command that ends before the crawl ends the crawl: the hooks return ERR_OTHER. If the crawl is
 * stopped while the command does not read, they return ERR_INTERRUPTED. Each line is written at once. Returns 0 or ERR_OTHER; *out
 * is NULL after an error. */
int page_log_open_command(struct page_log **, const char *command, struct err_note *why) MUST_USE;

/* Sets the store that has the pages of the events, before the first event, the frontier, which says by which rule they were chosen,
 * and the crawl's `stop` (struct crawl). The latter two may be NULL. All must outlive the log. A crawl that is stopped waits 5 s
 * for a reader that reads nothing; if `stop` becomes 2, no longer. */
void page_log_of(struct page_log *, struct store *, const struct frontier *, const volatile sig_atomic_t *stop);

/* Continues in a new file of the same path, after log rotation has moved the old file away. Returns 0; or ERR_FILE if the
 * path cannot be opened, and then the log continues in the old file. The function does nothing if the log is not a
 * regular file. */
int page_log_reopen(struct page_log *, struct err_note *why) MUST_USE;

/* Returns the observer that writes the lines. If a line cannot be written, the hook returns ERR_FILE, which ends the crawl,
 * and the file is cut back to the lines before. If the reader of a pipe has gone away, the log ends and the crawl goes
 * on. The hook `sync` writes a regular file to the disk. */
struct observer page_log_observer(struct page_log *);

/* Writes the remaining lines, syncs a regular file, waits for a command to end, and frees the log in each case. A crawl that is
 * stopped waits as page_log_of() says. Returns 0; ERR_FILE; or ERR_OTHER if the command has ended with another status than 0. NULL
 * is allowed. */
int page_log_close(struct page_log *, struct err_note *why) MUST_USE;

#endif
