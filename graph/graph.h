/* A directed graph of dense ids 0..nodes-1 in compressed rows, the one form in which kernels,
 * replays and servers see a graph, wherever it came from.
 *
 * Invariants: offset[0] = 0, offset rises, offset[nodes] = arcs; the targets of a node are
 * distinct, ascending and below nodes (a graph from a store is the exception: its rows keep
 * document order, GRAPH_ORDERED is not set). Self-loops stay. Immutable once built, so threads may
 * share it. */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include "base/err.h"

#include <stdint.h>

#define GRAPH_MAX_NODES (UINT32_MAX - 1)

enum graph_flag {
	GRAPH_ORDERED = 1, /* every row ascends */
	GRAPH_BOUNDED = 2, /* the targets are a file, little of which is to stay in memory */
};

/* Where a graph that is read or made may lie. */
struct graph_space {
	uint64_t memory;    /* bytes for its arcs, whatever is more goes to the disk; 0: no bound */
	const char *folder; /* for temporary files; NULL: TMPDIR, else /tmp */
};

struct graph {
	uint32_t nodes;
	uint64_t arcs;
	const uint64_t *offset; /* nodes + 1 */
	const uint32_t *target; /* arcs */
	unsigned flags;         /* enum graph_flag */
	/* The data set's own ids: label[i] is what node i is called there (ascending). NULL where a
	 * node's id is its place. */
	const uint64_t *label;

	/* How the arrays are to be given back; set by whoever made the graph. */
	void (*free_arrays)(struct graph *);
	void *arrays;
};

/* The targets of u: the graph's until graph_release(). */
static inline const uint32_t *graph_row(const struct graph *g, uint32_t u)
{
	return g->target + g->offset[u];
}

static inline uint32_t graph_outdegree(const struct graph *g, uint32_t u)
{
	return (uint32_t)(g->offset[u + 1] - g->offset[u]);
}

static inline uint64_t graph_label(const struct graph *g, uint32_t u)
{
	return g->label ? g->label[u] : u;
}

/* Says that the targets of the arcs from `begin` to `end` - 1 are not needed soon: those of a bounded
 * graph leave the memory, and are read from their file when they are asked for again. */
void graph_drop(const struct graph *g, uint64_t begin, uint64_t end);

/* For a loop that reads rows in ascending order: says that no row before that of `u` is needed any
 * more. *passed, 0 at the first call, is the loop's. Of a bounded graph of any size only a few MiB of
 * targets then stay in memory. */
static inline void graph_pass(const struct graph *g, uint64_t *passed, uint32_t u)
{
	if (g->flags & GRAPH_BOUNDED && g->offset[u] - *passed > 1u << 21) {
		graph_drop(g, *passed, g->offset[u]);
		*passed = g->offset[u];
	}
}

/* The node of a label into *u; 0 where there is none, 1 where there is. O(log nodes). */
int graph_find_label(const struct graph *g, uint64_t label, uint32_t *u);

/* Gives back all memory (or the mapping). Safe on a zeroed struct. */
void graph_release(struct graph *g);

/* A graph from arcs in any order, parallel ones merged: `from` and `to` hold `arcs` ids below
 * `nodes`. The arrays are the caller's and unchanged. O(arcs), two counting passes. */
void graph_from_arcs(
	struct graph *g, uint32_t nodes, const uint32_t *from, const uint32_t *to, uint64_t arcs);

/* Likewise, but takes over the two malloc'd arrays, which saves their memory: 12 bytes an arc at
 * the peak, result included. */
void graph_take_arcs(struct graph *g, uint32_t nodes, uint32_t *from, uint32_t *to, uint64_t arcs);

/* Takes over malloc'd rows that keep the invariants (asserted where cheap). */
void graph_take_rows(
	struct graph *g, uint32_t nodes, uint64_t *offset, uint32_t *target, unsigned flags);

/* Takes over malloc'd labels, `nodes` of them, ascending, for a graph that graph_take_*() or
 * graph_from_arcs() made and that has none. NULL is none. */
void graph_take_labels(struct graph *g, uint64_t *label);

/* XXH3 over nodes, offsets and targets (little-endian): the same graph has the same fingerprint in
 * any format, whatever its labels. */
uint64_t graph_fingerprint(const struct graph *g);

/* The reverse graph: v -> u for each u -> v, rows ascending. Labels are shared with `g`, which must
 * outlive it. `threads` >= 1 never changes the result. */
void graph_transpose(const struct graph *g, struct graph *reverse, unsigned threads);

/* Likewise within a bounded memory, by sorting on the disk. ERR_FILE. */
int graph_transpose_within(const struct graph *g, const struct graph_space *space,
	struct graph *reverse, struct err_note *why) MUST_USE;

#endif
