/* ASCIIGraph, a text format of the WebGraph framework (x.graph-txt). The first line has the number of nodes; then
 * follows one line for each node, with its targets in ascending order and blanks between them; the line of a node
 * without links is empty. Nodes are numbered from 0. The file may be compressed, and lines may have any length. */
#ifndef GRAPH_FORMATS_ASCIIGRAPH_H
#define GRAPH_FORMATS_ASCIIGRAPH_H

#include "graph/formats/format.h"

/* Says whether the first line consists of one number. */
int asciigraph_detect(const char *path);

/* Reads a file. Returns 0, or ERR_FORMAT with file and line in the note if a target is no node or does not ascend,
 * or if the number of lines is wrong; or ERR_FILE or ERR_TOO_BIG. */
int asciigraph_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* Writes a file, without labels. */
int asciigraph_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
