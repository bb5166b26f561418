/* A deterministic web-like graph: hosts with power-law sizes and blocks of consecutive ids, copied
 * and near links within a host, power-law degrees both ways, some dangling pages. */
#ifndef GRAPH_KERNELS_GENERATE_H
#define GRAPH_KERNELS_GENERATE_H

#include "graph/graph.h"
#include "graph/formats/names.h"

struct generate {
	uint32_t nodes;       /* >= 1 */
	double arcs_per_node; /* > 0 */
	double intra_host;    /* share of arcs within a host; 0.89 */
	double dangling;      /* share of nodes without out-links; 0.14 */
	double self_loops;    /* share of nodes that link to themselves; 0.01 */
	uint64_t rng_seed;
};

#define GENERATE_DEFAULT                                                                           \
	{                                                                                          \
		1000, 10.0, 0.89, 0.14, 0.01, 1                                                    \
	}

/* Same parameters, same graph, on any machine. Shares outside 0..1 are taken for the nearer end.
 * From 10,000 nodes on there are nodes * arcs_per_node arcs within 2%, as far as distinct targets
 * last. */
void generate(const struct generate *, struct graph *g);

/* Likewise, in a temporary file where the memory is bounded. ERR_FILE. */
int generate_within(const struct generate *, const struct graph_space *space, struct graph *g,
	struct err_note *why) MUST_USE;

/* The same graph row by row, in the order of the ids, none kept: row(ctx, u, target, n) gets u's
 * targets, ascending, the generator's until it returns. Anything but 0 from it ends the work and is
 * returned. Memory: 4 bytes a host and a few rows. */
int generate_rows(const struct generate *,
	int (*row)(void *ctx, uint32_t u, const uint32_t *target, uint32_t n), void *ctx) MUST_USE;

/* The hosts and URLs of that graph's nodes (http://hN.test/M). */
void generate_names(const struct generate *, struct names *);

#endif
