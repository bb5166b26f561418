/* The memory of a live crawl (--max-memory): how much of it there may be, and what becomes of more. What grows with the pages of a
 * crawl is paged memory (base/paged.h), in a file in the store's folder. The table of URLs that are known, and what the libraries
 * allocate, stay in memory. */
#ifndef CRAWLER_LIVE_MEMORY_H
#define CRAWLER_LIVE_MEMORY_H

#include "crawler/crawl.h"
#include "crawler/settings/live_config.h"

/* Returns the bound of all bodies in flight, fetch/body_memory.h: a quarter of --max-memory, but at least 1 MB and at most 256
 * MB. */
uint64_t live_memory_of_bodies(const struct live_config *);

/* Opens the file in the folder; *is_open says whether it did. If so, the caller calls paged_close() when all of the crawl is freed.
 * Returns 0; or an error of paged_open() if --max-memory was given, and cannot be kept here. */
int live_memory_open(int *is_open, const char *folder, const struct live_config *, struct err_note *why) MUST_USE;

/* Returns an observer that keeps the crawl below its bound, and ends it with ERR_FILE when the file can take no more. */
struct observer live_memory_observer(void);

#endif
