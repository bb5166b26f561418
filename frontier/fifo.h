/* The pages of a pile whose keys never change, in the order of their discovery: ids in an array, the
 * next one at its head. A breadth-first search needs no more than that.
 *
 * As long as nothing but links has asked for pages there is no struct page at all (page_order.page is
 * NULL): the seq of the page at index i of the array is i, and its key is the one that all have.
 *
 *  O1 the seqs of ids[head..tail) rise. A page whose turn by its seq is over, since it came back, or
 *     took the seq of the page that redirects to it, does not go here. */
#ifndef FRONTIER_FIFO_H
#define FRONTIER_FIFO_H

#include "frontier/page_order.h"

struct fifo {
	uint32_t *ids; /* [head..tail) are queued */
	size_t head, tail, room;
	uint32_t last_seq; /* of the page at tail - 1, while there are struct pages */
	double key;        /* the key of every page, signed as in an entry */
	struct entry best; /* what fifo_best() points to */
};

void fifo_release(struct fifo *);

/* Makes room for so many pages, and one more. */
void fifo_need(struct fifo *, size_t pages);

/* Adds a page at the tail: 1, or 0 if its seq says that its turn comes earlier. */
int fifo_push(struct fifo *, uint32_t id, struct page_order);

/* While there are no struct pages: adds those of ids[n] that are unseen, in their order, and sets their
 * state, up to the first id that is not `below`. There must be room. Returns how many ids were looked at. */
static inline size_t fifo_push_unseen(
	struct fifo *f, const uint32_t *ids, size_t n, uint8_t *state, uint32_t below)
{
	uint32_t *out = f->ids;
	size_t tail = f->tail, i = 0;

	for (; i < n && ids[i] < below; i++) {
		const uint32_t id = ids[i];
		if (state[id] != PAGE_UNSEEN)
			continue;
		state[id] = PAGE_QUEUED;
		out[tail++] = id;
	}
	f->tail = tail;
	return i;
}

/* Returns the entry of the page at the head, valid until the next call; NULL if there is none. */
const struct entry *fifo_best(struct fifo *, struct page_order);

/* Takes out a page: the one at the head in a step, another in time that grows with the pages behind it. */
void fifo_remove(struct fifo *, uint32_t id, struct page_order);

/* Takes out the first n pages, which there must be; their states are fetched ahead. */
void fifo_take(struct fifo *, uint32_t *ids, size_t n, const uint8_t *state);

/* Makes the struct pages of all pages that ever were in the array, which are all that were seen. */
void fifo_make_pages(struct fifo *, struct page_order, double first_key);

static inline size_t fifo_length(const struct fifo *f)
{
	return f->tail - f->head;
}

#endif
