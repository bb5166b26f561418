/* The lists of Kleinberg's query graphs: "n ID URL" a node, "e FROM TO" an arc. Every id that is
 * named is a node. Read, not written. */
#ifndef GRAPH_FORMATS_KLEINBERG_H
#define GRAPH_FORMATS_KLEINBERG_H

#include "graph/formats/format.h"

int kleinberg_detect(const char *path);
int kleinberg_load(const char *path, const struct graph_load *load, struct graph *g,
	struct err_note *why) MUST_USE;

/* The URLs; `id` is set where there are any. */
int kleinberg_names(const char *path, struct names *names, struct err_note *why) MUST_USE;

#endif
