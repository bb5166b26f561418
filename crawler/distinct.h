/* A list of distinct pages, one at a time: of the links of a page only the first to each page counts.
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
	uint32_t list; /* its number: of another list, the slot is free */
	uint32_t id;
};

/* All 0 at first. */
struct distinct {
	struct distinct_slot *slot; /* by id, hashed; the list of now fills half of them at most */
	size_t room;                /* a power of two, or 0 */
	size_t n;
	uint32_t list; /* the number of the list of now */
};

void distinct_release(struct distinct *);

/* Begins a list without pages. */
void distinct_begin(struct distinct *);

/* Adds a page: 1, or 0 where it is on the list already. */
int distinct_add(struct distinct *, uint32_t id);

#endif
