/* A table of arcs for spreadsheets and Gephi, with the heading "Source,Target". The format is only written here;
 * the reader of edge lists (edges.h) reads it. Nodes without arcs are lost. */
#ifndef GRAPH_FORMATS_CSV_H
#define GRAPH_FORMATS_CSV_H

#include "graph/graph.h"

int csv_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
