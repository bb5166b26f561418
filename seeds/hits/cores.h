/* Extract-Bipartite-Cores (Daneshpajouh, Nasiri and Ghodsi): grows a bipartite core of hubs and authorities from
 * the best authority, by adding one hub and one authority in turn.
 *
 * A candidate for a hub links to an authority of the core; a candidate for an authority is linked from a hub of
 * the core. The candidate with the greatest key joins, of equal keys the lowest id. No node joins both sides.
 *
 * A core by density grows by one node of each side a round, as long as the links from its hubs to its authorities
 * are at least that share of hubs * authorities. A core by size grows until it has that many nodes, whatever its
 * density.
 * Deviation: lines 5 and 6 as printed would add known authorities; the paper's Fig. 2 is followed.
 * Deviation: the printed loop would keep the node that broke the density. Here this node is removed, and if
 *   necessary the other nodes of its round, since the paper calls cores complete.
 * Deviation: while one side has no candidates, the other side goes on growing. A core never exceeds its size. */
#ifndef SEEDS_HITS_CORES_H
#define SEEDS_HITS_CORES_H

#include "seeds/hits/hits_rank.h"

#include <stddef.h>

/* What happens when a node would break the density. */
enum core_growth {
	CORE_STOP,       /* the core is complete, as in the paper */
	CORE_CLOSE_SIDE, /* the node does not join, and no other node joins its side */
	CORE_SKIP        /* the node does not join, and the next round tries the next best one */
};

struct core_rules {
	double density;       /* percent */
	uint64_t size;        /* 0: the core grows by density; else the number of nodes, >= 2 */
	uint64_t new_members; /* by size: the most nodes that join a side in one round */
	uint64_t max_hubs;
	enum core_growth growth;
};

struct candidate {
	uint64_t key;
	uint32_t node;
};

/* The candidates of a side, as a heap with the best one on top. */
struct candidates {
	struct candidate *heap;
	size_t n, room;
	uint32_t *met; /* all nodes that have been candidates */
	size_t n_met, met_room;
};

struct core_side {
	uint32_t *node; /* n of them, in the order in which they joined */
	size_t n, room;
	struct candidates next;
};

/* The core that was grown last, whose memory the next one reuses. */
struct core {
	const struct hits_rank *rank; /* borrowed */
	const struct core_rules *rules;
	struct core_side side[2];
	uint64_t links; /* from hubs to authorities */
	uint8_t *mark;  /* for each node: its role in this core (cores.c) */
};

/* Prepares to grow cores from the nodes of `rank`. */
void core_init(struct core *c, const struct hits_rank *rank, const struct core_rules *rules);

/* Frees the memory. */
void core_release(struct core *c);

/* Grows a core from the nodes that have not been removed from c->rank, which must still have an arc. The core has
 * at least one hub and one authority. Time: O(m log m), where m is the number of links of the core's nodes and
 * candidates. */
void core_grow(struct core *c);

/* Returns the number of links from hubs to authorities, in percent of hubs * authorities. */
double core_density(const struct core *c);

#endif
