/* The summary of a sitting that a person reads, where stdout is a terminal: what came, the hosts with the most pages, why
 * pages failed or were left out, and what can be done next.
 *
 *	done: 1,391 pages crawled in 60 s, 23/s, 968 KB
 *
 *	  crawled     1,391   of 4,254 discovered
 *	  failed        150
 *	  ...
 *	Failures
 *	  138  status 404
 *	...
 *	Next
 *	  lycosa crawl --store example.crawl     goes on */
#ifndef CLI_CRAWL_CRAWL_SUMMARY_H
#define CLI_CRAWL_CRAWL_SUMMARY_H

#include "cli/archive/extract.h"
#include "cli/crawl/crawl_options.h"
#include "crawler/live/live.h"

#include <stdio.h>

/* Says whether the summary for a person is to be printed instead of TSV: --summary says so, or stdout is a terminal. */
int crawl_summary_is_wanted(const struct crawl_options *);

/* Prints it, with the counts of a mirror's files, if there is one (NULL: there is none). Colours are used if `out` is a terminal
 * and the variable NO_COLOR is empty or not set. Returns 0, ERR_DAMAGED or ERR_FILE. */
int crawl_summary_print(FILE *out, const struct crawl_options *, struct live *, const struct live_summary *,
	const struct extract_counts *mirror, struct err_note *why) MUST_USE;

/* Appends a whole number with its digits in groups of three: "1,234,567". */
void crawl_summary_count(struct buf *out, uint64_t n);

/* Appends a number of bytes (0 or more) in the unit that suits it: "968 KB". */
void crawl_summary_bytes(struct buf *out, double n);

#endif
