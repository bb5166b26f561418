/* Breadth-first search from a set of nodes, and an estimate of the average distance by sampling.
 *
 *	bfs_run(&b, g, &seed, 1);
 *	... b.reached nodes in b.levels levels ...
 *	bfs_release(&b); */
#ifndef GRAPH_KERNELS_BFS_H
#define GRAPH_KERNELS_BFS_H

#include "graph/graph.h"

#define BFS_UNREACHED UINT32_MAX

/* Level l has the nodes order[begin[l]]..order[begin[l + 1] - 1]; level 0 has the seeds; begin[levels] = reached. */
struct bfs {
	uint32_t reached, levels;
	uint32_t *order; /* the nodes in the order in which they were found: the seeds as given, then row by row */
	uint32_t *begin; /* levels + 1 */
	uint32_t nodes;  /* the number of the graph's nodes */
};

/* Searches from n seeds, of which repeated ones count once. Without seeds there are 0 levels. The caller releases
 * the result with bfs_release(). Time: O(nodes + arcs). */
void bfs_run(struct bfs *b, const struct graph *g, const uint32_t *seeds, uint32_t n);

/* Searches as bfs_run() does, and finds the same levels, but the nodes of a level are in any order. `reverse` is the transposed
 * graph (NULL: there is none). If a level has more links than it takes to find the next one from the nodes that are not reached,
 * the search reads their in-links, each until the first that is reached (Beamer, Asanovic and Patterson, "Direction-optimizing
 * breadth-first search", 2012). That takes a fifth to a half of the time on graphs with short distances, and 5% more at most on
 * others.
 * Deviation: the way is chosen by an estimate of the work of either, from a sample of the nodes, not by fixed shares. */
void bfs_run_both_ways(struct bfs *b, const struct graph *g, const struct graph *reverse, const uint32_t *seeds, uint32_t n);

/* Frees the memory. */
void bfs_release(struct bfs *b);

/* Sets level[v], for each node v of the graph, to its level, or to BFS_UNREACHED. */
void bfs_levels(const struct bfs *b, uint32_t *level);

struct bfs_distance {
	/* set by the caller */
	uint32_t sources; /* the number of nodes to search from, drawn without repeats; at most all nodes */
	uint64_t rng_seed;
	/* >= 1; does not change the result. Each needs 4 1/8 bytes for each node. From 8 sources on the graph is transposed, too,
	 * unless it is GRAPH_BOUNDED. */
	unsigned threads;
	/* results */
	uint64_t pairs;   /* the number of pairs (source, other node that it reaches) */
	double average;   /* the average distance over these pairs; 0 if there are none */
	uint32_t longest; /* the longest distance over these pairs; 0 if there are none */
};

#define BFS_DISTANCE_DEFAULT \
	{ \
		100, 1, 1, 0, 0.0, 0 \
	}

/* Estimates the average length of shortest paths over all ordered pairs of different nodes that have a path. */
void bfs_distance(const struct graph *g, struct bfs_distance *d);

#endif
