/* The lists that `lycosa crawl` writes at the end of a sitting, about the whole crawl:
 *
 *   --order FILE      the URLs in the order in which they were crawled
 *   --rejected FILE   "URL TAB reason" of each page that was refused, in the order of discovery */
#ifndef CLI_CRAWL_CRAWL_LISTS_H
#define CLI_CRAWL_CRAWL_LISTS_H

#include "base/output.h"
#include "cli/store/store_endings.h"
#include "crawler/live/live.h"

/* The files of the lists; NULL for a list that the user does not want. */
struct crawl_lists {
	struct output *order, *rejected;
};

/* Opens the files before the crawl, so that a file that cannot be written is an error before the first request.
 * Either path may be NULL. Returns 0 or ERR_FILE. */
int crawl_lists_open(struct crawl_lists *, const char *order, const char *rejected, struct err_note *why) MUST_USE;

/* Writes the lists and closes the files. Returns 0 or ERR_FILE. */
int crawl_lists_write(struct crawl_lists *, struct live *, struct err_note *why) MUST_USE;

/* Closes the files without writing; files of these names stay as they were. After crawl_lists_write() the call has
 * no effect. */
void crawl_lists_abandon(struct crawl_lists *);

/* Adds the ending of each seed to `endings`. */
void crawl_endings_add_seeds(struct endings *, struct live *);

#endif
