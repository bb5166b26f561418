/* Generates a web-like graph. The sizes of hosts follow a power law, and the pages of a host have consecutive ids;
 * within a host, links are copied from other pages or lead to near ids; in- and out-degrees follow power laws;
 * some pages have no links. Equal parameters give the same graph on every machine. */
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

#define GENERATE_DEFAULT \
	{ \
		1000, 10.0, 0.89, 0.14, 0.01, 1 \
	}

/* Generates the graph. Shares below 0 count as 0, and shares above 1 as 1. From 10,000 nodes on, the number of
 * arcs is within 2% of nodes * arcs_per_node, unless that needs more distinct targets than there are. */
void generate(const struct generate *, struct graph *g);

/* Generates the graph within a bound on memory. Returns 0 or ERR_FILE. */
int generate_within(const struct generate *, const struct graph_space *space, struct graph *g, struct err_note *why) MUST_USE;

/* Generates the same graph row by row: calls row(ctx, u, target, n) for each node u in order, with its n ascending
 * targets, which are valid during the call. If a call returns a value other than 0, the function ends and returns
 * it. Memory: 4 bytes for each host, and a few rows. */
int generate_rows(const struct generate *, int (*row)(void *ctx, uint32_t u, const uint32_t *target, uint32_t n),
	void *ctx) MUST_USE;

/* Makes the hosts and URLs of the nodes of that graph (http://hN.test/M). */
void generate_names(const struct generate *, struct names *);

#endif
