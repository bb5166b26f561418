/* Sitemaps: XML (urlset and sitemapindex), the feeds that the protocol allows in its stead (RSS,
 * Atom), plain text a URL a line; gzip is unpacked, capped. What the bytes are they tell
 * themselves, `content_type` only their encoding.
 *
 * References are resolved against the sitemap's address; one that begins with its host lacks its
 * scheme. In plain text a line that has no scheme is dropped. Elements of other vocabularies (images, videos) are passed over. Entities of HTML are
 * themselves and ampersands that begin no reference too, unless there is a document type: what it
 * declares is neither expanded nor fetched. Memory: twice the text unpacked and decoded; up to six
 * times as far as it is ampersands. */
#ifndef PARSER_SITEMAP_H
#define PARSER_SITEMAP_H

#include "parser/url.h"

enum sitemap_entry { SITEMAP_URL, SITEMAP_INDEX };

/* Called for each entry in order; `target` is the callee's for the call only. 0 to go on. */
typedef int sitemap_fn(void *ctx, const struct url *target, enum sitemap_entry kind);

#define SITEMAP_MAX_BYTES (50u << 20) /* unpacked; what lies beyond is not read */
#define SITEMAP_MAX_URLS  50000u

/* Returns 0, or -1 where the bytes are no sitemap at all (entries before the damage are told). */
int sitemap_read(const char *bytes, size_t n, const struct url *address, const char *content_type,
	sitemap_fn *on_entry, void *ctx);

#endif
