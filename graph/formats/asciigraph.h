/* The WebGraph framework's ASCIIGraph, x.graph-txt: the number of nodes on the first line, then, on
 * a line a node, the nodes that it links to, ascending, with blanks between; an empty line is a node
 * without links. Nodes are numbered from 0. May be packed; lines may be of any length. */
#ifndef GRAPH_FORMATS_ASCIIGRAPH_H
#define GRAPH_FORMATS_ASCIIGRAPH_H

#include "graph/formats/format.h"

/* Whether the first line is one number alone. */
int asciigraph_detect(const char *path);

/* ERR_FORMAT with file and line where a target is none, or does not ascend, and where there are
 * more lines than nodes, or fewer. */
int asciigraph_load(const char *path, const struct graph_load *load, struct graph *g,
	struct err_note *why) MUST_USE;

/* Labels are lost. */
int asciigraph_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
