/* A line of JSON for each thing that became of a page (doc/formats.md), in the order in which it
 * happened. An observer. All that stems from the network is escaped: a line is printable ASCII. */
#ifndef CRAWLER_PAGE_LOG_H
#define CRAWLER_PAGE_LOG_H

#include "crawler/crawl.h"
#include "storage/store.h"

struct page_log;

/* Lines are put behind those that are in the file; "-" is stdout. They leave the process at once, for
 * what is no file within a second. ERR_FILE. */
int page_log_open(struct page_log **, const char *path, struct err_note *why) MUST_USE;

/* Whose pages; before the first event. It must outlive the events. */
void page_log_of(struct page_log *, struct store *);

/* Goes on in a file of the same name, made where it is missing: what was the file may have been moved
 * away by whoever rotates logs. Where none can be had, it goes on in the old one, ERR_FILE. Nothing is to
 * be done for what is no file. */
int page_log_reopen(struct page_log *, struct err_note *why) MUST_USE;

/* A line that cannot be written ends the crawl: ERR_FILE; no part of it stays in the file. A reader
 * of a pipe who goes has had enough: the crawl goes on. The observer's `sync` makes the lines of a file
 * outlast a power failure; where the output is no file there is nothing to sync. */
struct observer page_log_observer(struct page_log *);

/* Writes the rest and syncs it. NULL is allowed. */
int page_log_close(struct page_log *, struct err_note *why) MUST_USE;

#endif
