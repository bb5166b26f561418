/* The components of a pruned graph: the connected components of its bipartite double cover. The double cover has two
 * copies of each node, one as a hub and one as an authority, and for each arc u -> v an edge from the hub copy of
 * u to the authority copy of v. HITS scores within a component depend on that component only.
 *
 * Invariants: each copy with an edge to another copy belongs to a component, unless one of the two nodes has been
 * removed; no edge between nodes that have not been removed joins two components. A large component that has lost
 * few copies may contain copies without edges, and may be disconnected, since searching it would cost more than the
 * extra copies.
 *
 * At first, the members of a component are ordered by id. A degree-one reduction (seeds/hits/degree_one.h) changes the order. */
#ifndef SEEDS_HITS_BICOVER_H
#define SEEDS_HITS_BICOVER_H

#include "graph/graph.h"

#include <stddef.h>

/* Host pruning: removes the links within a host from a graph, because most of them serve navigation. */

/* The copies of the nodes; !side is the other side. */
enum side { HUBS, AUTHORITIES };

/* A pruned graph. Nodes that have no arc after the pruning are removed; the others keep their order. */
struct pruned {
	struct graph rows[2]; /* of HUBS: the graph; of AUTHORITIES: its reverse */
	uint32_t nodes;
	uint32_t *id; /* the id of each node in the original graph */
};

/* Prunes a graph. host[nodes] is the host of each node, a number; if it is NULL, every node is a host of its own,
 * so that only links of a node to itself are removed. */
void prune(struct pruned *p, const struct graph *g, const uint32_t *host, unsigned threads);

/* Frees a pruned graph. */
void pruned_release(struct pruned *p);

#define BICOVER_NONE UINT32_MAX

struct bicover_component {
	/* node[at]..node[at + n - 1] of a side; some members of a large component may have been removed */
	struct bicover_members {
		uint32_t at, n;
	} members[2];
	uint32_t lost; /* the copies removed since the component was split */
	/* 1 if the component was connected when it was searched last; 0 before the first search */
	int whole;
	/* The scores of a side are relative to its greatest score; this is the logarithm of the greatest score, as it would be
	 * without any normalisation. */
	double log[2];
};

struct bicover {
	const struct pruned *pruned; /* borrowed */
	uint8_t *dead;               /* for each node: 1 if it has been removed */
	struct bicover_side {
		uint32_t *node;      /* the nodes, component by component */
		uint32_t *component; /* the component of each copy, or BICOVER_NONE */
		uint32_t *place;     /* the index in node[] of each copy with a component */
	} side[2];
	struct bicover_component *component;
	size_t n, room;
	/* The components that have lost arcs since bicover_split(), some of them twice; after bicover_split(), the
	 * components that it has changed or made. */
	uint32_t *changed;
	size_t n_changed, changed_room;
};

/* Makes one component of the whole graph, which counts as changed. */
void bicover_init(struct bicover *p, const struct pruned *pruned);

/* Frees the memory. */
void bicover_release(struct bicover *p);

/* Removes a node with its arcs. */
void bicover_remove(struct bicover *p, uint32_t node);

#define BICOVER_LARGE    16384 /* a component with more hubs or authorities is large */
#define BICOVER_PATIENCE 32

/* Splits the components that have changed into connected ones, except large components that have lost fewer than one
 * copy in BICOVER_PATIENCE. The numbers of the components depend only on the graph and on the removals so far. Time:
 * O(nodes and arcs of the components that are split). */
void bicover_split(struct bicover *p);

/* Says whether bicover_split() would search a component. */
int bicover_will_split(const struct bicover *p, uint32_t component);

/* Says whether a component is large. */
static inline int bicover_component_is_large(const struct bicover_component *p)
{
	return p->members[HUBS].n > BICOVER_LARGE || p->members[AUTHORITIES].n > BICOVER_LARGE;
}

/* Returns the number of copies in a component. */
static inline uint64_t bicover_component_copies(const struct bicover_component *p)
{
	return (uint64_t)p->members[HUBS].n + p->members[AUTHORITIES].n;
}

#endif
