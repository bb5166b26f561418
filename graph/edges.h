/* SNAP edge lists, as found in the wild: text, a line an arc, any order, repeats; see
 * graph/arctext.h for the lines and graph/arcs.h for which ids are nodes. Besides
 *   "# Nodes: N Edges: M"  there are N nodes (M is ignored: some count repeats, some do not)
 *   "# Isolated: ID ..."   these are nodes too; ours, written only where ids are labels
 *   a first line of words  is a heading
 * Compressed ones (gz, xz, zst, bz2) are read as they are. */
#ifndef GRAPH_EDGES_H
#define GRAPH_EDGES_H

#include "graph/format.h"

int edges_detect(const char *path);
int edges_load(const char *path, const struct graph_load *load, struct graph *g,
	struct err_note *why) MUST_USE;
int edges_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
