/* A BVGraph while it is being read: what graph/formats/bvgraph.c, graph/formats/bvparallel.c, graph/formats/bvrandom.c and graph/formats/bvstream.c
 * share. */
#ifndef GRAPH_FORMATS_BVLOADING_H
#define GRAPH_FORMATS_BVLOADING_H

#include "graph/formats/bvrows.h"
#include "graph/graph.h"
#include "graph/memory/mapping.h"

struct bvloading {
	char *path; /* of the .graph file */
	struct bvproperties properties;
	struct mapping bits;
	uint64_t *offset; /* of the rows, nodes + 1 */
	uint32_t *target;
	size_t room; /* of target */
};

/* Opens the files and reads the properties. Where it fails nothing is left to be closed. */
int bvloading_open(struct bvloading *l, const char *path, struct err_note *why) MUST_USE;
void bvloading_close(struct bvloading *l);

/* ERR_FORMAT, ERR_TOO_BIG: nothing is set aside for what a file of this size cannot hold. */
int bvloading_check_size(const struct bvloading *l, struct err_note *why) MUST_USE;

/* ERR_FORMAT: what is wrong with the row that `r` stands at. */
int bvloading_damaged(
	const struct bvloading *l, const struct bvrows *r, const char *wrong, struct err_note *why);

/* After the last row: whether there were as many arcs, and bits, as there should be. */
int bvloading_check_end(
	const struct bvloading *l, uint64_t arcs, uint64_t place, struct err_note *why) MUST_USE;

/* A reader of all rows, at the first. */
void bvloading_rows(const struct bvloading *l, struct bvrows *r);

/* The places of the rows' first bits, and of the last one's end, into l->offset, from the .offsets
 * file; 0 where there is none, or it is not of this graph. */
int bvloading_places(struct bvloading *l);

/* Reads the rows on several threads, where there are offsets. Returns 1, or 0 where that did not
 * work, for whatever reason: then nothing is lost, and who reads row after row learns the reason.
 */
int bvloading_in_parallel(struct bvloading *l, unsigned threads);

/* Reads row after row and keeps of them but the window and `room` arcs: each(ctx, x, row, n, end)
 * gets row x, which is the reader's, and the place of the first bit behind it. Anything but 0 from
 * it ends the work and is returned. */
int bvloading_stream(struct bvloading *l, size_t room,
	int (*each)(void *ctx, uint32_t x, const uint32_t *row, uint32_t n, uint64_t end),
	void *ctx, struct err_note *why) MUST_USE;

/* The graph in a temporary file, within a bounded memory. */
int bvloading_to_disk(struct bvloading *l, const struct graph_space *space, struct graph *g,
	struct err_note *why) MUST_USE;

#endif
