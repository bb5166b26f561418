/* Matrix Market, coordinate form: entry (i, j) is the arc from node i to node j, whatever its
 * value, be it zero. Square matrices of any field; symmetric ones (skew, Hermitian) have each arc
 * both ways. Rows are numbered from 1, and so are the nodes: node i is labelled i + 1. */
#ifndef GRAPH_FORMATS_MTX_H
#define GRAPH_FORMATS_MTX_H

#include "graph/formats/format.h"

int mtx_detect(const char *path);
int mtx_load(const char *path, const struct graph_load *load, struct graph *g,
	struct err_note *why) MUST_USE;

/* As pattern, general. Labels are lost, where they are not i + 1. */
int mtx_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
