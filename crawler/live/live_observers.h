/* What a live crawl opens beside its store, and the observers that end the crawl when one of these fails: the archive (--warc), the
 * command for each page (--exec), the score command (--score-cmd), and the memory (--max-memory). */
#ifndef CRAWLER_LIVE_OBSERVERS_H
#define CRAWLER_LIVE_OBSERVERS_H

#include "crawler/crawl.h"
#include "crawler/settings/live_config.h"
#include "crawler/settings/live_decision.h"
#include "storage/store.h"
#include "storage/warc.h"

/* Checks that files can be made beside a prefix, and named in their own headers. Returns 0, ERR_USAGE or ERR_FILE. */
int live_archive_check(const char *prefix, struct err_note *why) MUST_USE;

/* Opens the archive that the configuration names. Returns 0 or an error of warc_open(). */
int live_archive_open(struct warc **, const struct live_config *, const char *user_agent, struct err_note *why) MUST_USE;

/* Returns the observer that ends the crawl when the archive cannot be written any more, and syncs it before a commit. */
struct observer live_archive_observer(struct warc *);

struct page_service;

/* Returns the observer that ends the crawl if the runner, the renderer or the scorer (fetch/page_service.h) has failed; with NULL
 * it does nothing. */
struct observer live_service_observer(struct page_service *);

/* Checks the score command of this sitting against the store, which has the settings of earlier sittings only. Returns 0; or
 * ERR_USAGE if the store names a command that the user has not named, since a store may come from elsewhere, or if the crawl
 * was begun without a score command, since then its pages have no scores. */
int live_scores_check(const struct live_decision *, struct store *, const char *dir, struct err_note *why) MUST_USE;

/* Says whether the pages of the crawl in a store are scored by a command. */
int live_scores_are_in(struct store *);

/* The memory of a live crawl (--max-memory): how much of it there may be, and what becomes of more. What grows with the pages of a
 * crawl is paged memory (base/paged.h), in a file in the store's folder. The table of URLs that are known, and what the libraries
 * allocate, stay in memory. */

/* Returns the bound of all bodies in flight, fetch/body_memory.h: a quarter of --max-memory, but at least 1 MB and at most 256
 * MB. */
uint64_t live_memory_of_bodies(const struct live_config *);

/* Opens the file in the folder; *is_open says whether it did. If so, the caller calls paged_close() when all of the crawl is freed.
 * Returns 0; or an error of paged_open() if --max-memory was given, and cannot be kept here. */
int live_memory_open(int *is_open, const char *folder, const struct live_config *, struct err_note *why) MUST_USE;

/* Returns an observer that keeps the crawl below its bound, and ends it with ERR_FILE when the file can take no more. */
struct observer live_memory_observer(void);

#endif
