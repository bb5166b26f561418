/* What `lycosa crawl` writes of a crawl at its end: the order, and what was left out. */
#ifndef CLI_CRAWL_CRAWL_LISTS_H
#define CLI_CRAWL_CRAWL_LISTS_H

#include "base/output.h"
#include "cli/store/store_endings.h"
#include "crawler/live.h"

/* order: the URLs in the order crawled, earlier sessions included. rejected: `url TAB reason` of each
 * page that was refused, in the order of discovery. NULL for a list that nobody wants. */
struct crawl_lists {
	struct output *order, *rejected;
};

/* Opened before the crawl, so that it is not for nothing. ERR_FILE. */
int crawl_lists_open(struct crawl_lists *, const char *order, const char *rejected,
	struct err_note *why) MUST_USE;
/* Writes and closes both. */
int crawl_lists_write(struct crawl_lists *, struct live *, struct err_note *why) MUST_USE;
void crawl_lists_abandon(struct crawl_lists *);

/* Adds to the figures how each seed ended. */
void crawl_endings_add_seeds(struct endings *, struct live *);

#endif
