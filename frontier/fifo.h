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
#ifndef FRONTIER_FIFO_H
#define FRONTIER_FIFO_H

#include "frontier/page_order.h"
#include "frontier/pages.h"

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
