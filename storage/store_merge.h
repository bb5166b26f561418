/* Makes one store of several: of the stores of a crawl's agents, or of crawls that were made apart.
 *
 *	err = store_open(&into, "all", STORE_WRITE, why);             an empty store
 *	err = store_merge(into, from, 2, &counts, why);
 *	store_drop(into);
 *
 * The stores' logs are read side by side, entry by entry, in the order of time, and what they tell of pages is written into
 * the new log as if one crawl had done it. So the pages of the new store have the ids 0, 1, 2 ... in the order in which
 * any of the crawls discovered them, and the invariants of a store hold (doc/formats.md).
 *
 * A page that several stores have is one page. What counts is:
 *   - how it ended first, if it was crawled or redirected; a later crawl of it counts as a visit, and its links are left out
 *   - else how it ended last, if it failed, was refused at its turn, or was removed by a change of scope
 *   - else that it is queued, if a store has it queued: scope may have refused it in the others
 * A page that one store has refused is queued again by a later seed of another.
 *
 * Kept are pages, results, links with their kinds, seeds, later visits (storage/store_merge.c), and the settings that are the same
 * in all stores. Left out are retries and sittings, changes of policy and scope, and the robots.txt of origins, which is a cache.
 * The time of an entry is that of the page's result, or of the last entry before it that has a time; clocks of different machines
 * are taken as they are. */
#ifndef STORAGE_STORE_MERGE_H
#define STORAGE_STORE_MERGE_H

#include "storage/store.h"

struct store_merge_counts {
	uint32_t pages;    /* of the new store */
	uint32_t crawled;  /* of them */
	uint32_t repeated; /* crawls of pages that were left out, since another store had crawled the page earlier */
};

/* Merges n >= 1 stores, open for reading, into an empty store that is open for writing, and commits. Memory: 9 bytes for each page
 * of the stores, and what merge_visits(), store_result() and store_links() take. Returns 0; or an error of the stores' functions,
 * after which the new store is incomplete. */
int store_merge(struct store *into, struct store *const *from, size_t n, struct store_merge_counts *,
	struct err_note *why) MUST_USE;

/* What was done about the records that a damaged store lacks. */
struct store_lost {
	uint32_t pages;   /* whose URL is lost: they are left out */
	uint32_t links;   /* to these pages, which are left out */
	uint32_t results; /* of pages that the log says have ended: made anew from the log, without digest, type and title */
	uint32_t again;   /* pages that are queued again: their links, or where they were redirected to, are lost */
	uint32_t entries; /* ends of pages that the log does not tell any more: made anew from the results */
};

/* What a rebuilt store is for: a crawl that goes on, for which a page whose links are lost is queued again; or reading, for which
 * the page stays crawled, without links. Nothing is made up for a reader: a page whose result is lost has one without status and
 * time. */
enum store_rebuilt { STORE_REBUILT_TO_CRAWL, STORE_REBUILT_TO_READ };

/* Writes what can be read of a damaged store into an empty one, and commits. It is a merge of one store, in which sittings, and
 * changes of policy and scope are kept, and robots.txt files. What cannot be read is made anew from the other records where these
 * tell it; a page that was crawled and whose links cannot be read is queued again. A store of one of a crawl's agents becomes one
 * of a crawl by itself, since the letters between the agents are left out. Returns as store_merge() does. */
int store_rebuild(struct store *into, struct suspect *from, enum store_rebuilt, struct store_lost *, struct err_note *why) MUST_USE;

#endif
