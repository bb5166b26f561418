/* The mirror of a crawl (--mirror): its pages and their requisites as files that a browser opens from the disk.
 *
 *	err = crawl_mirror_check(config, why);               before the crawl's sandbox
 *	err = crawl_mirror_write(config, &others, &counts, why);      when the crawl has ended and closed its archive
 *
 * The bodies come from the crawl's archive, so a mirror is as complete as that, whenever and however often the crawl was killed; a
 * file that is there with the same bytes is not written again. */
#ifndef CLI_CRAWL_CRAWL_MIRROR_H
#define CLI_CRAWL_CRAWL_MIRROR_H

#include "cli/archive/extract.h"
#include "crawler/settings/live_config.h"

/* Makes the folder, if there is to be a mirror. Returns 0 or ERR_FILE. */
int crawl_mirror_check(const struct live_config *, struct err_note *why) MUST_USE;

/* Writes the last capture of each page in the archive, if there is to be a mirror; `others` are the files of the crawl. Returns 0,
 * or an error of extract_pages(). */
int crawl_mirror_write(const struct live_config *, const struct destinations *others, struct extract_counts *,
	struct err_note *why) MUST_USE;

#endif
