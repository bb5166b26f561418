/* The end of a sitting: the summary on stdout, and the exit status. */
#ifndef CLI_CRAWL_CRAWL_END_H
#define CLI_CRAWL_CRAWL_END_H

#include "base/output.h"
#include "cli/archive/archive.h"
#include "cli/crawl/crawl_options.h"
#include "cli/store/store_endings.h"
#include "crawler/live/live.h"
#include "crawler/settings/live_config.h"

/* Prints the summary: why the sitting ended, and how many pages are in each state; for a person where stdout is a terminal,
 * else as TSV or JSON. `mirror` counts the files of a mirror; NULL: there is none. Returns 0, ERR_DAMAGED or
 * ERR_RESULTS. */
int crawl_end_print(const struct crawl_options *, struct live *, const struct live_summary *, const struct extract_counts *mirror,
	struct err_note *why) MUST_USE;

/* Returns the error for the exit status: ERR_INTERRUPTED after a signal; ERR_UNREACHABLE if hosts were given up;
 * ERR_LIMIT if a limit was reached with --strict; ERR_ALL_SEEDS_FAILED, with the reasons in the note; else 0. */
int crawl_end_verdict(const struct crawl_options *, const struct live_decision *, struct live *, const struct live_summary *,
	struct err_note *why) MUST_USE;

/* --- the lists of the whole crawl */

/* The lists that `lycosa crawl` writes at the end of a sitting, about the whole crawl:
 *
 *   --order FILE      the URLs in the order in which they were crawled
 *   --rejected FILE   "URL TAB reason" of each page that was refused, in the order of discovery */
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

/* --- the mirror */

/* The mirror of a crawl (--mirror): its pages and their requisites as files that a browser opens from the disk.
 *
 *	err = crawl_mirror_check(config, why);               before the crawl's sandbox
 *	err = crawl_mirror_write(config, store, &others, &counts, why);      when the crawl has ended and closed its archive
 *
 * The bodies come from the crawl's archive, so a mirror is as complete as that, whenever and however often the crawl was killed; a
 * file that is there with the same bytes is not written again. */
/* Makes the folder, if there is to be a mirror. Returns 0 or ERR_FILE. */
int crawl_mirror_check(const struct live_config *, struct err_note *why) MUST_USE;

/* Writes the last capture of each page in the archive, if there is to be a mirror; `others` are the files of the crawl. Returns 0,
 * or an error of extract_pages(). */
int crawl_mirror_write(const struct live_config *, struct store *, const struct destinations *others, struct extract_counts *,
	struct err_note *why) MUST_USE;

/* Writes the archive of all sittings as one WACZ file, if there is to be one, when the crawl has ended and closed its archive; the
 * pages of the seeds are its main pages. A crawl that was killed leaves none, or that of an earlier sitting, until the next sitting
 * ends. */
int crawl_wacz_write(const struct live_config *, struct store *, struct err_note *why) MUST_USE;

/* --- numbers for a person */

/* Appends a number of bytes (0 or more) in the unit that suits it: "968 KB". */
void crawl_summary_bytes(struct buf *out, double n);

#endif
