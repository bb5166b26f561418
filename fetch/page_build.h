/* Collects the distinct links of a page in document order, and makes the page: one block of memory with its fields and
 * links. The scratch memory is reused for page after page; each thread has a struct of its own.
 *
 *     page_build_add(&b, &target, LINK_A, "");  ...
 *     struct fetch_page *page = page_build_take(&b, &head);
 */
#ifndef FETCH_PAGE_BUILD_H
#define FETCH_PAGE_BUILD_H

#include "base/buf.h"
#include "fetch/fetch.h"
#include "parser/url_rules.h"

#define PAGE_MAX_TEXT (16u << 20) /* bytes of a page's distinct links; further links are dropped */

struct page_link {
	uint32_t start;          /* position in `text` */
	uint32_t host, host_end; /* relative to start */
	uint32_t changed;        /* of an entry of a sitemap: when the page has changed, as it says, s since 1970; 0: unknown */
	uint8_t kind;
};

struct page_slot {
	uint64_t hash;
	uint32_t link;
	uint32_t epoch; /* the slot is in use if this is the epoch of the struct page_build */
};

struct page_build {
	uint32_t max_links, n;
	uint64_t key;       /* a secret seed of the hash, so that no page can choose colliding links */
	unsigned rules;     /* a mask of parser/url_rules.h, applied to targets; set by the caller after init */
	struct url changed; /* scratch memory: a target after the rules */
	struct buf text;
	struct buf anchors; /* the anchor texts of the links, each with its NUL; empty until a link has one */
	struct buf line;    /* scratch memory: the line of a page for the score command */
	struct buf shown;   /* scratch memory: the URL and the body of a page for the runner */
	struct page_link *link;
	size_t room;
	struct page_slot *slot;
	size_t mask;
	uint32_t epoch;
};

/* Prepares for pages with at most max_links distinct links. `key` becomes the seed of the hash. */
void page_build_init(struct page_build *b, uint32_t max_links, uint64_t key);

/* Frees the memory. */
void page_build_release(struct page_build *b);

/* Adds a link to a canonical URL, unless the page has a link to this URL already; the first link's kind and anchor text are kept.
 * `anchor` is shorter than LINK_ANCHOR, and "" for none. Returns 0, or 1 if the page can have no more links. */
int page_build_add(struct page_build *b, const struct url *target, unsigned kind, const char *anchor);

/* Returns a page with the fields of *head, copies of the texts that these point to, and the collected links; the caller
 * frees it with fetch_page_free(). The list of links is then empty. */
struct fetch_page *page_build_take(struct page_build *b, const struct fetch_page *head);

/* Drops the links for which keep(ctx, url, n, kind) is 0; it is called for every link, in their order. No link can be added
 * afterwards before page_build_reset(). */
void page_build_filter(struct page_build *b, int (*keep)(void *ctx, const char *url, size_t n, unsigned kind), void *ctx);

/* The size of a list of links that passes from one process to another. */
struct page_cargo {
	uint32_t n;               /* links */
	size_t text_n, anchors_n; /* bytes */
};

/* The most bytes that the list of a page with max_links links takes. */
size_t page_build_most(uint32_t max_links);

/* Writes the list of links to `to`, and its size to *cargo. Returns the end of what was written. */
char *page_build_put(const struct page_build *b, struct page_cargo *cargo, char *to);

/* Replaces the list of links by one of this size. Returns where it ends; or NULL if it is none that page_build_put() can have
 * written of canonical URLs and clean texts: then the list is empty. Whoever has written it need not be trusted, but must not
 * change it meanwhile. No link can be added afterwards before page_build_reset(). */
const char *page_build_load(struct page_build *b, const struct page_cargo *cargo, const char *from);

/* Says whether n bytes are UTF-8 without control characters. */
int page_text_is_clean(const char *text, size_t n);

/* Makes the list of links empty. */
void page_build_reset(struct page_build *b);

#endif
