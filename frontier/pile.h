/* The pages queued on a host: the few thousand that come next in a heap, the others in parts, which
 * are lists without order (akin to the quickheap of Navarro and Paredes, 2010).
 *
 * Before the bound of the last part stand the pages of the heap; from the bound of part i on, and
 * before that of part i-1, those of part i. So a page that is not soon to come is four bytes at the end
 * of a list, and a change of its key does nothing unless it gets ahead of its part's bound. When the
 * heap has nothing left before the bounds, the last part is poured into it; one that the heap cannot hold
 * is cut first, at bounds sampled from all of it: its later half, the later half of the rest, and
 * so on. When the heap is full, those from about its middle on become a part. A page is looked at about
 * log2(n / PILE_TOP) / 2 times, whatever the keys are and in whatever order they came.
 *
 *  P1 a page is in the heap, page[].place being its index, or in a part, place being that part's mark.
 *     An id in a part whose place says otherwise has left it, and is skipped.
 *  P2 bounds fall from part 0 on; no page of a part is before its bound.
 *  P3 a page of the heap may be after the bounds, as one of a part may be after the bound of the part
 *     before (keys get worse, too): the heap's first is the best of all if it is before all bounds.
 *
 * The order of pages is exact, and that of (key, seq). Keys are the pages' own until they get into the
 * heap, which holds copies: see F3 in frontier/frontier.h. */
#ifndef FRONTIER_PILE_H
#define FRONTIER_PILE_H

#include "frontier/heap.h"
#include "frontier/policy.h"

/* Entries that the heap holds at most: it and their pages stay in the cache. */
#define PILE_TOP (4096 - HEAP_LEAD)

/* Places of pages in parts are this or more, and less than UINT32_MAX - 1. */
#define PILE_MARK 0x80000000u

struct part {
	struct entry bound;
	uint32_t mark; /* its number, PILE_MARK, and a bit that is turned to tell ids from copies */
	uint32_t *id;
	size_t n, room;
};

struct parts {
	struct part *part;
	size_t n, room;
	size_t ids; /* in all of them, those that have left included */
};

struct pile {
	struct heap top;
	struct parts *rest; /* NULL: there never was more than the heap holds */
	size_t n;           /* pages */
};

/* What orders pages. */
struct page_order {
	struct page *page;
	double sign; /* -1 where the highest key is first */
};

void pile_release(struct pile *);

void pile_push(struct pile *, uint32_t id, struct page_order);
/* The key of a page of the pile has changed; or those of all. */
void pile_rekey(struct pile *, uint32_t id, struct page_order);
void pile_rekey_all(struct pile *, struct page_order);
/* Takes out a page; one that is not in the pile is left alone. */
void pile_remove(struct pile *, uint32_t id, struct page_order);

/* Pours parts until the best of all is the heap's first. */
void pile_open(struct pile *, struct page_order);

/* Whether the heap's first, where there is one, is the best of all. */
static inline int pile_is_open(const struct pile *p)
{
	const struct parts *rest = p->rest;

	return !rest || !rest->n ||
	       (p->top.n && entry_before(&p->top.at[0], &rest->part[rest->n - 1].bound));
}

/* The best, until the pile changes; NULL where there is none. */
static inline const struct entry *pile_best(struct pile *p, struct page_order order)
{
	if (!pile_is_open(p))
		pile_open(p, order);
	return p->top.n ? p->top.at : NULL;
}

/* Entries that were moved in the heap, a level each, and ids that were put into parts. */
static inline uint64_t pile_moves(const struct pile *p)
{
	return p->top.moves;
}

#endif
