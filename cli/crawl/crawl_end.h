/* The end of a sitting: the summary on stdout, and the exit status. */
#ifndef CLI_CRAWL_CRAWL_END_H
#define CLI_CRAWL_CRAWL_END_H

#include "cli/archive/extract.h"
#include "cli/crawl/crawl_options.h"
#include "crawler/live/live.h"

/* Prints the summary: why the sitting ended, and how many pages are in each state; for a person where stdout is a terminal
 * (crawl_summary.h), else as TSV or JSON. `mirror` counts the files of a mirror; NULL: there is none. Returns 0, ERR_DAMAGED or
 * ERR_RESULTS. */
int crawl_end_print(const struct crawl_options *, struct live *, const struct live_summary *, const struct extract_counts *mirror,
	struct err_note *why) MUST_USE;

/* Returns the error for the exit status: ERR_INTERRUPTED after a signal; ERR_UNREACHABLE if hosts were given up;
 * ERR_LIMIT if a limit was reached with --strict; ERR_ALL_SEEDS_FAILED, with the reasons in the note; else 0. */
int crawl_end_verdict(const struct crawl_options *, const struct live_decision *, struct live *, const struct live_summary *,
	struct err_note *why) MUST_USE;

#endif
