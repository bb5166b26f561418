/* The links of a page on their way into a fetch_page: distinct, in document order, in scratch memory that serves page
 * after page; then everything in one block of memory. A thread has one.
 *
 *     page_build_add(&b, &target, LINK_A);  ...
 *     struct fetch_page *page = page_build_take(&b, &head);
 */
#ifndef FETCH_PAGE_BUILD_H
#define FETCH_PAGE_BUILD_H

#include "base/buf.h"
#include "fetch/fetch.h"
#include "parser/url_rules.h"

#define PAGE_MAX_TEXT (16u << 20) /* bytes of a page's distinct links; those beyond are dropped */

struct page_link {
	uint32_t start; /* in text; host and host_end from there */
	uint32_t host, host_end;
	uint8_t kind;
};

struct page_slot {
	uint64_t hash;
	uint32_t link;
	uint32_t epoch; /* in use where it is the build's */
};

struct page_build {
	uint32_t max_links, n;
	uint64_t key;       /* of the hash, so that a page cannot know it */
	unsigned rules;     /* of parser/url_rules.h, which targets pass first; set after init */
	struct url changed; /* scratch: a target by the rules */
	struct buf text;
	struct page_link *link;
	size_t room;
	struct page_slot *slot;
	size_t mask;
	uint32_t epoch;
};

void page_build_init(struct page_build *b, uint32_t max_links, uint64_t key);
void page_build_release(struct page_build *b);

/* Adds a link, unless the page has it; the kind of the first occurrence stays. Returns 0, or 1 where the page takes
 * no more links. */
int page_build_add(struct page_build *b, const struct url *target, unsigned kind);

/* Makes a page of the fields of *head and the links added, and forgets the links. */
struct fetch_page *page_build_take(struct page_build *b, const struct fetch_page *head);

/* Forgets the links added. */
void page_build_reset(struct page_build *b);

#endif
