/* Breadth-first search from a set of nodes, and the average distance it gives by sampling. */
#ifndef GRAPH_KERNELS_BFS_H
#define GRAPH_KERNELS_BFS_H

#include "graph/graph.h"

#define BFS_UNREACHED UINT32_MAX

/* Level l (0: the seeds) is order[begin[l]]..order[begin[l + 1] - 1], begin[levels] = reached. */
struct bfs {
	uint32_t reached, levels;
	uint32_t *order; /* nodes as they were found: seeds in the order given, then targets row by
			    row */
	uint32_t *begin; /* levels + 1 */
	uint32_t nodes;  /* of the graph: the room of `order` */
};

/* From `n` seeds, repeated ones taken once; no seeds reach nothing (0 levels). O(nodes + arcs). */
void bfs_run(struct bfs *b, const struct graph *g, const uint32_t *seeds, uint32_t n);
void bfs_release(struct bfs *b);

/* The level of each node, BFS_UNREACHED where there is none, into level[nodes]. */
void bfs_levels(const struct bfs *b, uint32_t *level);

struct bfs_distance {
	uint32_t sources; /* in: nodes to search from, drawn without repeats; at most all */
	uint64_t rng_seed;
	unsigned threads; /* >= 1; never changes the result; each needs 4 1/8 bytes a node */
	uint64_t pairs;   /* out: (source, other node it reaches) */
	double average;   /* out: over these; 0 where there are none */
	uint32_t longest; /* out: likewise */
};

#define BFS_DISTANCE_DEFAULT                                                                       \
	{                                                                                          \
		100, 1, 1, 0, 0.0, 0                                                               \
	}

/* The average length of shortest paths over the ordered pairs that have one, itself left out. */
void bfs_distance(const struct graph *g, struct bfs_distance *d);

#endif
