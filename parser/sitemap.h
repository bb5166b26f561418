/* The reader of sitemaps and feeds: XML (urlset and sitemapindex), RSS 0.9 to 2.0, Atom, JSON Feed, and plain text with one URL a
 * line; any of them may be packed with gzip.
 *
 *	static int on_entry(void *ctx, const struct url *target, enum sitemap_entry kind, int64_t changed) { ... }
 *	if (sitemap_read(body, n, &address, "application/xml", on_entry, ctx) < 0)
 *		log_say("this is no sitemap");
 *
 * The reader recognises the format from the bytes; it takes only the encoding from `content_type`. It resolves references against
 * the sitemap's address; if a reference begins with the address's host, the reader supplies the missing scheme. It drops a line of
 * plain text that has no scheme. It skips elements of other vocabularies (images, videos). An entry of a feed is the address of an
 * item: a link of RSS, or its guid if that is a permanent address and there is no link; the alternate links of an Atom entry; the
 * url and the external_url of JSON Feed; and besides the next part of the feed (RFC 5005, next_url). xml:base is heeded. Unless the
 * sitemap has a document type declaration, the reader resolves HTML's named entities, and takes an ampersand that begins no
 * reference literally. It neither expands nor fetches the entities that a document type declares. Memory: twice the unpacked and
 * decoded text; up to six times the part that is ampersands. */
#ifndef PARSER_SITEMAP_H
#define PARSER_SITEMAP_H

#include "parser/url.h"

enum sitemap_entry { SITEMAP_URL, SITEMAP_INDEX };

/* Says whether the bytes of a document show that it is a feed, whatever its media type: the root element of RSS, that of Atom with
 * its namespace, RDF with the namespace of RSS, or a JSON Feed. The function looks for the root element in the first 64 KiB, so
 * most documents cost a few comparisons, and a JSON document a search. */
int sitemap_is_feed(const char *bytes, size_t n);

/* Receives one entry; sitemap_read() calls the function for each entry in order. `target` is valid
 * during the call only. `changed` is the sitemap_date() of the entry's lastmod behind its loc or before it, or SITEMAP_UNDATED. The
 * function returns 0 to continue. */
typedef int sitemap_fn(void *ctx, const struct url *target, enum sitemap_entry kind, int64_t changed);

#define SITEMAP_UNDATED INT64_MIN

/* Returns the last second, since 1970, that a date of the W3C's form may mean: YYYY, YYYY-MM, YYYY-MM-DD, or a day with the time
 * Thh:mm, Thh:mm:ss or Thh:mm:ss.f and Z, +hh:mm or -hh:mm. Where the zone is missing, that is the zone farthest west; a year
 * counts 366 days, and a month 31. Blanks around the date are ignored. Any other text is SITEMAP_UNDATED. */
int64_t sitemap_date(const char *text, size_t n);

/* The reader ignores all unpacked bytes behind the first SITEMAP_MAX_BYTES. */
#define SITEMAP_MAX_BYTES (50u << 20)
/* The most entries of one sitemap. */
#define SITEMAP_MAX_URLS 50000u

/* Reads a sitemap of n bytes that was fetched from `address`, and reports its entries. Returns 0,
 * or -1 if the bytes are no sitemap at all. The entries before damaged XML are reported. */
int sitemap_read(const char *bytes, size_t n, const struct url *address, const char *content_type, sitemap_fn *on_entry, void *ctx);

#endif
