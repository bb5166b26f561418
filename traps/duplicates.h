/* Duplicates: pages whose content the crawl has had before under another URL.
 *
 * A page is a duplicate where another of the crawl has the same bytes, and a near-duplicate where another
 * has the same fingerprint (parser/fingerprint.h); where `near` is not 0, also where its simhash is near
 * to that of one of the last four of its shape. A near-duplicate that leads out of the crawl to a URL
 * that no page has led to before is none: two reports in the same words on two sites are two reports. */
#ifndef TRAPS_DUPLICATES_H
#define TRAPS_DUPLICATES_H

#include "base/map.h"
#include "parser/url.h"

struct duplicates {
	uint32_t near; /* bits in which simhashes of near-duplicates differ at most, and one; 0: off */
	struct map contents;
	struct map counts; /* of pages, by host, by folder at a host's root, and by domain */
	struct map shared; /* pages that a duplicate in another folder was found of */
	struct map shapes; /* where `near` is not 0 */
};

/* What tells a page's content from another's; 0 says nothing. */
struct page_marks {
	uint64_t digest[2];
	uint64_t fingerprint, simhash;
};

/* Where a page stands: hashes of its host, of its folder at the host's root, and of its registrable
 * domain, no two of which are equal. */
struct page_stand {
	uint64_t host, root, domain;
};

/* What a page is a duplicate of: the first page with its content, itself where its content is new. */
struct page_copied {
	int is_copy;
	uint32_t first;
	struct page_stand stand; /* of the first */
	int is_first_of_host, is_first_of_domain;
};

void duplicates_init(struct duplicates *, uint32_t near);
void duplicates_release(struct duplicates *);

/* A page has come, with so many links out of the crawl that are new. */
struct page_copied duplicates_add(struct duplicates *, uint32_t id, const struct url *,
	const struct page_stand *, const struct page_marks *, size_t new_outside);

/* Pages of a host, a folder or a domain; those of them that were no duplicates; and those of the latter that no
 * page elsewhere was found to be a duplicate of (outside the folder, or outside the host). */
struct duplicates_counts {
	uint32_t pages, own, alone;
};
struct duplicates_counts duplicates_count(const struct duplicates *, uint64_t stand);

#endif
