/* The kinds of links, and the one table of them: which are followed by default, and why.
 *
 *	kind = link_kind_of(rel, type, has_hreflang);        of a link element or a Link header
 *	mask = 1u << kind;
 *	puts(link_kinds[kind].name); */
#ifndef PARSER_LINK_KIND_H
#define PARSER_LINK_KIND_H

#include "parser/html_token.h"

/* By what a kind is followed: by default, or if --follow names it; or as another flag says. */
enum link_use { LINK_BY_DEFAULT, LINK_IF_NAMED, LINK_BY_FLAG };

/* A row is a kind: its name in the code; its name in --follow, in exports and in what 'store explain' prints; its use; what the
 * document has; and the reason of the default, or the flag. The order is that of the bytes in stores: a new kind comes last.
 * html_read() does not report "redirect", "sitemap", "feed" and "made-up", and fills html_page.canonical instead of reporting
 * "canonical". */
/* clang-format off */
#define LINK_TABLE(ROW) \
	ROW(A, "a", LINK_BY_DEFAULT, "a[href]", "a reader clicks on it") \
	ROW(AREA, "area", LINK_BY_DEFAULT, "area[href]", "a reader clicks on it in an image") \
	ROW(FRAME, "frame", LINK_BY_DEFAULT, "frame[src], iframe[src]", "a browser shows it as a part of the page") \
	ROW(LINK, "link", LINK_IF_NAMED, "link[href] of other relations", "styles, icons and hints are no pages") \
	ROW(REFRESH, "refresh", LINK_BY_DEFAULT, "meta refresh, the Refresh header", "a browser goes there") \
	ROW(REDIRECT, "redirect", LINK_BY_FLAG, "the Location header", "--max-redirect says how many") \
	ROW(SITEMAP, "sitemap", LINK_IF_NAMED, "an entry of a sitemap", "--follow-sitemaps names it, too") \
	ROW(FEED, "feed", LINK_BY_DEFAULT, "an item of a feed", "a feed reader opens it") \
	ROW(CANONICAL, "canonical", LINK_BY_FLAG, "link[rel=canonical] to another URL", "--heed canonical follows it") \
	ROW(REQUISITE, "requisite", LINK_BY_FLAG, "img, script, style ...", "--requisites fetches it") \
	ROW(ALTERNATE, "alternate", LINK_BY_DEFAULT, "link[rel=alternate] to a feed", "it names pages that menus no longer do") \
	ROW(NEXT, "next", LINK_BY_DEFAULT, "link[rel=next], link[rel=prev]", "the parts of a list belong together") \
	ROW(HREFLANG, "hreflang", LINK_BY_DEFAULT, "link[rel=alternate][hreflang]", "translations are pages of the site") \
	ROW(SRCDOC, "srcdoc", LINK_BY_DEFAULT, "a link within iframe[srcdoc]", "a browser shows it as a part of the page") \
	ROW(OBJECT, "object", LINK_IF_NAMED, "object[data], embed[src]", "most are films and applets") \
	ROW(MADE_UP, "made-up", LINK_BY_FLAG, "nothing: lycosa makes the address up", "--trap-opt soft-404=0 asks for none")
/* clang-format on */

enum link_kind {
#define LINK_ENUM(id, ...) LINK_##id,
	LINK_TABLE(LINK_ENUM)
#undef LINK_ENUM
		LINK_KINDS
};

/* The kinds that are followed by default, as a mask of 1 << enum link_kind. */
#define LINK_MASK(id, name, use, ...) | ((use) == LINK_BY_DEFAULT ? 1u << LINK_##id : 0u)
#define LINK_DEFAULTS                 (0u LINK_TABLE(LINK_MASK))

/* A flag that is or'ed to the kind of a link: the link has rel=nofollow. */
enum link_flag { LINK_NOFOLLOW = 0x80 };

struct link_kind_row {
	const char *name;
	enum link_use use;
	const char *element, *why;
};

extern const struct link_kind_row link_kinds[LINK_KINDS];

/* Returns the kind of a link element or of an element of a Link header by its relations (words), its media type and whether it has
 * a hreflang, all decoded. */
enum link_kind link_kind_of(struct html_text rel, struct html_text type, int has_hreflang);

/* Receives a link of a header: the reference as it stands there, and its kind. Returns 0 to continue. */
typedef int link_header_fn(void *ctx, struct html_text reference, enum link_kind kind);

/* Reads the value of a Link header (RFC 8288), or of several with commas between: calls `each` for the links whose relation has a
 * kind of its own (LINK_CANONICAL, LINK_ALTERNATE, LINK_NEXT, LINK_HREFLANG), until a call returns a value other than 0. A link
 * with an anchor parameter is about another page, and is passed over. */
void link_header_read(const char *value, size_t n, link_header_fn *each, void *ctx);

#endif
