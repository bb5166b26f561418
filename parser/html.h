/* Reads from an HTML document the facts that a crawler needs: the links in document order, the base
 * URL, the charset, the refresh, the canonical link, the robots directives, the title and the
 * language.
 *
 *	struct html_page page;
 *	html_read(body, n, &address, "text/html", 1 << LINK_A, 1000, on_link, ctx, &page);
 *	html_page_release(&page); */
#ifndef PARSER_HTML_H
#define PARSER_HTML_H

#include "base/buf.h"
#include "base/outcome.h"
#include "parser/link_kind.h"
#include "parser/url.h"

#include <stddef.h>

/* Receives one link; html_read() calls the function for each link in document order, duplicates
 * included. `target` is a canonical URL that is valid during the call only, and so is `anchor`, the
 * text of the link (HTML_ANCHORS). The function returns 0 to continue. Otherwise no more requisites are
 * reported, if `target` is one, and else no more links. */
typedef int html_link_fn(void *ctx, const struct url *target, unsigned kind_and_flags, const char *anchor);

struct html_page {
	struct url base;  /* the document's base URL, with its base element applied */
	char charset[32]; /* the WHATWG name of the encoding, in lower case */
	int has_refresh;
	double refresh_seconds;
	struct url refresh;   /* the target of the refresh */
	unsigned robots;      /* a mask of enum html_robots, from the meta robots elements */
	uint16_t usage;       /* what meta robots and tdm-reservation ask of users (parser/usage.h) */
	struct url canonical; /* the target of link rel=canonical; text.used is 0 if none */
	uint64_t links;       /* the number of links that were reported, requisites apart */
	/* The text of the first title element, in UTF-8, with white space collapsed and without control
	 * characters; cut behind a whole character; "" if there is none. Deviation: character references
	 * are resolved by the rules for attributes. */
	char title[ABOUT_TITLE];
	char language[ABOUT_LANGUAGE]; /* lang of the html element, if it is a possible tag; or "" */
	struct buf text;               /* the visible text (HTML_TEXT; parser/html_text.h), in UTF-8; or empty */
};

/* A flag to or to the `kinds` of html_read(), for a caller that needs each distinct link once.
 * With this flag, html_read() may skip an a or area element whose href is byte for byte the href
 * of an earlier element of the same kind with the same rel=nofollow. A skipped element is neither
 * reported nor counted in html_page.links, and its href is not resolved, which saves most of the
 * resolving on a page whose menus and footers repeat their links. The first occurrence of a link
 * is never skipped, so the order and the kinds of the distinct links stay the same. Some
 * duplicates are still reported, because html_read() remembers a limited number of references. */
#define HTML_DISTINCT (1u << 31)

/* A flag to or to the `kinds` of html_read(), for a caller that needs the anchor texts of links: the text
 * of an a element in UTF-8, with white space collapsed and without control
 * characters, cut behind a whole character at LINK_ANCHOR - 1 bytes. Links of other elements have the
 * text "", and so has every link without this flag. */
#define HTML_ANCHORS (1u << 30)

/* A flag to or to the `kinds` of html_read(), for a caller that needs the text as a reader of the page has it before him. */
#define HTML_TEXT (1u << 29)

enum html_robots { HTML_NOINDEX = 1, HTML_NOFOLLOW = 2 };

/* Frees the URLs and the text of a page. */
void html_page_release(struct html_page *);

/* Reads a document of n bytes that was fetched from `address`, fills *page and calls `on_link` for
 * its links. `content_type` is the value of the Content-Type header, or NULL. `kinds` is a mask of
 * 1 << enum link_kind; only links of these kinds are reported, and at most `max_links` of them, requisites apart. The
 * first base element sets the base URL, for the links before the element as well. The function
 * overwrites *page without releasing its former URLs, and never fails: any bytes are a document.
 * Memory: O(longest attribute) beside `page`; a decoded copy of the whole text as well if the
 * encoding hides the tags (UTF-16, ISO-2022-JP). Time: linear.
 * Deviation: the function builds no tree; html.c says which part of the tree construction it
 * follows. A frameset does not withdraw the links of an empty body before it, and a frame counts
 * wherever it stands. */
void html_read(const char *bytes, size_t n, const struct url *address, const char *content_type, unsigned kinds, uint64_t max_links,
	html_link_fn *on_link, void *ctx, struct html_page *page);

#endif
