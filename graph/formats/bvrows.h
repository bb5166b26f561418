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
#include "graph/graph.h"
#include "graph/memory/mapping.h"

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

/* A BVGraph that is being read. bvgraph.c and bvrandom.c share this part of the header; no other
 * file uses it. */

struct bvloading {
	char *path; /* of the .graph file */
	struct bvproperties properties;
	struct mapping bits;
	uint64_t *offset; /* of the rows, nodes + 1 */
	uint32_t *target;
	size_t room; /* elements of target */
};

/* Opens the files and reads the properties. After an error there is nothing to close. */
int bvloading_open(struct bvloading *l, const char *path, struct err_note *why) MUST_USE;

/* Closes the files and frees the memory. */
void bvloading_close(struct bvloading *l);

/* Checks that a file of this size can contain as many nodes and arcs as the properties announce, before memory is
 * allocated for them. Returns 0, ERR_FORMAT or ERR_TOO_BIG. */
int bvloading_check_size(const struct bvloading *l, struct err_note *why) MUST_USE;

/* Returns ERR_FORMAT with a note that has the sentence `wrong`, the node that `r` is at, and the bit. */
int bvloading_damaged(const struct bvloading *l, const struct bvrows *r, const char *wrong, struct err_note *why);

/* Checks, after the last row, the number of arcs and the position of the end. Returns 0 or ERR_FORMAT. */
int bvloading_check_end(const struct bvloading *l, uint64_t arcs, uint64_t place, struct err_note *why) MUST_USE;

/* Prepares a reader of all rows, at the first one. */
void bvloading_rows(const struct bvloading *l, struct bvrows *r);

/* Reads the .offsets file into l->offset: the position of the first bit of each row, and of the end. Returns 1, or
 * 0 if there is no such file or it belongs to another graph. */
int bvloading_places(struct bvloading *l);

/* Reads the rows with several threads, if there are offsets. Returns 1, or 0 if this failed for any reason; the
 * caller then reads the rows in order, which gives the error. */
int bvloading_in_parallel(struct bvloading *l, unsigned threads);

/* Reads the rows in order, keeping in memory only those of the window and at most `room` arcs. Calls each(ctx, x,
 * row, n, end) for each row x with its n targets, which are valid during the call, and the position of the bit
 * behind the row. If a call returns a value other than 0, the function ends and returns it. */
int bvloading_stream(struct bvloading *l, size_t room,
	int (*each)(void *ctx, uint32_t x, const uint32_t *row, uint32_t n, uint64_t end), void *ctx,
	struct err_note *why) MUST_USE;

/* Makes the graph in a temporary file, within a bound on memory. */
int bvloading_to_disk(struct bvloading *l, const struct graph_space *space, struct graph *g, struct err_note *why) MUST_USE;

#endif
