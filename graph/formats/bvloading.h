/* A BVGraph that is being read. bvgraph.c, bvparallel.c, bvrandom.c and bvstream.c share this header; no other
 * file includes it. */
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
