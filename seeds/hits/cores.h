/* Extract-Bipartite-Cores (Daneshpajouh, Nasiri and Ghodsi): a core of hubs and authorities, grown
 * from the best authority, one hub and one authority in turn.
 *
 * A hub candidate links to an authority of the core, an authority candidate is linked by a hub of
 * the core; the best by (key, lowest id) joins. Nobody is both.
 *
 * With a density: one of each side a round, until the share of links there are among all that could
 * be would fall below it. With a size: until so many nodes are there, whatever the density.
 * Deviations: lines 5 and 6 as printed would add known authorities; the paper's Fig. 2 is followed.
 * The printed loop would return the node that broke the density; here it goes, with those of its
 * round that are needed, as cores are said to be complete. A side without candidates is passed
 * over while the other goes on. A core never has more than its size. */
#ifndef SEEDS_HITS_CORES_H
#define SEEDS_HITS_CORES_H

#include "seeds/hits/hits_rank.h"

#include <stddef.h>

/* What happens when a node breaks the density. */
enum core_growth {
	CORE_STOP,       /* the core is done: the paper's */
	CORE_CLOSE_SIDE, /* the node is left out and no other joins its side */
	CORE_SKIP        /* the node is left out, the next best is tried in the next round */
};

struct core_rules {
	double density;       /* percent */
	uint64_t size;        /* 0: by density; else >= 2 */
	uint64_t new_members; /* by size: at most so many join a side in a round */
	uint64_t max_hubs;
	enum core_growth growth;
};

/* Candidates of a side, best first. */
struct candidates {
	struct candidate {
		uint64_t key;
		uint32_t node;
	} * heap;
	size_t n, room;
	uint32_t *met; /* nodes that were ever among them */
	size_t n_met, met_room;
};

struct side {
	uint32_t *node; /* n of them, in the order in which they joined */
	size_t n, room;
	struct candidates next;
};

/* One core; room for the next. */
struct core {
	const struct hits_rank *rank; /* borrowed */
	const struct core_rules *rules;
	struct side hubs, authorities;
	uint64_t links; /* from hubs to authorities */
	uint8_t *mark;  /* of each node: what it is to this core */
};

void core_init(struct core *c, const struct hits_rank *rank, const struct core_rules *rules);
void core_release(struct core *c);

/* Grows a core from what is left in the graph, where there must be an arc: it has a hub and an
 * authority at least. O(links of its nodes and of those tried, times their logarithm). */
void core_grow(struct core *c);

/* Links from hubs to authorities in percent of all that could be. */
double core_density(const struct core *c);

#endif
