/* Removes duplicates from lists of pages, one list after the other. The network source uses this for the links of a
 * page, of which only the first link to each target counts.
 *
 *	distinct_begin(&d);
 *	for (i = 0; i < n; i++)
 *		if (distinct_add(&d, id[i]))
 *			links[kept++] = id[i]; */
#ifndef CRAWLER_DISTINCT_H
#define CRAWLER_DISTINCT_H

#include <stddef.h>
#include <stdint.h>

struct distinct_slot {
	uint32_t list; /* the number of the list that the id is on; the slot is free for all other lists */
	uint32_t id;
};

/* A hash table whose slots are reused from list to list without being cleared. A zeroed struct is ready. */
struct distinct {
	struct distinct_slot *slot; /* the current list fills at most half of them */
	size_t room;                /* the number of slots, a power of two or 0 */
	size_t n;                   /* the ids on the current list */
	uint32_t list;              /* the number of the current list */
};

/* Frees the memory. */
void distinct_release(struct distinct *);

/* Begins a new, empty list. */
void distinct_begin(struct distinct *);

/* Adds a page to the current list. Returns 1, or 0 if the page is on the list already. */
int distinct_add(struct distinct *, uint32_t id);

#endif
