/* The queued pages of one host, the best one first.
 *
 *	struct pile p = {.n = 0};
 *	pile_push(&p, id, order);
 *	const struct entry *best = pile_best(&p, order);
 *	pile_remove(&p, best->id, order);
 *
 * Most queued pages are far from their turn, so a pile sorts only about the best eighth, and a few thousand at most (compare the
 * quickheap of Navarro and Paredes, 2010). They are in a heap, `top`; the others are in parts, which are unordered lists of ids.
 * Each part has a bound, an entry, and no page of the part is better than its bound:
 *
 *     best pages                                                            worst pages
 *     heap  |  part n-1  |  part n-2  | ... |  part 1  |  part 0
 *           bound n-1    bound n-2                     bound 0
 *
 *   push     a page goes into the heap if it is better than all bounds, else into the part to which its key belongs
 *   rekey    an entry of the heap is sifted; a page of a part stays there unless it is now better than the part's bound
 *   spill    if the heap is full, the pages from about its middle on become a new part
 *   pour     if no entry of the heap is better than all bounds, the best part (n-1) is dissolved: each of its pages goes
 *            into the heap, or into a part to which its present key belongs
 *   cut      a part that is too large for the heap is divided before it is poured: new bounds at the middle of a sample
 *            of all its pages, at the middle of the better half, and so on
 *
 * So a page that is far from its turn costs four bytes in a list, and a change of its key usually costs nothing. A page
 * is looked at about log2(n / pile_top(n)) / 2 times in a pile of n pages, for any keys and any order of pushes.
 *
 * If keys never change, a pile is a FIFO instead (frontier/pile.h): pages are appended in the order of their discovery.
 * Only a page whose turn is earlier than the last page's, such as a retry, goes into the heap beside the FIFO.
 *
 *  P1 page[].slot tells where a page is: in the heap (its index), in a part (the part's mark), or in the FIFO
 *     (SLOT_FIFO). If an id is in the list of a part and its slot is not the part's mark, the page has left
 *     the part, and the id is ignored.
 *  P2 the bounds get better from part 0 to part n-1; no page of a part is better than the part's bound.
 *  P3 a page of the heap or of a part may be worse than the bounds to its right in the drawing, since keys also
 *     get worse. The first entry of the heap is the best page of the pile if it is better than all bounds.
 *
 * pile_best() is exact: no queued page has a better (key, seq). Pages in parts are compared by page[].key, pages in the
 * heap by their entries, which hold copies of the keys (F3 in frontier/frontier.h). */
#ifndef FRONTIER_PILE_H
#define FRONTIER_PILE_H

#include "base/rank.h"
#include "frontier/heap.h"
#include "frontier/pages.h"
#include "frontier/policy.h"

#include <assert.h>
#include <math.h>

/* The order of pages: by tier if they have ranks, by key (the lowest or the highest key first, as the policy's `order` says), and
 * by seq if the keys are equal. A caller passes the order by value with each call, since the array of pages moves as it grows.
 *
 *	const struct key_order by = {.sign = policy->order == POLICY_HIGHEST_FIRST ? -1 : 1};
 *	const struct page_order order = {pages, &by};
 *	struct entry e = entry_of(order, id); */

struct page_order {
	struct page *page; /* by id; NULL: see frontier/pile.h */
	const struct key_order *by;
};

/* Which of two keys is better, and what goes before the keys. */
struct key_order {
	double sign;          /* -1 if the highest key is first, else 1 */
	const uint8_t *rank;  /* by id: base/rank.h; NULL: all pages have the same */
	const double *weight; /* RANK_WEIGHTS */
};

/* Returns an entry for a page with a rank. A weight above 1 makes the key better: by multiplication, or by division where that
 * would make it worse. */
static inline struct entry entry_with_rank(const struct key_order *by, const struct page *p, uint32_t id)
{
	const double weight = by->weight[rank_weight(by->rank[id])], key = by->sign * p->key;

	return entry_in_tier(key < 0 ? key * weight : key / weight, rank_tier(by->rank[id]), p->seq, id);
}

/* Returns an entry for a page with its present key and seq. The key is multiplied by the sign, so that the best entry is
 * always the smallest. */
static inline struct entry entry_of(struct page_order order, uint32_t id)
{
	const struct page *p = &order.page[id];

	assert(isfinite(p->key)); /* F5 */
	return order.by->rank ? entry_with_rank(order.by, p, id) : entry_make(order.by->sign * p->key, p->seq, id);
}

/* Returns where a heap of pages writes the indexes of its members: into page[].slot. */
static inline struct heap_indexes page_slots(struct page_order order)
{
	return (struct heap_indexes){&order.page[0].slot, sizeof *order.page};
}

/* The heap spills when it has pile_top() entries: PILE_TOP at most, so that the heap and its pages stay in the cache; an eighth of
 * the pile, since a crawl of many hosts has many piles of some hundred pages, of which an entry takes 16 bytes in a heap and 4 in a
 * part; and PILE_LEAST at least. */
#define PILE_TOP   (4096 - HEAP_LEAD)
#define PILE_LEAST (128 - HEAP_LEAD)

/* Returns at how many entries the heap of a pile of n pages spills. */
static inline size_t pile_top(size_t n)
{
	return n / 8 < PILE_LEAST ? PILE_LEAST : n / 8 < PILE_TOP ? n / 8 : PILE_TOP;
}

/* A host has two piles, and its pages change from one to the other: the list of a part may have ids of pages that have become
 * members of a part of the other pile. So the marks of the two differ by this bit. */
#define PILE_SECOND 0x20000000u

struct part {
	struct entry bound;
	/* the value of page[].slot for its pages: SLOT_PART + the part's index, a bit that is inverted each time the list is
	 * tidied, so that an id that is in the list twice is recognised, and PILE_SECOND in the second pile of a host */
	uint32_t mark;
	uint32_t *id;
	size_t n, room; /* of `id`; ids whose pages have left the part count in n */
};

struct parts {
	struct part *part;
	size_t n, room;
	size_t ids;      /* the sum of n of all parts */
	uint32_t second; /* PILE_SECOND or 0 */
};

struct pile {
	struct heap top;
	struct parts *rest; /* NULL: the heap has never spilled */
	struct fifo *fifo;  /* NULL: keys may change */
	size_t n;           /* the pages in the heap, the parts and the FIFO */
};

/* Frees the memory. */
void pile_release(struct pile *);

/* Makes an empty pile the second one of its host. */
void pile_make_second(struct pile *);

/* Makes an empty pile a FIFO. All pages that it will ever have must keep this key, times the sign of struct page_order. */
void pile_use_fifo(struct pile *, double key);

/* Adds a page that is in no pile, with its present key. */
void pile_push(struct pile *, uint32_t id, struct page_order);

/* Updates the pile after the key of one of its pages has changed. The pile must not be a FIFO. */
void pile_rekey(struct pile *, uint32_t id, struct page_order);

/* Updates the pile after the keys of any number of its pages may have changed: O(n). The pile must not be a FIFO. */
void pile_rekey_all(struct pile *, struct page_order);

/* Removes a page of the pile. */
void pile_remove(struct pile *, uint32_t id, struct page_order);

/* Removes up to `most` of the best pages at once, and writes them into ids[]. Returns their number; 0 if the pile is not
 * a FIFO, or has pages in the heap beside it. */
size_t pile_take_run(struct pile *, uint32_t *ids, size_t most, const uint8_t *state);

/* Pours parts until pile_is_open() holds. */
void pile_open(struct pile *, struct page_order);

/* Answers as pile_best(), for a pile that is a FIFO. */
const struct entry *pile_best_of_fifo(struct pile *, struct page_order);

/* Says whether the first entry of the heap is better than all bounds, or no parts are left; then it is the best page
 * outside the FIFO. */
static inline int pile_is_open(const struct pile *p)
{
	const struct parts *rest = p->rest;

	return !rest || !rest->n || (p->top.n && entry_before(&p->top.at[0], &rest->part[rest->n - 1].bound));
}

/* Returns the entry of the best page, valid until the pile changes; NULL if the pile is empty. */
static inline const struct entry *pile_best(struct pile *p, struct page_order order)
{
	if (p->fifo)
		return pile_best_of_fifo(p, order);
	if (!pile_is_open(p))
		pile_open(p, order);
	return p->top.n ? p->top.at : NULL;
}

/* Guesses up to `most` pages that come next, the best one first. Returns their number. */
static inline size_t pile_soon(const struct pile *p, uint32_t *ids, size_t most)
{
	size_t n = 0;

	for (; n < p->top.n && n < most; n++) /* the root of the heap and its children */
		ids[n] = p->top.at[n].id;
	return n;
}

/* Returns the number of moves so far: of entries in the heap by one level, and of ids into parts. */
static inline uint64_t pile_moves(const struct pile *p)
{
	return p->top.moves;
}

/* The queued pages of a policy that writes no keys (breadth first), in the order of their discovery: an array of page
 * ids, of which ids[head] is taken next.
 *
 *	if (!fifo_push(f, id, order))                 the page belongs before the tail: the caller queues it elsewhere
 *	best = fifo_best(f, order);                   best->id is the page at the head
 *	fifo_remove(f, best->id, order);
 *
 * To save the 16 bytes a page of struct page, no struct page is kept as long as links alone have queued pages and all
 * pages have ended as crawled (page_order.page is NULL), unless the policy has a value() that reads it. During this time
 * the array has every page ever seen, the page at index i has the seq i, and all pages have the key `key`.
 *
 *  O1 the seqs of ids[head..tail) rise. A page whose seq is lower than that of the last page is not in the array:
 *     a page that is queued again for a retry, or that took over the seq of the page that redirects to it. */

struct fifo {
	uint32_t *ids; /* the pages at [head..tail) are queued */
	size_t head, tail, room;
	uint32_t last_seq; /* the seq of the page at tail - 1; only used once there are structs page */
	double key;        /* the key of every page, times the sign of struct page_order */
	struct entry best; /* the result of fifo_best() */
};

/* Frees the memory. */
void fifo_release(struct fifo *);

/* Makes room for pages + 1 ids in all. */
void fifo_need(struct fifo *, size_t pages);

/* Adds a page at the tail. Returns 1; or 0, with nothing changed, if the page has a lower seq than the last one. */
int fifo_push(struct fifo *, uint32_t id, struct page_order);

/* Adds the unseen pages of ids[n] at the tail, in their order, and makes their states PAGE_QUEUED. The function stops
 * at the first id >= pages->n, and returns the number of ids before it. It may only be called while there are no
 * structs page and no page is PAGE_OUTSIDE, and with room for pages->n pages. */
static inline size_t fifo_push_unseen(struct fifo *f, const uint32_t *ids, size_t n, const struct pages *pages)
{
	uint64_t *ignored = pages->ignored;
	uint8_t *state = pages->state;
	const uint32_t below = pages->n;
	uint32_t *out = f->ids;
	size_t tail = f->tail, i = 0;

	for (; i < n && ids[i] < below; i++) {
		const uint32_t id = ids[i];
		const uint64_t bit = (uint64_t)1 << id % 64;
		if (ignored[id / 64] & bit)
			continue;
		ignored[id / 64] |= bit;
		state[id] = PAGE_QUEUED;
		out[tail++] = id;
	}
	f->tail = tail;
	return i;
}

/* Returns the entry of the page at the head, valid until the next call; NULL if no page is queued. */
const struct entry *fifo_best(struct fifo *, struct page_order);

/* Removes a queued page. The page at the head takes constant time; any other takes O(pages between it and the head). */
void fifo_remove(struct fifo *, uint32_t id, struct page_order);

/* Removes the first n queued pages (n <= fifo_length(), asserted) and writes them into ids[n]. `state`, by id, is only
 * prefetched. */
void fifo_take(struct fifo *, uint32_t *ids, size_t n, const uint8_t *state);

/* Fills in the struct page of every page that was ever added, when structs page begin to be kept. */
void fifo_make_pages(struct fifo *, struct page_order, double first_key);

/* Returns the number of queued pages. */
static inline size_t fifo_length(const struct fifo *f)
{
	return f->tail - f->head;
}

#endif
