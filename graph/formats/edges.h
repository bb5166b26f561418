/* SNAP edge lists, as found in the wild: text, a line an arc, any order, repeats; see
 * graph/formats/arctext.h for the lines and graph/formats/arcs.h for which ids are nodes. Besides
 *   "# Nodes: N Edges: M"  there are N nodes; that there are fewer lines than M is odd (that there
 *                          are more is not: some count repeats, some do not), and none at all is
 *                          ERR_FORMAT: the file was cut short, as is one that ends within a comment
 *                          before its first arc
 *   "# Isolated: ID ..."   these are nodes too; ours, written only where ids are labels
 *   a first line of words  is a heading; ERR_FORMAT where it names another column than the first
 *                          "from" or "source", or another than the second "to" or "target"
 *   some lines longer      than others is odd: these may be lists, or another format
 *   a first line "N M"     or "N N M", where no comment announces nodes, is a heading if exactly M
 *                          arcs follow, M is no less than N / 64, and all ids lie below N, or, where
 *                          M >= N, within 1..N; of "N M" M must also be no less than N, for it could
 *                          be the arc from N to M ("N N M" could only be a link of N to itself). That
 *                          it was taken as a heading is said in `odd`, as is what looks like one but
 *                          does not fit, and is an arc
 * Compressed ones (gz, xz, zst, bz2) are read as they are. */
#ifndef GRAPH_FORMATS_EDGES_H
#define GRAPH_FORMATS_EDGES_H

#include "graph/formats/format.h"

int edges_detect(const char *path);
int edges_load(const char *path, const struct graph_load *load, struct graph *g,
	struct err_note *why) MUST_USE;
int edges_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
