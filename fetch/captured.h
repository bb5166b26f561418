/* Reads an answer that was fetched before, and stands in an archive, as if a transfer had just ended with it: the page has the same
 * links, hashes and texts as one that was fetched now.
 *
 *	captured_new(&c, &settings);
 *	page = captured_page(c, &answer);
 *	... fetch_page_free(page); ...
 *	captured_free(c); */
#ifndef FETCH_CAPTURED_H
#define FETCH_CAPTURED_H

#include "fetch/fetch.h"

struct captured;

struct captured_answer {
	const struct url *url; /* canonical */
	struct warc_span
		head; /* the status line and headers with the blank line; empty: the answer was none of HTTP, and has status 200 */
	const char *type;      /* without a head: the media type, or NULL */
	struct warc_span body; /* without chunks and compression */
	int64_t time;          /* ms since 1970 */
};

/* Makes a reader, whose settings decide about links and hashes, as for fetchers_new(). Only one thread uses it. */
void captured_new(struct captured **, const struct fetch_settings *);

/* Frees the reader. */
void captured_free(struct captured *);

/* Returns the page of an answer, whose id the caller sets and which the caller frees. Its times are that of the answer. Nothing is
 * retried: the page is CRAWLED, REDIRECTED or FAILED. */
struct fetch_page *captured_page(struct captured *, const struct captured_answer *);

/* Takes an archived robots.txt of the URL's origin, whose sitemaps are then read as such. */
void captured_robots(struct captured *, const struct url *, const char *text, size_t n);

#endif
