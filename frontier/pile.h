/* The pages queued on a host, the best one first.
 *
 *	struct pile p = {.n = 0};
 *	pile_push(&p, id, order);
 *	const struct entry *best = pile_best(&p, order);   and pile_remove(&p, best->id, order) takes it
 *
 * A pile holds the few thousand pages that come next in a heap, the others in parts, which are lists
 * without order (akin to the quickheap of Navarro and Paredes, 2010). Before the bound of the last part
 * stand the pages of the heap; from the bound of part i on, and before the bound of part i-1, those of
 * part i. So a page that is far from its turn is four bytes at the end of a list, and a change of its
 * key costs nothing unless the page gets ahead of its part's bound. When the heap has nothing left
 * before the bounds, the last part is poured into it; a part that the heap cannot hold is cut first, at
 * bounds sampled from all of it: its later half, the later half of the rest, and so on. When the heap is
 * full, the pages from about its middle on become a part. A page is looked at about
 * log2(n / PILE_TOP) / 2 times, whatever the keys are and in whatever order they came.
 *
 * Where keys never change a pile is a FIFO (frontier/fifo.h): pages go to its end in the order of their
 * discovery, and only pages that came back, whose turn is earlier, stand in the heap beside it.
 *
 *  P1 a page is in the heap, page[].place being its index; or in a part, its place being the part's
 *     mark; or in the FIFO, its place being PLACE_FIFO. An id in a part whose place says otherwise has
 *     left the part, and is skipped.
 *  P2 bounds fall from part 0 on; no page of a part is before its bound.
 *  P3 a page of the heap may be after the bounds, as one of a part may be after the bound of the part
 *     before (keys get worse, too): the heap's first is the best of all if it is before all bounds.
 *
 * The order of pages is exact, and that of (key, seq). Keys are the pages' own until they get into the
 * heap, which holds copies: see F3 in frontier/frontier.h. */
#ifndef FRONTIER_PILE_H
#define FRONTIER_PILE_H

#include "frontier/fifo.h"

/* The most entries of the heap: it and its pages stay in the cache. */
#define PILE_TOP (4096 - HEAP_LEAD)

struct part {
	struct entry bound;
	uint32_t
		mark; /* its number, PLACE_PART, and a bit that is turned to tell ids from copies */
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
	struct fifo *fifo;  /* NULL: keys may change */
	size_t n;           /* pages, wherever they are */
};

void pile_release(struct pile *);

/* Makes a pile without pages a FIFO: all its pages have and keep this key, signed as in an entry. */
void pile_use_fifo(struct pile *, double key);

/* Adds a page that is in no pile, with its key of now. */
void pile_push(struct pile *, uint32_t id, struct page_order);

/* Tells that the key of a page of the pile has changed. No FIFO. */
void pile_rekey(struct pile *, uint32_t id, struct page_order);

/* Tells that the keys of all pages may have changed. No FIFO. */
void pile_rekey_all(struct pile *, struct page_order);

/* Takes out a page of the pile. */
void pile_remove(struct pile *, uint32_t id, struct page_order);

/* Takes out up to `most` of the best pages at once, if the pile is a FIFO with no page beside it: how
 * many, 0 for any other pile. */
size_t pile_take_run(struct pile *, uint32_t *ids, size_t most, const uint8_t *state);

/* Pours parts until the best of all is the heap's first. */
void pile_open(struct pile *, struct page_order);

/* Returns the best page of a FIFO and of the pages beside it. */
const struct entry *pile_best_of_fifo(struct pile *, struct page_order);

/* Says whether the heap's first, if there is one, is the best of all outside the FIFO. */
static inline int pile_is_open(const struct pile *p)
{
	const struct parts *rest = p->rest;

	return !rest || !rest->n ||
	       (p->top.n && entry_before(&p->top.at[0], &rest->part[rest->n - 1].bound));
}

/* Returns the best page, until the pile changes; NULL if there is none. */
static inline const struct entry *pile_best(struct pile *p, struct page_order order)
{
	if (p->fifo)
		return pile_best_of_fifo(p, order);
	if (!pile_is_open(p))
		pile_open(p, order);
	return p->top.n ? p->top.at : NULL;
}

/* Guesses which pages come next, the best first: up to `most`; how many. */
static inline size_t pile_soon(const struct pile *p, uint32_t *ids, size_t most)
{
	size_t n = 0;

	for (; n < p->top.n && n < most; n++) /* the root of the heap and its children */
		ids[n] = p->top.at[n].id;
	return n;
}

/* Counts the entries that were moved in the heap, a level each, and the ids put into parts. */
static inline uint64_t pile_moves(const struct pile *p)
{
	return p->top.moves;
}

#endif
