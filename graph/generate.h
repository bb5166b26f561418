/* A deterministic web-like graph: hosts with power-law sizes and blocks of consecutive ids, copied
 * and near links within a host, power-law degrees both ways, some dangling pages. */
#ifndef GRAPH_GENERATE_H
#define GRAPH_GENERATE_H

#include "graph/graph.h"
#include "graph/names.h"

struct generate {
	uint32_t nodes;         /* >= 1 */
	double arcs_per_node;   /* > 0 */
	double intra_host;      /* share of arcs within a host; 0.89 */
	double dangling;        /* share of nodes without out-links; 0.14 */
	double self_loops;      /* share of nodes that link to themselves; 0.01 */
	uint64_t rng_seed;
};

#define GENERATE_DEFAULT {1000, 10.0, 0.89, 0.14, 0.01, 1}

/* Same parameters, same graph, on any machine. */
void generate(const struct generate *, struct graph *g);

/* The hosts and URLs of that graph's nodes (http://hN.test/M). */
void generate_names(const struct generate *, struct names *);

#endif
