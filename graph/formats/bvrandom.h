/* The rows of a BVGraph in any order, each decoded when it is asked for: for who wants a few rows of a
 * graph that does not fit into the memory unpacked. Memory: 8 bytes a node and the longest rows;
 * the file is mapped. */
#ifndef GRAPH_FORMATS_BVRANDOM_H
#define GRAPH_FORMATS_BVRANDOM_H

#include "base/err.h"

#include <stdint.h>

struct bvrandom;

/* Opens a BVGraph (a path as bvgraph_load() takes it). It needs its .offsets file: ERR_FILE where there
 * is none, ERR_FORMAT where it is of another graph; bvgraph_write_offsets() makes one. Else the
 * errors of bvgraph_load(). Free with bvrandom_close(). One thread at a time. */
int bvrandom_open(struct bvrandom **out, const char *path, struct err_note *why) MUST_USE;
void bvrandom_close(struct bvrandom *g);

uint32_t bvrandom_nodes(const struct bvrandom *g);
uint64_t bvrandom_arcs(const struct bvrandom *g);

/* The targets of x < nodes, ascending, until the next call; *n of them. ERR_FORMAT with node and bit
 * where the row, or one that it refers to, is damaged or does not end where the next one begins.
 * O(its arcs and those of the rows it refers to, one after the other). */
int bvrandom_row(struct bvrandom *g, uint32_t x, const uint32_t **row, uint32_t *n,
	struct err_note *why) MUST_USE;

#endif
