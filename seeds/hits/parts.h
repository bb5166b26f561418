/* The parts of a pruned graph: the connected components of its bipartite double cover. The double cover has two
 * copies of each node, one as a hub and one as an authority, and for each arc u -> v an edge from the hub copy of
 * u to the authority copy of v. HITS scores within a part depend on that part only.
 *
 * Invariants: each copy with an edge to another copy belongs to a part, unless one of the two nodes has been
 * removed; no edge between nodes that have not been removed joins two parts. A large part that has lost few copies
 * may contain copies without edges, and may be disconnected, since searching it would cost more than the extra
 * copies.
 *
 * At first, the members of a part are ordered by the length of their rows (up to some length), then by id; members
 * with one target are ordered by that target, so that members that are summed together are neighbours in memory.
 * (On pruned web graphs half of the arcs end in such a member.) Folding a part (seeds/hits/fold.h) changes the
 * order. */
#ifndef SEEDS_HITS_PARTS_H
#define SEEDS_HITS_PARTS_H

#include "seeds/prune.h"

#include <stddef.h>

#define PARTS_NONE UINT32_MAX

/* The members of a part on one side: hub[at]..hub[at + n - 1], or the same of authority[]. */
struct part_members {
	uint32_t at, n;
};

struct part {
	struct part_members hubs, authorities; /* some members of a large part may have been removed */
	uint32_t lost;                         /* the copies removed since the part was split */
	int whole; /* the part was connected when it was searched last; 0 before the first search */
	/* The scores of a part are relative to its greatest score; these are the logarithms of the greatest scores, as
	 * they would be without any normalisation. */
	double hub_log, authority_log;
};

struct parts {
	const struct pruned *pruned;         /* borrowed */
	uint8_t *dead;                       /* for each node: 1 if it has been removed */
	uint32_t *hub, *authority;           /* the nodes, part by part */
	uint32_t *hub_part, *authority_part; /* the part of each copy, or PARTS_NONE */
	uint32_t *hub_place, *authority_place; /* the index of each copy with a part in hub[], authority[] */
	struct part *part;
	size_t n, room;
	/* The parts that have lost arcs since parts_split(), some of them twice; after parts_split(), the parts that it
	 * has changed or made. */
	uint32_t *changed;
	size_t n_changed, changed_room;
};

/* Makes one part of the whole graph, which counts as changed. */
void parts_init(struct parts *p, const struct pruned *pruned);

/* Frees the memory. */
void parts_release(struct parts *p);

/* Removes a node with its arcs. */
void parts_remove(struct parts *p, uint32_t node);

#define PARTS_LARGE    16384 /* a part with more hubs or authorities is large */
#define PARTS_PATIENCE 32

/* Splits the parts that have changed into connected parts, except large parts that have lost fewer than one copy
 * in PARTS_PATIENCE. The numbers of the parts depend only on the graph and on the removals so far. Time: O(nodes
 * and arcs of the parts that are split). */
void parts_split(struct parts *p);

/* Says whether parts_split() would search a part. */
int parts_will_split(const struct parts *p, uint32_t part);

/* Says whether a part is large. */
static inline int part_is_large(const struct part *p)
{
	return p->hubs.n > PARTS_LARGE || p->authorities.n > PARTS_LARGE;
}

#endif
