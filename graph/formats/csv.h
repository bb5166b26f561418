/* A table of arcs for spreadsheets and Gephi, with the heading "Source,Target", or, with URLs,
 * "Source,Target,SourceURL,TargetURL". The format is only written here; the reader of edge lists (edges.h) reads it.
 * Nodes without arcs are lost. */
#ifndef GRAPH_FORMATS_CSV_H
#define GRAPH_FORMATS_CSV_H

#include "graph/formats/names.h"

int csv_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

/* A URL with a comma, a quotation mark or a control character stands in quotation marks (RFC 4180). */
int csv_save_urls(const struct graph *g, const struct names *, const char *path, struct err_note *why) MUST_USE;

#endif
