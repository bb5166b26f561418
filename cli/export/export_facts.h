/* The facts of a store's pages that no single record has: they are gathered from the log and from all links.
 *
 *	export_facts_read(&facts, store, EXPORT_FACTS_ALL, why);
 *	facts.found_on[id] ...
 *	export_facts_release(&facts);
 *
 * Memory: 18 bytes for each page, and 8 for each host. */
#ifndef CLI_EXPORT_EXPORT_FACTS_H
#define CLI_EXPORT_EXPORT_FACTS_H

#include "refresh/rates.h"
#include "storage/store.h"

struct export_facts {
	uint32_t pages;
	uint8_t *refusal;      /* by page: see endings_refusals() */
	uint8_t *is_seed;      /* by page; NULL, as the arrays below, if they were not asked for */
	uint32_t *found_on;    /* the page by whose links or redirect it was discovered; STORE_NO_PAGE: none, or not known */
	uint32_t *crawl_order; /* 1 for the page that was crawled first; 0: not crawled */
	uint32_t *linked_from; /* the number of crawled pages that link to it */
	uint32_t *links;       /* the number of its own links; 0 if it has not been crawled */
	int has_visits;        /* 1: pages were visited again */
	struct rates rates;    /* of the hosts, if has_visits, as a crawl that visits pages again estimates them */
};

enum export_facts_part { EXPORT_FACTS_REFUSALS, EXPORT_FACTS_ALL };

/* Gathers the facts of a store that is open for reading. It lets go of the store from time to time. Returns 0 or
 * ERR_DAMAGED; the caller releases the struct in each case. */
int export_facts_read(struct export_facts *, struct store *, enum export_facts_part, struct err_note *why) MUST_USE;

/* Frees the memory. */
void export_facts_release(struct export_facts *);

#endif
