/* The rows of a BVGraph, read one after the other. A row is, in this order (all codes by the
 * properties; nothing is there that the numbers before make superfluous):
 *   outdegree; if none, no more
 *   reference r, where there is a window; if r > 0, what of the row of x - r is copied: the number
 *     of blocks, the length of each (the second and later ones less one), copied and skipped by
 *     turns; what is behind the last is copied where it is their turn
 *   the number of intervals, and for each its left end (the first as difference to x, signed; later
 *     ones to the end of the last, less one) and its length less the least
 *   what still misses: the first as difference to x, signed; later ones to the last, less one */
#ifndef GRAPH_FORMATS_BVROWS_H
#define GRAPH_FORMATS_BVROWS_H

#include "graph/formats/bvproperties.h"

struct bvrows {
	const struct bvproperties *p;
	int is_usual;   /* bvrows_are_usual(&p->codes); 0 is slower */
	struct bits in; /* at row `next` */
	uint32_t first; /* no row refers to one before it */
	uint32_t next;
	uint64_t done;    /* where in target the ids of row `next` go */
	uint64_t most;    /* done never exceeds it */
	uint64_t *offset; /* offset[x] is set for the rows from `first` on, but for offset[next] */
	uint32_t *target;
	uint64_t room;   /* of target; up to here it may be overwritten behind a row */
	uint32_t *spare; /* mem_grow()'s, for one row */
	size_t spare_room;
};

/* Whether the codes are those of nearly all graphs, for which there is a reader of its own. */
int bvrows_are_usual(const struct bvcodes *c);

/* Reads rows from `next` to `end` (not included), and moves on. Stops before a row for which there
 * is no room: *need is then what it needs, else 0. Returns NULL, or what is wrong with row `next`,
 * at whose first bit `in` then stands: a sentence without node and bit. */
const char *bvrows_read(struct bvrows *r, uint32_t end, uint64_t *need);

/* The outdegree alone of row `next`, at whose first bit `in` stands, and the number of rows that its
 * reference goes back (0: none); `in` is behind them then. Returns -1 where they cannot be read. */
int bvrows_peek(struct bvrows *r, uint64_t *degree, uint64_t *back);

/* Reads what is behind these of row `next` alone, its d ids into out. list[n] is the row it refers
 * to, NULL where there is none. `room` is at least d; what is more may be overwritten, and 8 ids
 * behind list[n] be read. Then `in` is behind the row. Of `r` only p, is_usual, in, next and spare
 * are used. As above returns NULL, or what is wrong. */
const char *bvrows_read_alone(
	struct bvrows *r, uint64_t d, const uint32_t *list, uint64_t n, uint32_t *out, size_t room);

/* The sum of the outdegrees of the rows that begin at place[0] ... place[n - 1]. Returns -1 where
 * one cannot be read. */
int bvrows_sum(const struct bvrows *r, const uint64_t *place, uint32_t n, uint64_t *sum);

#endif
