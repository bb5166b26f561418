/* The archive of a live crawl (--warc): its files, and the observer that keeps it in step with the store. */
#ifndef CRAWLER_LIVE_ARCHIVE_H
#define CRAWLER_LIVE_ARCHIVE_H

#include "crawler/crawl.h"
#include "crawler/settings/live_config.h"
#include "storage/warc.h"

/* Checks that files can be made beside a prefix, and named in their own headers. Returns 0, ERR_USAGE or ERR_FILE. */
int live_archive_check(const char *prefix, struct err_note *why) MUST_USE;

/* Opens the archive that the configuration names. Returns 0 or an error of warc_open(). */
int live_archive_open(struct warc **, const struct live_config *, const char *user_agent, struct err_note *why) MUST_USE;

/* Returns the observer that ends the crawl when the archive cannot be written any more, and syncs it before a commit. */
struct observer live_archive_observer(struct warc *);

#endif
