/* Reads a fetched page: computes its digest and fingerprint, and collects its links or the target of its redirect.
 *
 *     page_fill(&build, &requisites, &head, transfer, NULL);     page_hash(), page_read(), page_complete()
 *     page = page_build_take(&build, &head);
 */
#ifndef FETCH_PAGE_FILL_H
#define FETCH_PAGE_FILL_H

#include "base/buf.h"
#include "fetch/page_build.h"
#include "fetch/transfer.h"

/* Completes *head, whose outcome and state the caller has set, from the transfer. A CRAWLED page gets its digest (unless the status
 * is 304), its hashes and its validators, and its links are added to the build. The target of a REDIRECTED page is added to the
 * build; if Location is no http or https URL, the page becomes FAILED with OUTCOME_NOWHERE. An HTML page whose text does not
 * match `topic` (page_topic_matches(); NULL: every text does) has no links, and is_off_topic. Requisites that are no links
 * (settings.requisites) are collected in `requisites`, whose memory *head points to until the next call. */
void page_fill(struct page_build *b, struct page_build *requisites, struct fetch_page *head, const struct transfer *t,
	const regex_t *topic);

/* The part of page_fill() that reads what a stranger has written, and that needs nothing but memory: the links, the texts, the
 * words. It may be done by another process (fetch/page_jail.h). */
void page_read(struct page_build *b, struct page_build *requisites, struct fetch_page *head, const struct transfer *t,
	const regex_t *topic);

/* The part that comes first: the digest of the body. */
void page_hash(struct fetch_page *head, const struct transfer *t);

/* The rest of page_fill(): validators, how many sitemaps and feeds the origin may name, and what commands are shown. */
void page_complete(struct page_build *b, struct fetch_page *head, const struct transfer *t);

/* Says whether the robots.txt of its origin names a page, whose media type does not say what it is, as a sitemap. */
int page_is_announced(const struct transfer *t);

/* An HTML page is a shell if it has a script, at most PAGE_SHELL_LINKS links, no frame, and less than PAGE_SHELL_TEXT bytes of
 * visible text, noscript included: what a reader sees is made by its scripts, which the crawl does not run. */
#define PAGE_SHELL_LINKS 2
#define PAGE_SHELL_TEXT  200

/* The line by which a page is shown to a score command (fetch/scorer.h): one JSON object without a line break in it.
 *
 *     {"url":"http://example.org/","status":200,"type":"text/html; charset=utf-8","body":"PGh0bWw+..."}
 *
 * `type` is the Content-Type of the answer, or null. `body` is the decompressed body in base64, since a body may be in any
 * encoding. Bytes of URL and type that are not UTF-8 become '?'. */
struct score_page {
	const char *url;  /* canonical */
	unsigned status;  /* HTTP */
	const char *type; /* NULL: the answer has no Content-Type */
	const char *body; /* n bytes */
	size_t n;
};

/* Appends the line of a page, with its line feed. */
void score_line_add(struct buf *out, const struct score_page *);

#define PAGE_TOPIC_MAX_LINE 4096         /* bytes that are matched at once; a longer line is cut at a blank */
#define PAGE_TOPIC_MAX_TEXT (256 * 1024) /* bytes of text that are looked at */

/* Says whether the title or a line of the visible text (parser/html_text.h) of an HTML document of n bytes matches. The bounds
 * above bound the time. Any thread may call. */
int page_topic_matches(const regex_t *, const char *title, const char *text, size_t n);

#endif
