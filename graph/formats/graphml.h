/* GraphML, for Gephi, yEd, NetworkX and igraph. The format is written, not read. The id of a node is "n" followed
 * by its label. */
#ifndef GRAPH_FORMATS_GRAPHML_H
#define GRAPH_FORMATS_GRAPHML_H

#include "graph/graph.h"

int graphml_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
