/* A 4-ary heap of pages, hosts or servers, the smallest (key, seq) first. The heap writes the index of each member (its
 * *place*) into an array of the caller, so that the caller can change or remove any member. Entries are compared by
 * the copies of the keys that they hold, so a key may change elsewhere without breaking the heap; heap_rekey()
 * copies the new key into the entry.
 *
 *	struct heap h = {.n = 0};
 *	heap_push(&h, (struct entry){key, seq, id}, places);
 *	first = heap_remove(&h, 0, places);              the smallest entry
 *	heap_release(&h);
 *
 * The heap is 4-ary since the children of a node then share a cache line, and the tree is half as deep as a binary
 * one. */
#ifndef FRONTIER_HEAP_H
#define FRONTIER_HEAP_H

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	double key;
	uint32_t seq; /* breaks ties; no two entries of a heap have the same (key, seq) */
	uint32_t id;
};

struct heap {
	struct entry
		*at; /* the root; the memory begins HEAP_LEAD entries before it, so that siblings share a cache line */
	size_t n, room;
	uint64_t moves; /* the number of moves of entries so far, by one level each */
};

#define HEAP_LEAD 3
#define HEAP_BIG  65536 /* a heap with room for more entries lies on huge pages */

/* Where the heap writes the places of its members: the place of `id` is the uint32_t at base + id * stride. The place
 * of a member that is removed keeps its last value. */
struct places {
	void *base; /* NULL: places are not written */
	size_t stride;
};

/* Writes the place of a member. */
static inline void places_set(struct places p, uint32_t id, size_t place)
{
	if (p.base)
		*(uint32_t *)((char *)p.base + id * p.stride) = (uint32_t)place;
}

/* Says whether a comes before b, without a branch, which the processor would often predict wrongly. */
static inline int entry_before(const struct entry *a, const struct entry *b)
{
	return (a->key < b->key) | ((a->key == b->key) & (a->seq < b->seq));
}

/* Puts an entry at the free place i or at one of its ancestors. */
static inline void heap_sift_up(struct heap *h, size_t i, struct entry e, struct places p)
{
	uint64_t moves = 0;

	for (; i > 0; moves++) {
		size_t parent = (i - 1) / 4;
		if (!entry_before(&e, &h->at[parent]))
			break;
		h->at[i] = h->at[parent];
		places_set(p, h->at[i].id, i);
		i = parent;
	}
	h->at[i] = e;
	places_set(p, e.id, i);
	h->moves += moves;
}

/* Returns the index of the smallest of the entries first..first+3. */
static inline size_t heap_first_of_four(const struct entry *at, size_t first)
{
	size_t a = first + (size_t)entry_before(&at[first + 1], &at[first]);
	size_t b = first + 2 + (size_t)entry_before(&at[first + 3], &at[first + 2]);

	return entry_before(&at[b], &at[a]) ? b : a;
}

/* Returns the index of the smallest child of i, which has at least one. */
static inline size_t heap_first_child(const struct heap *h, size_t i)
{
	size_t first = i * 4 + 1, best = first;

	if (first + 4 <= h->n)
		return heap_first_of_four(h->at, first);
	for (size_t c = first + 1; c < h->n; c++)
		best = entry_before(&h->at[c], &h->at[best]) ? c : best;
	return best;
}

/* Puts an entry at the free place i or at one of its descendants. */
static inline void heap_sift_down(struct heap *h, size_t i, struct entry e, struct places p)
{
	uint64_t moves = 0;

	for (; i * 4 + 1 < h->n; moves++) {
		size_t grandchildren = i * 16 + 5;
		if (grandchildren + 16 <= h->n) /* four lines, one of which comes next */
			for (size_t line = 0; line < 16; line += 4)
				__builtin_prefetch(&h->at[grandchildren + line]);
		size_t best = heap_first_child(h, i);
		if (!entry_before(&h->at[best], &e))
			break;
		h->at[i] = h->at[best];
		places_set(p, h->at[i].id, i);
		i = best;
	}
	h->at[i] = e;
	places_set(p, e.id, i);
	h->moves += moves;
}

/* Frees the memory. The heap is empty afterwards, and keeps its count of moves. */
static inline void heap_release(struct heap *h)
{
	if (h->room >= HEAP_BIG)
		mem_big_free(h->at - HEAP_LEAD, h->room + HEAP_LEAD, sizeof *h->at);
	else if (h->room)
		free(h->at - HEAP_LEAD);
	*h = (struct heap){.moves = h->moves};
}

/* Makes room for one more entry. */
static inline void heap_need(struct heap *h)
{
	struct heap old = *h;

	if (h->n < h->room)
		return;
	h->room = old.room ? (old.room + HEAP_LEAD) * 2 - HEAP_LEAD : 4 * 2 - HEAP_LEAD;
	struct entry *memory = h->room >= HEAP_BIG ? mem_big(h->room + HEAP_LEAD, sizeof *memory)
						   : mem_lined(h->room + HEAP_LEAD, sizeof *memory);
	h->at = memory + HEAP_LEAD;
	if (old.n)
		memcpy(h->at, old.at, old.n * sizeof *memory);
	heap_release(&old);
}

/* Adds an entry. */
static inline void heap_push(struct heap *h, struct entry e, struct places p)
{
	heap_need(h);
	heap_sift_up(h, h->n++, e, p);
}

/* Removes the entry at place i < n and returns it. */
static inline struct entry heap_remove(struct heap *h, size_t i, struct places p)
{
	struct entry out = h->at[i], last = h->at[--h->n];

	if (i < h->n) {
		if (i > 0 && entry_before(&last, &h->at[(i - 1) / 4]))
			heap_sift_up(h, i, last, p);
		else
			heap_sift_down(h, i, last, p);
	}
	return out;
}

/* Gives the entry at place i < n a new key and seq. */
static inline void heap_rekey(struct heap *h, size_t i, double key, uint32_t seq, struct places p)
{
	struct entry e = {key, seq, h->at[i].id};

	if (entry_before(&e, &h->at[i]))
		heap_sift_up(h, i, e, p);
	else
		heap_sift_down(h, i, e, p);
}

/* Restores the order after the caller has written keys into any of the entries at[]. It takes O(n) steps. */
static inline void heap_rebuild(struct heap *h, struct places p)
{
	for (size_t i = h->n; i-- > 0;)
		heap_sift_down(h, i, h->at[i], p);
}

#endif
