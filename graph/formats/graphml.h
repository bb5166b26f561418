/* GraphML, for Gephi, yEd, NetworkX, igraph: written, not read. Node i is "n" and its label. */
#ifndef GRAPH_FORMATS_GRAPHML_H
#define GRAPH_FORMATS_GRAPHML_H

#include "graph/graph.h"

int graphml_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
