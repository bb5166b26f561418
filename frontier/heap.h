/* A 4-ary heap of pages or hosts, smallest (key, seq) first, that knows where each of its members
 * stands. An entry carries its own copy of the key and is compared by that copy alone, so keys may
 * change elsewhere without breaking the heap; heap_rekey() copies one in.
 *
 * 4-ary since a node's children then share a cache line and the tree is half as deep. */
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
		*at; /* HEAP_LEAD entries into its memory, so that siblings share a cache line */
	size_t n, room;
};

#define HEAP_LEAD 3
#define HEAP_BIG  65536 /* entries from which on huge pages pay */

/* Where members keep their place: that of `id` is at base + id * stride. */
struct places {
	void *base; /* NULL: nobody keeps it */
	size_t stride;
};

static inline void places_set(struct places p, uint32_t id, size_t place)
{
	if (p.base)
		*(uint32_t *)((char *)p.base + id * p.stride) = (uint32_t)place;
}

static inline int entry_before(const struct entry *a, const struct entry *b)
{
	return a->key < b->key || (a->key == b->key && a->seq < b->seq);
}

/* Puts e at the free place i or above it. */
static inline void heap_sift_up(struct heap *h, size_t i, struct entry e, struct places p)
{
	while (i > 0) {
		size_t parent = (i - 1) / 4;
		if (!entry_before(&e, &h->at[parent]))
			break;
		h->at[i] = h->at[parent];
		places_set(p, h->at[i].id, i);
		i = parent;
	}
	h->at[i] = e;
	places_set(p, e.id, i);
}

/* Puts e at the free place i or below it. */
static inline void heap_sift_down(struct heap *h, size_t i, struct entry e, struct places p)
{
	for (;;) {
		size_t first = i * 4 + 1;
		if (first >= h->n)
			break;
		size_t last = first + 4 < h->n ? first + 4 : h->n, best = first;
		for (size_t c = first + 1; c < last; c++)
			best = entry_before(&h->at[c], &h->at[best]) ? c : best;
		if (!entry_before(&h->at[best], &e))
			break;
		h->at[i] = h->at[best];
		places_set(p, h->at[i].id, i);
		i = best;
	}
	h->at[i] = e;
	places_set(p, e.id, i);
}

static inline void heap_release(struct heap *h)
{
	if (h->room >= HEAP_BIG)
		mem_big_free(h->at - HEAP_LEAD, h->room + HEAP_LEAD, sizeof *h->at);
	else if (h->room)
		free(h->at - HEAP_LEAD);
	*h = (struct heap){NULL, 0, 0};
}

/* Room for one more. */
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

static inline void heap_push(struct heap *h, struct entry e, struct places p)
{
	heap_need(h);
	heap_sift_up(h, h->n++, e, p);
}

/* Takes out the entry at place i and returns it. */
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

/* The entry at place i now has this key and seq. */
static inline void heap_rekey(struct heap *h, size_t i, double key, uint32_t seq, struct places p)
{
	struct entry e = {key, seq, h->at[i].id};

	if (entry_before(&e, &h->at[i]))
		heap_sift_up(h, i, e, p);
	else
		heap_sift_down(h, i, e, p);
}

/* Restores the order after the keys of many entries were written in place. O(n). */
static inline void heap_rebuild(struct heap *h, struct places p)
{
	for (size_t i = h->n; i-- > 0;)
		heap_sift_down(h, i, h->at[i], p);
}

#endif
