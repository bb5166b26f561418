/* What pagerank() and pagerank_solve() share: they compute on a reordered copy of the graph where this takes less time. */
#ifndef GRAPH_KERNELS_PAGERANK_COPY_H
#define GRAPH_KERNELS_PAGERANK_COPY_H

#include "graph/kernels/pagerank.h"

typedef void pagerank_way(const struct graph *g, struct pagerank *p, double *rank);

/* Calls way(g, p, rank), or the same with a reordered copy of g and all values in its order, after which rank[] has the order
 * of g. `sweeps_share` is the number of sweeps that `way` needs, as a share of those of pagerank(). */
void pagerank_by(pagerank_way *way, double sweeps_share, const struct graph *g, struct pagerank *p, double *rank);

#endif
