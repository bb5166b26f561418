/* Adjacency lists, as of Tsaparas' data sets: a line a node, "3: 218 7 -1"; the -1 may be missing.
 * Every id that is named is a node. Read, not written. */
#ifndef GRAPH_FORMATS_ADJACENCY_H
#define GRAPH_FORMATS_ADJACENCY_H

#include "graph/formats/format.h"

int adjacency_detect(const char *path);
int adjacency_load(const char *path, const struct graph_load *load, struct graph *g,
	struct err_note *why) MUST_USE;

#endif
