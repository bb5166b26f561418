/* GraphML, for Gephi, yEd, NetworkX and igraph. The format is written, not read. The id of a node is "n" followed
 * by its label; its URL, if it is known, is the attribute `url`. */
#ifndef GRAPH_FORMATS_GRAPHML_H
#define GRAPH_FORMATS_GRAPHML_H

#include "graph/formats/names.h"

int graphml_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

/* Malformed UTF-8, control characters, U+FFFE and U+FFFF of a URL become U+FFFD, since XML has none of them. */
int graphml_save_urls(const struct graph *g, const struct names *, const char *path, struct err_note *why) MUST_USE;

#endif
