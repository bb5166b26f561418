/* Duplicates: crawled pages whose content an earlier page of the crawl has under another URL.
 *
 * A page is an exact duplicate if an earlier page has the same digest. It is a near-duplicate if an earlier page has the
 * same fingerprint (parser/fingerprint.h), or, with `near` > 0, if its simhash differs in fewer than `near` bits from
 * that of one of the last four pages whose URLs have the same shape (parser/shape.h). A page is not a near-duplicate if
 * it links to a URL out of the crawl that no page has linked to before: two reports with the same words on two sites are
 * two reports. Both kinds are called *duplicates* below, and the earlier page is the *original*.
 *
 *	duplicates_init(&d, 0);
 *	met = (struct page_met){.id = id, .url = &url, .stand = stand, .marks = &marks, .stand_of = stand_of, .ctx = ctx};
 *	copied = duplicates_add(&d, &met);
 *	if (copied.is_copy) ...                              page id is a duplicate of page copied.first
 *
 * One thread uses a struct duplicates. Memory: 14 to 16 bytes for each digest and fingerprint, 23 to 27 for each first folder, host
 * and domain. */
#ifndef TRAPS_DUPLICATES_H
#define TRAPS_DUPLICATES_H

#include "base/map.h"
#include "parser/url.h"

struct duplicates {
	uint32_t near;       /* simhashes of near-duplicates differ in fewer bits than this; 0: they are not compared */
	struct map contents; /* by digest and by fingerprint: the first page with this content */
	struct map counts;   /* by host, by first folder, and by domain: counts of pages */
	struct map shared;   /* by page: originals that have a duplicate in another folder or on another host */
	struct map led;      /* by page: which family of duplicates was the first to lead to it, if no other page has */
	struct map shapes;   /* by shape of a URL: the last simhashes, if `near` > 0 */
};

/* The hashes of a page's content; a hash of 0 is unknown and equals no other. */
struct page_marks {
	uint64_t digest[2];
	uint64_t fingerprint, simhash;
	uint64_t bytes; /* of the body as it was transferred */
};

/* The location of a page: hashes of its host, of the first folder of its path on this host, of its registrable domain, and of its
 * family (shape_family()). The caller makes the hashes different even if their texts are equal. */
struct page_stand {
	uint64_t host, root, domain, family;
};

/* A page that was crawled. */
struct page_met {
	uint32_t id;
	const struct url *url;
	struct page_stand stand;
	const struct page_marks *marks;
	size_t new_outside; /* its links to URLs out of the crawl that no page has linked to before */
	/* Writes the host and the first folder of an earlier page into *out: of the original, if the page is a duplicate. Only then
	 * it is called, once. Returns 1, or 0 if the page has no sound URL: then it counts as one in the same place. */
	int (*stand_of)(void *ctx, uint32_t id, struct page_stand *out);
	void *ctx;
};

/* The result of duplicates_add(). */
struct page_copied {
	int is_copy; /* 1: the page is a duplicate */
	int is_same; /* 1: it has the bytes of the original */
	/* the first page with the digest, or, of a near-duplicate, with the fingerprint; the page itself if its content
	 * is new, or known only by its simhash */
	uint32_t first;
	struct page_stand stand;                  /* the host and first folder of page `first` */
	int is_first_of_host, is_first_of_domain; /* 1: no page of the host, or domain, was added before */
};

/* Makes an empty table. `near` is the field of struct duplicates. */
void duplicates_init(struct duplicates *, uint32_t near);

/* Frees the memory. */
void duplicates_release(struct duplicates *);

/* Adds a page that was crawled, and says whether it is a duplicate of an earlier one. */
struct page_copied duplicates_add(struct duplicates *, const struct page_met *);

/* Counts of the pages that were added for one host, first folder, domain or family. */
struct duplicates_counts {
	uint32_t pages; /* all pages */
	uint32_t own;   /* the pages that were no duplicates when they were added */
	uint32_t alone; /* the `own` pages without a duplicate outside the folder, or outside the host */
};

/* Returns the counts for a hash of struct page_stand. */
struct duplicates_counts duplicates_count(const struct duplicates *, uint64_t stand);

/* Says whether nearly all pages of a host are duplicates (three of four), or none is crawled. Such a host is *hollow*. */
int duplicates_is_hollow(const struct duplicates_counts *host);

/* Notes that the first page to link to page `id` is a duplicate of this family (struct page_stand). */
void duplicates_lead(struct duplicates *, uint32_t id, uint64_t family);

/* Returns this family if all pages that link to page `id` are duplicates, or 0. */
uint64_t duplicates_leader(const struct duplicates *, uint32_t id);

/* Notes that a page that is no duplicate links to page `id`. Returns 1 if only duplicates did before. */
int duplicates_trust(struct duplicates *, uint32_t id);

#endif
