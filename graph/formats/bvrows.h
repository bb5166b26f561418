/* Decodes the rows of a BVGraph. The properties say which code each number has. The row of node x consists of
 * these numbers, of which those are omitted that follow from the ones before:
 *   - the outdegree. If it is 0, the row ends.
 *   - the reference r, if the window is not 0. If r > 0, targets are copied from the row of x - r, which is
 *     divided into blocks: the number of blocks, then the length of each block (less one, except for the first).
 *     Blocks are copied and skipped alternately, beginning with a copied one; the targets behind the last block
 *     form one more block.
 *   - the intervals, if min_interval is not 0: their number, then for each its left end and its length less
 *     min_interval. The first left end is relative to x and signed; each later one is relative to the end of the
 *     interval before, less one.
 *   - the residuals, which are all other targets: the first relative to x and signed; each later one relative to
 *     the residual before, less one. */
#ifndef GRAPH_FORMATS_BVROWS_H
#define GRAPH_FORMATS_BVROWS_H

#include "graph/formats/bvproperties.h"

struct bvrows {
	const struct bvproperties *p;
	int is_usual;     /* bvrows_are_usual(&p->codes); if 0, decoding is slower */
	struct bits in;   /* at the first bit of row `next` */
	uint32_t first;   /* no row refers to a row before this one */
	uint32_t next;    /* the row that is decoded next */
	uint64_t done;    /* the index in target[] for the targets of row `next` */
	uint64_t most;    /* an upper bound for `done` */
	uint64_t *offset; /* offset[x] is set for the rows from `first` up to `next`, without offset[next] */
	uint32_t *target;
	uint64_t room;   /* elements of target[]; those behind the last row may be overwritten */
	uint32_t *spare; /* scratch memory for one row, of mem_grow() */
	size_t spare_room;
};

/* Says whether the codes are those that nearly all graphs have, for which there is a faster decoder. */
int bvrows_are_usual(const struct bvcodes *c);

/* Decodes the rows from `next` up to, without, `end`. If a row needs more room than target[] has, the function
 * stops before that row and sets *need to the room that it needs; else *need is 0. Returns NULL; or, if row `next`
 * is damaged, a sentence that says why, without node and bit, and `in` is then at the first bit of that row. */
const char *bvrows_read(struct bvrows *r, uint32_t end, uint64_t *need);

/* Decodes the outdegree of row `next`, and how many rows its reference goes back (0 without a reference). `in` is
 * at the first bit of the row, and moves behind these numbers. Returns 0, or -1 if they are damaged. */
int bvrows_peek(struct bvrows *r, uint64_t *degree, uint64_t *back);

/* Decodes the rest of row `next` after bvrows_peek(), d targets into out[room], room >= d, all of which may be
 * overwritten. list[n] is the row that it refers to, behind which 8 more elements must be readable; NULL without a
 * reference. `in` moves behind the row. Of `r` only p, is_usual, in, next and spare are used. Returns NULL, or a
 * sentence as bvrows_read() does. */
const char *bvrows_read_alone(struct bvrows *r, uint64_t d, const uint32_t *list, uint64_t n, uint32_t *out, size_t room);

/* Adds the outdegrees of the n rows that begin at the bits place[0] ... place[n - 1] into *sum. Returns 0, or -1
 * if one is damaged. */
int bvrows_sum(const struct bvrows *r, const uint64_t *place, uint32_t n, uint64_t *sum);

#endif
