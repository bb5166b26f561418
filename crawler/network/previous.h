/* The comparison with an earlier crawl of the same sites (--previous): a page that was crawled there is requested only if it
 * has changed since, and if it has not, its links and digest are taken from the earlier crawl's store. This is a part
 * of the network source:
 *
 *	request.since = previous_validators(&p, &page);      before the page is submitted
 *	if (fetched->status == 304)
 *		fetched = previous_take(&p, &page, fetched); */
#ifndef CRAWLER_PREVIOUS_H
#define CRAWLER_PREVIOUS_H

#include "fetch/page_build.h"
#include "storage/store.h"

struct previous {
	struct store *store; /* the earlier crawl's, open for reading; NULL if there is none */
	int with_anchors;    /* set by the caller after previous_init(): 1: the links have the anchor texts of the earlier crawl */
	struct page_build build;
	struct url url; /* scratch memory */
};

/* Prepares to compare with a store, or with nothing (NULL). The store must outlive the struct. `rules` is the mask of
 * parser/url_rules.h by which this crawl rewrites links. */
void previous_init(struct previous *p, struct store *store, unsigned rules);

/* Frees the memory. */
void previous_release(struct previous *p);

/* Returns the validators for a conditional request of a page: those of the earlier crawl, or none if it has not crawled the
 * page or the server had sent none. The ETag belongs to the earlier store and is valid until the next call that
 * reads from it. */
struct validators previous_validators(struct previous *p, const struct store_page *page);

/* Completes a page for which the server has answered that it has not changed: returns a page with the fields of `fresh` and
 * with the links, digest, fingerprint and simhash of the earlier crawl, and its validators if the answer has none. The
 * function takes ownership of `fresh`; the caller owns the result (which is `fresh` if the earlier crawl does not have
 * the page after all). */
struct fetch_page *previous_take(struct previous *p, const struct store_page *page, struct fetch_page *fresh);

#endif
