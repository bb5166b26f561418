/* What a crawler wants of a document: its links in order, base, charset, refresh, robots. */
#ifndef PARSER_HTML_H
#define PARSER_HTML_H

#include "base/buf.h"
#include "parser/url.h"

enum link_kind {
	LINK_A,         /* a[href] */
	LINK_AREA,      /* area[href] */
	LINK_FRAME,     /* frame[src], iframe[src] */
	LINK_LINK,      /* link[href] */
	LINK_REFRESH,   /* meta refresh */
	LINK_REDIRECT,  /* an HTTP redirect; never from a document */
	LINK_SITEMAP,   /* from a sitemap; never from a document */
	LINK_FEED,      /* from a feed; never from a document */
	LINK_CANONICAL, /* link[rel=canonical] to another URL; never reported: see html_page */
	LINK_KINDS
};

enum link_flag { LINK_NOFOLLOW = 0x80 }; /* or'ed to a kind: rel=nofollow */

/* Called for each link in document order, duplicates included: a canonical URL, the callee's for
 * the call only. Returns 0 to go on. */
typedef int html_link_fn(void *ctx, const struct url *target, unsigned kind_and_flags);

struct html_page {
	struct url base;  /* the document's base after <base> */
	char charset[32]; /* WHATWG name in lower case */
	int has_refresh;
	double refresh_seconds;
	struct url refresh;   /* its target */
	unsigned robots;      /* enum html_robots, from meta robots */
	struct url canonical; /* link rel=canonical; text.used 0 where none */
	uint64_t links;       /* calls made */
};

/* Put to `kinds`: a reference that was written before in the document, with the same flags, may be
 * passed over: not called for, nor counted. For whom only the distinct links count, in the order and
 * of the kind of the first one; so most of a page's need not be resolved. */
#define HTML_DISTINCT (1u << 31)

enum html_robots { HTML_NOINDEX = 1, HTML_NOFOLLOW = 2 };

void html_page_release(struct html_page *);

/* Reads a document of n bytes fetched from `address`. `content_type` is the header's value or NULL.
 * `kinds` is a mask of 1 << enum link_kind: only those links are reported. At most `max_links` are.
 * The base is that of the first base element, for links before it as well.
 * Memory: O(longest attribute), beside `page`; the whole text again where its encoding hides its
 * tags (UTF-16, ISO-2022-JP). Time: linear. Never fails: any bytes are a document.
 * Deviation: no tree is built; html_tree.h tells what is known of it. A frameset does not take the
 * links back that an empty body before it had; a frame counts anywhere. */
void html_read(const char *bytes, size_t n, const struct url *address, const char *content_type,
	unsigned kinds, uint64_t max_links, html_link_fn *on_link, void *ctx,
	struct html_page *page);

#endif
