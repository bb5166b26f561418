/* Collects the arcs of a text file with the data set's ids, and makes the graph when all arcs are there and it is
 * known which ids are nodes.
 *
 *	struct arcs a = ARCS_EMPTY;
 *	arcs_add(&a, from, to);                              for each arc
 *	code = arcs_to_graph(&a, &nodes, path, &g, why); */
#ifndef GRAPH_FORMATS_ARCS_H
#define GRAPH_FORMATS_ARCS_H

#include "graph/graph.h"
#include "graph/memory/runs.h"

#include <stddef.h>

#define ARCS_MAX ((size_t)1 << 33)

struct arcs {
	uint32_t *from, *to;           /* the arcs, as long as all ids fit into 32 bits */
	uint64_t *wide_from, *wide_to; /* the arcs, otherwise */
	size_t count, room;            /* arcs in memory */
	size_t most;                   /* the most arcs in memory; 0: no bound */
	uint64_t spilled;              /* arcs on the disk, in `runs` */
	struct runs *runs;             /* NULL as long as no arc is on the disk */
	struct graph_space space;
	int is_mirrored; /* 1: each arc stands for itself and its reverse */
	int err;         /* the first error of writing to the disk, whose note follows; 0: none */
	struct err_note note;
	uint64_t *single; /* ids that occur without an arc */
	size_t singles, single_room;
	uint64_t least, most_id; /* the least and the greatest id; least > most_id if there are none */
};

#define ARCS_EMPTY \
	{ \
		.least = UINT64_MAX \
	}

/* Frees everything, for a caller that makes no graph. */
void arcs_release(struct arcs *a);

/* Sets a bound on memory: arcs that do not fit go to the disk, in sorted runs. `space` must be valid until the
 * graph is made. Without this call there is no bound. */
void arcs_bound(struct arcs *a, const struct graph_space *space);

/* Adds an arc. An error of the disk or more than ARCS_MAX arcs show up in arcs_check(), which the caller calls
 * from time to time. */
void arcs_add(struct arcs *a, uint64_t from, uint64_t to);

/* Adds an id that is a node even if it has no arc. */
void arcs_add_single(struct arcs *a, uint64_t id);

/* Adds an arc before all others, so that arcs in ascending order stay in order. Time: O(arcs in memory). */
void arcs_add_first(struct arcs *a, uint64_t from, uint64_t to);

/* Returns the number of arcs that were added, not counting their reverses. */
static inline uint64_t arcs_total(const struct arcs *a)
{
	return a->count + a->spilled;
}

/* Returns 0; ERR_TOO_BIG if there are more than ARCS_MAX arcs; or ERR_FILE if the disk is full. `path` is the file
 * that the arcs come from, for the note. */
int arcs_check(const struct arcs *a, const char *path, struct err_note *why) MUST_USE;

/* Makes room for n more arcs in from[count ...] and to[count ...], so that the caller can write many arcs there at
 * once, and then call arcs_take(). Returns 1, or 0 if ids need more than 32 bits; the caller then uses arcs_add(). */
int arcs_room(struct arcs *a, size_t n);

/* Adds the n arcs that the caller has written to from[count ...] and to[count ...]. */
void arcs_take(struct arcs *a, size_t n);

/* Makes room for the arcs that a file of so many bytes may contain, up to a limit. */
void arcs_expect(struct arcs *a, uint64_t bytes);

/* What is known about the nodes of a file. */
struct arcs_nodes {
	uint64_t announced; /* the number of nodes by the file's header */
	int is_announced;   /* 1 if the header tells it */
	uint32_t hint;      /* the number of nodes by a list of names; 0: there is none */
	int is_from_one;    /* 1: the ids are 1..announced, which the caller has checked */
};

/* Makes the graph and releases `a`, also after an error. Let N be the announced number of nodes, or else the hint.
 * If all ids are below N, node i has the id i. Otherwise, if all ids are in 1..N, node i has the label i + 1.
 * Otherwise, or if N is unknown, the nodes are the distinct ids in ascending order, with labels unless the ids are
 * 0, 1, 2 ... Returns 0; ERR_TOO_BIG if there are more than GRAPH_MAX_NODES nodes, or if more nodes are announced
 * than 2^24 + 64 for each arc; or ERR_FILE. Time: O(arcs), or O(arcs log nodes) for sparse ids above 32 bits.
 * Memory: 12 bytes for each arc and 24 for each node; with a bound on memory, the graph lies on the disk if its
 * arcs exceed the bound. */
int arcs_to_graph(struct arcs *a, const struct arcs_nodes *nodes, const char *path, struct graph *g, struct err_note *why) MUST_USE;

#endif
