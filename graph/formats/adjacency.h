/* The format of adjacency lists, as in Tsaparas' data sets: one line "3: 218 7 -1" for each node, in which the -1
 * may be missing. Every id that occurs is a node. The format is read, not written. */
#ifndef GRAPH_FORMATS_ADJACENCY_H
#define GRAPH_FORMATS_ADJACENCY_H

#include "graph/formats/format.h"

int adjacency_detect(const char *path);
int adjacency_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

#endif
