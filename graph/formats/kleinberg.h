/* The format of Kleinberg's query graphs: a line "n ID URL" for each node, and "e FROM TO" for each arc. Every id
 * that occurs is a node. The format is read, not written. */
#ifndef GRAPH_FORMATS_KLEINBERG_H
#define GRAPH_FORMATS_KLEINBERG_H

#include "graph/formats/format.h"

int kleinberg_detect(const char *path);
int kleinberg_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* Reads the URLs of the nodes; names->id is set if the file has any. */
int kleinberg_names(const char *path, struct names *names, struct err_note *why) MUST_USE;

#endif
