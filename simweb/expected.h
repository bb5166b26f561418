/* What a patient reader gets of the fake web, so that a crawl of it can be compared line by line.
 *
 *	expected_write(&site, &faults, rules, &(struct expected_reader){seed, n_seeds}, "expected.txt", why);
 *
 * The reader begins at the seeds, follows all links and redirects, obeys robots.txt, and asks for a page again until its
 * transient faults have passed. The file has a line for each URL of the web, sorted by the bytes of the URL:
 *
 *   URL TAB STATUS TAB DIGEST TAB REACHED TAB PAGERANK
 *
 * STATUS is that of the last answer: 200 also if the body is cut off each time, 302 for a redirect (its target has a line of
 * its own), 0 if there is never an answer, and "robots" for a page that robots.txt forbids. DIGEST is the XXH3 128-bit hash of
 * the page's bytes, or "-" without a whole page of status 200. So the first three fields of the lines of reached pages but for the
 * forbidden ones are the lines of pages of `lycosa store dump` of a crawl that lost nothing.
 *
 * REACHED is 1 if the reader comes upon the URL, else 0. PAGERANK is the PageRank in the graph of the reached URLs and of the
 * links of pages that were read, with 17 significant digits. A link to a redirect counts as a link to its target. These are the
 * scores that `lycosa rank` computes of the store of a complete crawl. The PageRank of a URL that is not reached is 0. */
#ifndef SIMWEB_EXPECTED_H
#define SIMWEB_EXPECTED_H

#include "base/output.h"
#include "parser/robots.h"
#include "simweb/fault.h"
#include "simweb/site.h"

struct expected_reader {
	const uint32_t *seed; /* pages */
	size_t seeds;
	unsigned threads; /* of the computation of PageRank; >= 1 */
};

/* Writes the file. The site's pages must be the nodes of a graph. `rules` are the robots.txt of every host; NULL: there is none.
 * Returns 0 or ERR_FILE. Memory: the text of all pages' URLs, and about 60 bytes for each page and 8 for each link. */
int expected_write(const struct site *, const struct fault_settings *, const struct robots *rules, const struct expected_reader *,
	const char *path, struct err_note *why) MUST_USE;

/* A line of the file. */
struct expected_line {
	const char *url, *word; /* word: in place of the status; NULL: the status */
	unsigned status;
	const uint64_t *digest; /* of a whole page; NULL: there is none */
	int is_reached;
	double rank;
};

/* Writes a line. */
void expected_line(struct output *, const struct expected_line *);

#endif
