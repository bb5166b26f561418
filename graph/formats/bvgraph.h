/* BVGraph, the compressed format of the WebGraph framework: x.graph (bits), x.properties (text) and
 * x.offsets (where each row begins, in gamma-coded gaps; may be missing). A path is x, x.graph or
 * x.properties. */
#ifndef GRAPH_FORMATS_BVGRAPH_H
#define GRAPH_FORMATS_BVGRAPH_H

#include "graph/formats/format.h"

int bvgraph_detect(const char *path);

/* Reads row after row, or with offsets and threads many rows at a time; the same graph and the same
 * errors either way. Every code is checked; the note of a damaged graph says at which node and
 * bit. What the properties say must fit: the number of arcs, and where the last row ends (at the
 * bit they name as `length`, else within the last words of the file). ERR_TOO_BIG for more arcs than
 * 2^24 and 4096 a byte. */
int bvgraph_load(const char *path, const struct graph_load *load, struct graph *g,
	struct err_note *why) MUST_USE;

/* Compares the .offsets file, where there is one, with the places at which the rows begin: a wrong
 * place makes a row that is read alone another row. ERR_FORMAT, or as bvgraph_load(). */
int bvgraph_verify(const char *path, struct err_note *why) MUST_USE;

/* Whether there is an .offsets file; without it rows are read one after the other only. */
int bvgraph_has_offsets(const char *path);

/* Writes the .offsets file of a BVGraph, in one pass that keeps but the window in memory. ERR_USAGE
 * where the properties want its gaps in a code that cannot be written: delta, nibble. */
int bvgraph_write_offsets(const char *path, struct err_note *why) MUST_USE;

/* Writes all three files, with window 7, chains of 3, intervals of 4 and more, zeta_3. The
 * reference of a row is the one that makes it shortest (the nearest of equals). Memory: the window.
 * Labels are lost. ERR_USAGE where the rows do not ascend. */
int bvgraph_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

/* `path` without .graph or .properties, and with `tail` behind it, in a malloc'd string. */
char *bvgraph_path(const char *path, const char *tail);

#endif
