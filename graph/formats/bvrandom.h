/* Random access to the rows of a BVGraph, for a caller that needs a few rows of a graph that does not fit into
 * memory. Each row is decoded when it is asked for. Memory: 8 bytes for each node, and the longest rows; the file
 * is mapped.
 *
 *	bvrandom_open(&g, "uk-2007.graph", why);
 *	code = bvrandom_row(g, x, &row, &n, why);
 *	bvrandom_close(g); */
#ifndef GRAPH_FORMATS_BVRANDOM_H
#define GRAPH_FORMATS_BVRANDOM_H

#include "base/err.h"

#include <stdint.h>

struct bvrandom;

/* Opens a BVGraph, whose path is one that bvgraph_load() accepts. One thread at a time uses the result, which the
 * caller frees with bvrandom_close(). Returns 0; ERR_FILE if there is no .offsets file (bvgraph_write_offsets()
 * makes one); ERR_FORMAT if the .offsets file belongs to another graph; or an error of bvgraph_load(). */
int bvrandom_open(struct bvrandom **out, const char *path, struct err_note *why) MUST_USE;

/* Closes the graph. */
void bvrandom_close(struct bvrandom *g);

/* Returns the number of nodes. */
uint32_t bvrandom_nodes(const struct bvrandom *g);

/* Returns the number of arcs. */
uint64_t bvrandom_arcs(const struct bvrandom *g);

/* Decodes the row of node x, which is below bvrandom_nodes(). Returns 0 with *n ascending targets that are valid
 * until the next call; or ERR_FORMAT, with node and bit in the note, if the row or a row that it refers to is
 * damaged, or does not end where the next row begins. Time: O(arcs of the row and of the rows in its chain of
 * references). */
int bvrandom_row(struct bvrandom *g, uint32_t x, const uint32_t **row, uint32_t *n, struct err_note *why) MUST_USE;

#endif
