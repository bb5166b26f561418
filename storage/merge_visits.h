/* The later visits of pages (storage/visits.h) of several stores that are merged, for storage/store_merge.c.
 *
 * If one store alone has crawled a page, the new store has the same visits of the page as that store. If several stores have
 * crawled a page, the new store's history of the page is made of all observations that these stores have of it, in the order of
 * time. An observation is the crawl of the page by a store, a change that a store has found, or the last visit of a store. The
 * observations before the crawl that counts are left out, and one that shows the page as the observation before it did is no
 * change. So a change that two stores have found is one. The order of the stores changes nothing. */
#ifndef STORAGE_MERGE_VISITS_H
#define STORAGE_MERGE_VISITS_H

#include "storage/store.h"

struct merge_part {
	struct store *store; /* open for reading */
	const uint32_t *id;  /* of each of its pages: its id in the new store, or STORE_NO_PAGE */
};

/* Writes the visits of all pages that are crawled in the new store, which has their results. A change that leads to a page that the
 * new store does not have is left out. Memory: a byte for each page of the new store, and 12 for each that was visited again, or
 * crawled in several stores. Returns 0 or an error of the stores. */
int merge_visits(struct store *into, const struct merge_part *, size_t n, struct err_note *why) MUST_USE;

#endif
