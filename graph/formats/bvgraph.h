/* BVGraph, the compressed format of the WebGraph framework. A graph x consists of x.graph (a stream of bits),
 * x.properties (text) and x.offsets (the position of each row in x.graph, as gamma-coded gaps), which may be
 * missing. The path of a graph is x, x.graph or x.properties. */
#ifndef GRAPH_FORMATS_BVGRAPH_H
#define GRAPH_FORMATS_BVGRAPH_H

#include "graph/formats/format.h"

int bvgraph_detect(const char *path);

/* Reads a graph: with .offsets and several threads many rows at a time, else one after the other; the graph and
 * the errors are the same. All codes are checked; the note of a damaged graph has the node and the bit. The number
 * of arcs must be that of the properties, and the last row must end at the bit that they give as `length`, or else
 * within the last words of the file. Returns 0, ERR_FILE, ERR_FORMAT, or ERR_TOO_BIG if the properties announce
 * more arcs than 2^24 + 4096 for each byte of the file. */
int bvgraph_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* Checks that the positions in the .offsets file, if there is one, are those of the rows; a program that reads
 * single rows would get wrong rows otherwise. Returns 0, ERR_FORMAT, or an error of bvgraph_load(). */
int bvgraph_verify(const char *path, struct err_note *why) MUST_USE;

/* Says whether the graph has an .offsets file, without which rows can only be read in order. */
int bvgraph_has_offsets(const char *path);

/* Writes the .offsets file of a graph. Memory: the rows of the window. Returns 0; ERR_USAGE if the properties ask
 * for a code that cannot be written (delta, nibble); or an error of bvgraph_load(). */
int bvgraph_write_offsets(const char *path, struct err_note *why) MUST_USE;

/* Writes the three files, without labels: with window 7, reference chains of at most 3, intervals of at least 4,
 * and zeta_3. A row refers to the row that makes it shortest, to the nearest one of several. Memory: the rows of
 * the window. Returns 0; ERR_USAGE if the rows do not ascend; or ERR_FILE. */
int bvgraph_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

/* Returns `path` without .graph or .properties, with `tail` appended; the caller frees the text with free(). */
char *bvgraph_path(const char *path, const char *tail);

#endif
