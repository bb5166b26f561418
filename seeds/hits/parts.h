/* The components of the bipartite double cover of a pruned graph: each node as a hub and as an
 * authority, an arc leading from the one copy of u to the other copy of v. What HITS does in one of
 * them depends on it alone.
 *
 * Invariants: a copy whose node is left and that has an arc, on that side, to one that is left
 * belongs to a part; no arc between nodes that are left joins two parts. A large part that has lost
 * little may hold copies without arcs, and hang together no more: that costs less than to look.
 *
 * The members of a part are at first in the order of the length of their rows (up to some length),
 * of equal ones in that of their ids, but those with one target in that of these, so that what is
 * summed together lies together: on pruned web graphs half of the arcs end in such a node. A part
 * that is made ready for HITS (seeds/hits/fold.h) puts them into an order of its own. */
#ifndef SEEDS_HITS_PARTS_H
#define SEEDS_HITS_PARTS_H

#include "seeds/prune.h"

#include <stddef.h>

#define PARTS_NONE UINT32_MAX

struct part_members {
	uint32_t at, n; /* node[at]..node[at + n - 1] */
};

struct part {
	struct part_members hubs, authorities; /* of a large part, some may have been removed */
	uint32_t lost;                         /* copies, since it was last split */
	int whole; /* it hung together when it was last looked at: at first nobody knows */
	/* What HITS left here is relative to the greatest of the part; this is the logarithm of
	 * that, as it were without any normalisation. */
	double hub_log, authority_log;
};

struct parts {
	const struct pruned *pruned;         /* borrowed */
	uint8_t *dead;                       /* a byte a node */
	uint32_t *hub, *authority;           /* nodes, part by part */
	uint32_t *hub_part, *authority_part; /* of each node's copies; PARTS_NONE */
	uint32_t *hub_place,
		*authority_place; /* of a copy that has a part, in hub[], authority[] */
	struct part *part;
	size_t n, room;
	/* Parts that have lost arcs since parts_split(), some of them twice; then those that it
	 * made. */
	uint32_t *changed;
	size_t n_changed, changed_room;
};

/* At first all is one part, which has changed. */
void parts_init(struct parts *p, const struct pruned *pruned);
void parts_release(struct parts *p);

/* Removes a node with its arcs. */
void parts_remove(struct parts *p, uint32_t node);

/* What has changed falls apart, but for large parts that lost less than one copy in
 * PARTS_PATIENCE. Their numbers depend on the graph and on what was removed before alone. O(nodes
 * and arcs of what is looked at). */
#define PARTS_LARGE    16384 /* hubs or authorities, at least */
#define PARTS_PATIENCE 32
void parts_split(struct parts *p);

/* Whether parts_split() would split a part. */
int parts_will_split(const struct parts *p, uint32_t part);

static inline int part_is_large(const struct part *p)
{
	return p->hubs.n > PARTS_LARGE || p->authorities.n > PARTS_LARGE;
}

#endif
