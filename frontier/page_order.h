/* The order of pages: by key (the lowest or the highest key first, as the policy's `order` says), and by seq if the keys
 * are equal. A caller passes the order by value with each call, since the array of pages moves as it grows.
 *
 *	const struct page_order order = {pages, policy->order == POLICY_HIGHEST_FIRST ? -1 : 1};
 *	struct entry e = entry_of(order, id); */
#ifndef FRONTIER_PAGE_ORDER_H
#define FRONTIER_PAGE_ORDER_H

#include "frontier/heap.h"
#include "frontier/policy.h"

#include <assert.h>
#include <math.h>

struct page_order {
	struct page *page; /* by id; NULL: see frontier/pile.h */
	double sign;       /* -1 if the highest key is first, else 1 */
};

/* Returns an entry for a page with its present key and seq. The key is multiplied by the sign, so that the best entry is
 * always the smallest. */
static inline struct entry entry_of(struct page_order order, uint32_t id)
{
	const struct page *p = &order.page[id];

	assert(isfinite(p->key)); /* F5 */
	return entry_make(order.sign * p->key, p->seq, id);
}

/* Returns where a heap of pages writes the indexes of its members: into page[].slot. */
static inline struct heap_indexes page_slots(struct page_order order)
{
	return (struct heap_indexes){&order.page[0].slot, sizeof *order.page};
}

#endif
