/* The facts of a store's pages that no single record has: they are gathered from the log and from all links.
 *
 *	export_facts_read(&facts, store, EXPORT_FACTS_ALL, why);
 *	facts.found_on[id] ...
 *	export_facts_release(&facts);
 *
 * Memory: 14 bytes for each page. */
#ifndef CLI_EXPORT_EXPORT_FACTS_H
#define CLI_EXPORT_EXPORT_FACTS_H

#include "storage/store.h"

struct export_facts {
	uint32_t pages;
	uint8_t *refusal;      /* by page: see endings_refusals() */
	uint8_t *is_seed;      /* by page; NULL, as the arrays below, if they were not asked for */
	uint32_t *found_on;    /* the page by whose links or redirect it was discovered; STORE_NO_PAGE: none, or not known */
	uint32_t *crawl_order; /* 1 for the page that was crawled first; 0: not crawled */
	uint32_t *linked_from; /* the number of crawled pages that link to it */
};

enum export_facts_part { EXPORT_FACTS_REFUSALS, EXPORT_FACTS_ALL };

/* Gathers the facts of a store that is open for reading. It lets go of the store from time to time. Returns 0 or
 * ERR_DAMAGED; the caller releases the struct in each case. */
int export_facts_read(struct export_facts *, struct store *, enum export_facts_part,
	struct err_note *why) MUST_USE;

/* Frees the memory. */
void export_facts_release(struct export_facts *);

#endif
