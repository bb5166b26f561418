/* Matrix Market, coordinate form. An entry (i, j) is an arc from i to j, whatever its value, even zero. The matrix
 * is square and of any field; each entry of a symmetric, skew-symmetric or Hermitian matrix is an arc in both
 * directions. Rows are numbered from 1, so node i has the label i + 1. */
#ifndef GRAPH_FORMATS_MTX_H
#define GRAPH_FORMATS_MTX_H

#include "graph/formats/format.h"

int mtx_detect(const char *path);
int mtx_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* Writes a general pattern matrix. Labels other than i + 1 are lost. */
int mtx_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
