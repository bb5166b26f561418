/* A directed graph in compressed sparse rows. The nodes are the ids 0..nodes-1. Kernels, replays and servers use
 * this form for every graph, whatever its format on disk.
 *
 *	const struct graph_load load = {.threads = 1};
 *	graph_open("web.txt", &load, &g, NULL, why);         graph/formats/format.h
 *	for (i = 0, row = graph_row(&g, u); i < graph_outdegree(&g, u); i++)
 *		... arc u -> row[i] ...
 *	graph_release(&g);
 *
 * Invariants: offset[0] = 0; offset never decreases; offset[nodes] = arcs. The targets of a node are distinct and
 * below `nodes`. They ascend if GRAPH_ORDERED is set; it is not set for a graph from a store, whose rows are in
 * document order. A row may contain its own node. A graph is immutable once built, so threads may share it. */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include "base/err.h"

#include <stdint.h>

#define GRAPH_MAX_NODES (UINT32_MAX - 1)

enum graph_flag {
	GRAPH_ORDERED = 1, /* every row ascends */
	GRAPH_BOUNDED = 2, /* the targets are a mapped file, and only a part may stay in memory */
};

/* A bound on the memory of a graph that is read or made. */
struct graph_space {
	uint64_t memory;    /* bytes for the arcs; further arcs go to the disk; 0: no bound */
	const char *folder; /* the folder for temporary files; NULL: TMPDIR, or else /tmp */
};

struct graph {
	uint32_t nodes;
	uint64_t arcs;
	const uint64_t *offset; /* nodes + 1 */
	const uint32_t *target; /* arcs */
	unsigned flags;         /* enum graph_flag */
	/* label[i] is the id of node i in the data set; labels ascend. NULL: the ids are the same. */
	const uint64_t *label;

	/* Frees the arrays; set by the function that made the graph. */
	void (*free_arrays)(struct graph *);
	void *arrays;
};

/* Returns the targets of node u, graph_outdegree() of them, which are valid until graph_release(). */
static inline const uint32_t *graph_row(const struct graph *g, uint32_t u)
{
	return g->target + g->offset[u];
}

/* Returns the number of targets of node u. */
static inline uint32_t graph_outdegree(const struct graph *g, uint32_t u)
{
	return (uint32_t)(g->offset[u + 1] - g->offset[u]);
}

/* Returns the id of node u in the data set. */
static inline uint64_t graph_label(const struct graph *g, uint32_t u)
{
	return g->label ? g->label[u] : u;
}

/* Hints that the targets with the indices [begin, end) are not needed soon. If the graph is GRAPH_BOUNDED, they
 * leave the memory, and are read from the file when they are used again. */
void graph_drop(const struct graph *g, uint64_t begin, uint64_t end);

/* Hints, in a loop over rows in ascending order, that the rows before `u` are not needed any more. *passed is a
 * variable of the loop that is 0 at first. With this hint only a few MiB of a GRAPH_BOUNDED graph are in memory at
 * a time. */
static inline void graph_pass(const struct graph *g, uint64_t *passed, uint32_t u)
{
	if (g->flags & GRAPH_BOUNDED && g->offset[u] - *passed > 1u << 21) {
		graph_drop(g, *passed, g->offset[u]);
		*passed = g->offset[u];
	}
}

/* Finds the node with a label. Returns 1 with *u, or 0. Time: O(log nodes). */
int graph_find_label(const struct graph *g, uint64_t label, uint32_t *u);

/* Frees a graph. A zeroed struct is allowed. */
void graph_release(struct graph *g);

/* Makes a graph from arcs in any order: arc i goes from from[i] to to[i], which are below `nodes`. Equal arcs
 * become one. The caller keeps the arrays, which are unchanged. Time: O(arcs). */
void graph_from_arcs(struct graph *g, uint32_t nodes, const uint32_t *from, const uint32_t *to, uint64_t arcs);

/* Makes a graph as graph_from_arcs() does, but takes over the two arrays, which come from malloc(). Memory: 12
 * bytes for each arc at the peak, the graph included. */
void graph_take_arcs(struct graph *g, uint32_t nodes, uint32_t *from, uint32_t *to, uint64_t arcs);

/* Makes a graph of two arrays from malloc() that satisfy the invariants (some of which are asserted), and takes
 * them over. `flags` are of enum graph_flag. */
void graph_take_rows(struct graph *g, uint32_t nodes, uint64_t *offset, uint32_t *target, unsigned flags);

/* Gives labels to a graph without labels that one of the three functions above made. `label` has `nodes` ascending
 * entries, comes from malloc(), and is taken over; NULL has no effect. */
void graph_take_labels(struct graph *g, uint64_t *label);

/* Returns an XXH3 hash of nodes, offsets and targets, without the labels. A graph has the same fingerprint in
 * every format. */
uint64_t graph_fingerprint(const struct graph *g);

/* Makes the transposed graph, which has an arc v -> u for each arc u -> v; its rows ascend. It shares the labels
 * of `g`, which must outlive it. The result does not depend on `threads`, which must be at least 1. */
void graph_transpose(const struct graph *g, struct graph *reverse, unsigned threads);

/* Makes the transposed graph within a bound on memory, by sorting on the disk. Returns 0 or ERR_FILE. */
int graph_transpose_within(const struct graph *g, const struct graph_space *space, struct graph *reverse,
	struct err_note *why) MUST_USE;

#endif
