/* A 4-ary heap of pages, hosts or servers, the smallest (key, seq) first. The heap writes the index of each member into
 * an array of the caller, so that the caller can change or remove any member. Entries are compared by
 * the copies of the keys that they hold, so a key may change elsewhere without breaking the heap; heap_rekey()
 * copies the new key into the entry.
 *
 *	struct heap h = {.n = 0};
 *	heap_push(&h, entry_make(key, seq, id), indexes);
 *	first = heap_remove(&h, 0, indexes);             the smallest entry
 *	key = entry_key(&first);
 *	heap_release(&h);
 *
 * The heap is 4-ary since the children of a node then share a cache line, and the tree is half as deep as a binary
 * one. */
#ifndef FRONTIER_HEAP_H
#define FRONTIER_HEAP_H

#include "base/mem.h"
#include "base/paged.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	uint64_t ordinal; /* of the key: the order of ordinals is the order of keys */
	uint32_t seq;     /* breaks ties; no two entries of a heap have the same (key, seq) */
	uint32_t id;
};

struct heap {
	struct entry *at; /* the root; see heap_memory() */
	size_t n, room;
	uint64_t moves; /* the number of moves of entries so far, by one level each */
};

/* The rooms of a heap that grows: 1, 3, 7, 13, then half as much again, from HEAP_FAST on twice as much. Most hosts have a page or
 * two, so a heap with less room than HEAP_LINED takes as little memory as it can. */
#define HEAP_LEAD  3
#define HEAP_LINED 13
#define HEAP_FAST  4096
#define HEAP_BIG   65536 /* a heap with room for more entries lies on huge pages */

/* Where the heap writes the indexes of its members: the index of `id` is the uint32_t at base + id * stride. The index
 * of a member that is removed keeps its last value. */
struct heap_indexes {
	void *base; /* NULL: indexes are not written */
	size_t stride;
};

/* Writes the index of a member. */
static inline void heap_indexes_set(struct heap_indexes p, uint32_t id, size_t index)
{
	if (p.base)
		*(uint32_t *)((char *)p.base + id * p.stride) = (uint32_t)index;
}

/* Returns an entry. The key is not NaN.
 *
 * The ordinal of a key is its bits as a double (IEEE 754), with the sign inverted if the key is positive, and all bits
 * inverted if it is negative. Two entries are compared in a few instructions on integers and without a branch, which the
 * processor would often predict wrongly; doubles would need a test for NaN at each comparison. */
static inline struct entry entry_make(double key, uint32_t seq, uint32_t id)
{
	const uint64_t sign = (uint64_t)1 << 63;
	uint64_t bits;

	key += 0.0; /* -0 is 0 */
	memcpy(&bits, &key, sizeof bits);
	return (struct entry){bits & sign ? ~bits : bits | sign, seq, id};
}

/* Returns the key of an entry; 0 if it was -0. */
static inline double entry_key(const struct entry *e)
{
	const uint64_t sign = (uint64_t)1 << 63, bits = e->ordinal & sign ? e->ordinal ^ sign : ~e->ordinal;
	double key;

	memcpy(&key, &bits, sizeof key);
	return key;
}

/* The keys from 2^-255 to 2^256, positive and negative, keep their order and are told apart within a tier (base/rank.h); smaller
 * ones count as 0, greater ones as equal. Keys of policies are counts, shares and probabilities. */
#define TIER_LEAST ((uint64_t)(1023 - 255) << 52)
#define TIER_MOST  (((uint64_t)(1023 + 256) << 52) - 1)

/* Returns an entry that comes behind all entries of a lower tier. All entries of a heap are made by this function, or none is. */
static inline struct entry entry_in_tier(double key, unsigned tier, uint32_t seq, uint32_t id)
{
	const uint64_t half = (uint64_t)1 << 61;
	const double size = fabs(key);
	uint64_t bits;

	memcpy(&bits, &size, sizeof bits);
	bits = bits < TIER_LEAST ? 0 : (bits < TIER_MOST ? bits : TIER_MOST) - TIER_LEAST + 1;
	return (struct entry){(uint64_t)tier << 62 | (key < 0 ? half - bits : half + bits), seq, id};
}

/* Says whether a comes before b: an ordinal is smaller, or equal and its seq is smaller. (No ordinal is UINT64_MAX, which
 * would be that of a NaN.) */
static inline int entry_before(const struct entry *a, const struct entry *b)
{
	return a->ordinal < b->ordinal + (a->seq < b->seq);
}

/* Says whether two entries have the same (key, seq). */
static inline int entry_is_equal(const struct entry *a, const struct entry *b)
{
	return a->ordinal == b->ordinal && a->seq == b->seq;
}

/* Moves the entry at index `from` to the free index `to`. */
static inline void heap_move(struct heap *h, size_t to, size_t from, struct heap_indexes p)
{
	h->at[to] = h->at[from];
	heap_indexes_set(p, h->at[to].id, to);
}

/* Puts an entry at the free index i or at one of its ancestors. */
static inline void heap_sift_up(struct heap *h, size_t i, struct entry e, struct heap_indexes p)
{
	uint64_t moves = 0;

	for (; i > 0; moves++) {
		size_t parent = (i - 1) / 4;
		if (!entry_before(&e, &h->at[parent]))
			break;
		heap_move(h, i, parent, p);
		i = parent;
	}
	h->at[i] = e;
	heap_indexes_set(p, e.id, i);
	h->moves += moves;
}

/* Returns the index of the smallest of the entries first..first+3. */
static inline size_t heap_first_of_four(const struct entry *at, size_t first)
{
	const size_t a = first + (size_t)entry_before(&at[first + 1], &at[first]);
	const size_t b = first + 2 + (size_t)entry_before(&at[first + 3], &at[first + 2]);

	return a + (b - a) * (size_t)entry_before(&at[b], &at[a]);
}

/* Fetches the grandchildren of i, four cache lines, one of which is looked at next. */
static inline void heap_fetch_grandchildren(const struct heap *h, size_t i)
{
	const size_t first = i * 16 + 5;

	for (size_t line = 0; first + 16 <= h->n && line < 16; line += 4)
		__builtin_prefetch(&h->at[first + line]);
}

/* Puts an entry at the free index i or at one of its descendants. */
static inline void heap_sift_down(struct heap *h, size_t i, struct entry e, struct heap_indexes p)
{
	const int is_big = h->room >= HEAP_BIG;
	uint64_t moves = 0;
	size_t child = i * 4 + 1;

	for (; child + 4 <= h->n; child = i * 4 + 1, moves++) {
		if (is_big)
			heap_fetch_grandchildren(h, i);
		const size_t best = heap_first_of_four(h->at, child);
		if (!entry_before(&h->at[best], &e))
			break;
		heap_move(h, i, best, p);
		i = best;
	}
	if (child < h->n && child + 4 > h->n) { /* the last entries, fewer than four */
		size_t best = child;
		while (++child < h->n)
			best = entry_before(&h->at[child], &h->at[best]) ? child : best;
		if (entry_before(&h->at[best], &e)) {
			heap_move(h, i, best, p);
			i = best;
			moves++;
		}
	}
	h->at[i] = e;
	heap_indexes_set(p, e.id, i);
	h->moves += moves;
}

/* Returns the memory of a heap with room, which is the caller's to free: from HEAP_LINED on it begins HEAP_LEAD entries before the
 * root, so that siblings share a cache line. */
static inline struct entry *heap_memory(const struct heap *h)
{
	return h->room >= HEAP_LINED ? h->at - HEAP_LEAD : h->at;
}

/* Returns the bytes of heap_memory(), below HEAP_BIG. */
static inline size_t heap_bytes(const struct heap *h)
{
	return (h->room + (h->room >= HEAP_LINED ? HEAP_LEAD : 0)) * sizeof *h->at;
}

/* Frees the memory. The heap is empty afterwards, and keeps its count of moves. */
static inline void heap_release(struct heap *h)
{
	if (h->room >= HEAP_BIG)
		paged_free(heap_memory(h), h->room + HEAP_LEAD, sizeof *h->at);
	else if (h->room)
		paged_block_free(heap_memory(h), heap_bytes(h));
	*h = (struct heap){.moves = h->moves};
}

/* Returns the next room of a heap that is full. From HEAP_LINED on its memory has whole cache lines, of four entries. */
static inline size_t heap_next_room(size_t room)
{
	const size_t lined = room + HEAP_LEAD;

	if (room < HEAP_LINED / 2)
		return 2 * room + 1;
	if (room < HEAP_LINED)
		return HEAP_LINED;
	return (room < HEAP_FAST ? (lined + lined / 2 + 3) / 4 * 4 : 2 * lined) - HEAP_LEAD;
}

/* Makes room for one more entry. */
static inline void heap_need(struct heap *h)
{
	struct heap old = *h;

	if (h->n < h->room)
		return;
	h->room = heap_next_room(old.room);
	h->at = h->room >= HEAP_BIG ? paged_new(h->room + HEAP_LEAD, sizeof *h->at) : paged_block(heap_bytes(h));
	h->at += h->room >= HEAP_LINED ? HEAP_LEAD : 0;
	if (old.n)
		memcpy(h->at, old.at, old.n * sizeof *h->at);
	heap_release(&old);
}

/* Returns the smallest key, or INFINITY if the heap is empty. */
static inline double heap_next_key(const struct heap *h)
{
	return h->n ? entry_key(&h->at[0]) : INFINITY;
}

/* Adds an entry. */
static inline void heap_push(struct heap *h, struct entry e, struct heap_indexes p)
{
	heap_need(h);
	heap_sift_up(h, h->n++, e, p);
}

/* Removes the entry at index i < n and returns it. */
static inline struct entry heap_remove(struct heap *h, size_t i, struct heap_indexes p)
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

/* Replaces the entry at index i < n by an entry, which has the same id and another (key, seq). */
static inline void heap_rekey(struct heap *h, size_t i, struct entry e, struct heap_indexes p)
{
	if (entry_before(&e, &h->at[i]))
		heap_sift_up(h, i, e, p);
	else
		heap_sift_down(h, i, e, p);
}

/* Compares two entries for qsort(). */
static inline int entry_compare(const void *a, const void *b)
{
	return entry_before((const struct entry *)a, (const struct entry *)b)    ? -1
		: entry_before((const struct entry *)b, (const struct entry *)a) ? 1
										 : 0;
}

/* Gives the n entries the seqs 0..n-1 in their order, so that a caller that counts what it pushes can go on at n when its count
 * comes to an end. It takes O(n log n) steps. */
static inline void heap_number(struct heap *h, struct heap_indexes p)
{
	/* sorted entries are a heap */
	if (h->n)
		qsort(h->at, h->n, sizeof *h->at, entry_compare);
	for (size_t i = 0; i < h->n; i++) {
		h->at[i].seq = (uint32_t)i;
		heap_indexes_set(p, h->at[i].id, i);
	}
}

/* Restores the order after the caller has written keys into any of the entries at[]. It takes O(n) steps. */
static inline void heap_rebuild(struct heap *h, struct heap_indexes p)
{
	for (size_t i = h->n; i-- > 0;)
		heap_sift_down(h, i, h->at[i], p);
}

#endif
