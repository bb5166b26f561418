/* What a patient reader gets of an endless web, as far as it is finite: within a number of links from its most popular page, or
 * all of it, if it has few hosts and no traps.
 *
 *	err = endless_expected_write(&web, &faults, &(struct endless_reader){.max_depth = 4, .most = ENDLESS_EXPECTED_MOST,
 *		.threads = 1}, "expected.txt", why);
 *
 * The reader begins at the home page of host 0, follows all links and redirects, obeys the robots.txt of each host, and asks again
 * until the transient faults have passed. The file has the lines of simweb/expected.h, and only URLs that the reader comes upon, so
 * that REACHED is 1 in each. STATUS is also "robots" for all pages of a host whose robots.txt cannot be had, and "depth" for a URL
 * that lies too deep to be asked for. The PageRank is that of the graph of these URLs and of the links of the pages that were
 * read. */
#ifndef SIMWEB_ENDLESS_EXPECTED_H
#define SIMWEB_ENDLESS_EXPECTED_H

#include "simweb/endless.h"
#include "simweb/fault.h"

#define ENDLESS_EXPECTED_MOST 5000000

struct endless_reader {
	uint32_t max_depth; /* the most links from the first page; 0: no limit */
	uint32_t most;      /* the most URLs that the reader may come upon, usually ENDLESS_EXPECTED_MOST */
	unsigned threads;   /* of the computation of PageRank; >= 1 */
};

/* Writes the file. Returns 0; ERR_USAGE if the web changes, or if what the reader gets has no end: without a limit of the depth, a
 * web that has traps or more than `most` hosts; ERR_TOO_BIG if the reader comes upon more than `most` URLs; or ERR_FILE. Memory:
 * the text of the URLs, and about 90 bytes for each URL and 4 for each link. */
int endless_expected_write(const struct endless *, const struct fault_settings *, const struct endless_reader *, const char *path,
	struct err_note *why) MUST_USE;

#endif
