/* Arcs with the data set's own ids, as a text gives them one by one, until all are there and it is
 * known which ids are nodes. */
#ifndef GRAPH_FORMATS_ARCS_H
#define GRAPH_FORMATS_ARCS_H

#include "graph/graph.h"
#include "graph/memory/runs.h"

#include <stddef.h>

#define ARCS_MAX ((size_t)1 << 33)

struct arcs {
	uint32_t *from, *to;           /* until an id needs more than 32 bits ... */
	uint64_t *wide_from, *wide_to; /* ... and from then on */
	size_t count, room;            /* of them */
	size_t most;                   /* in memory; 0: no bound */
	uint64_t spilled;              /* others, in `runs` */
	struct runs *runs;             /* NULL until it is needed */
	struct graph_space space;
	int is_mirrored; /* the reverse of every arc is one as well, but for loops */
	int err;         /* why nothing more can be spilled, with its note */
	struct err_note note;
	uint64_t *single; /* ids that were named without an arc */
	size_t singles, single_room;
	uint64_t least, most_id; /* of all ids; least > most_id where there are none */
};

#define ARCS_EMPTY                                                                                 \
	{                                                                                          \
		.least = UINT64_MAX                                                                \
	}

void arcs_release(struct arcs *a);

/* What is more than fits into the space goes to the disk, in sorted runs. `space` is borrowed until
 * the graph is made. Without this there is no bound. */
void arcs_bound(struct arcs *a, const struct graph_space *space);

/* Adds one. At most ARCS_MAX: the caller asks arcs_check() now and then. */
void arcs_add(struct arcs *a, uint64_t from, uint64_t to);
void arcs_add_single(struct arcs *a, uint64_t id);

/* Adds one before all others, so that what ascends goes on ascending. O(arcs in memory). */
void arcs_add_first(struct arcs *a, uint64_t from, uint64_t to);

/* All that were added; mirrored ones do not count. */
static inline uint64_t arcs_total(const struct arcs *a)
{
	return a->count + a->spilled;
}

/* ERR_TOO_BIG over ARCS_MAX, ERR_FILE where the disk is full. */
int arcs_check(const struct arcs *a, const char *path, struct err_note *why) MUST_USE;

/* Room for n more in from[count...] and to[count...]; 0 where the ids are wide. Many at once are
 * quicker written there; then arcs_take() counts them. */
int arcs_room(struct arcs *a, size_t n);
void arcs_take(struct arcs *a, size_t n);

/* Room from the start for the arcs that `bytes` of text may hold, as far as that is credible. */
void arcs_expect(struct arcs *a, uint64_t bytes);

/* What a file says of its nodes. */
struct arcs_nodes {
	uint64_t announced; /* nodes that there are, by the file's header */
	int is_announced;
	uint32_t hint;   /* nodes that there are, by a list of names; 0 for none */
	int is_from_one; /* the ids are 1..announced for certain; the caller has checked it */
};

/* Makes the graph and empties `a`, whether or not it fails. With N nodes announced (else hinted):
 * are all ids below N, they are nodes as they are; else, are all in 1..N, node i is labelled i + 1;
 * else, and where nothing is known of N, the nodes are the distinct ids, ascending and labelled (no
 * label where they are 0, 1, 2 ...). ERR_TOO_BIG over GRAPH_MAX_NODES, and where more nodes are
 * announced than the arcs make credible: 2^24 and 64 an arc.
 * O(arcs), for sparse ids above 32 bits O(arcs log nodes). Memory: 12 bytes an arc and 24 a node;
 * with a bound, no more arcs than that, and the graph lies on the disk where they were more. */
int arcs_to_graph(struct arcs *a, const struct arcs_nodes *nodes, const char *path, struct graph *g,
	struct err_note *why) MUST_USE;

#endif
