/* A table of arcs for spreadsheets and Gephi, with the heading "Source,Target". It is an edge list,
 * too, and read as one; nodes without arcs are lost. */
#ifndef GRAPH_FORMATS_CSV_H
#define GRAPH_FORMATS_CSV_H

#include "graph/graph.h"

int csv_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
