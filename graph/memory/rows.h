/* Makes a graph row by row: on the heap, or, with a bound on memory, in a temporary file that is mapped in the
 * end, so that only 8 bytes for each node stay on the heap.
 *
 *	rows_begin(&r, nodes, &space, why);
 *	rows_add(&r, u, v);                                  for each arc, by ascending u
 *	code = rows_end(&r, GRAPH_ORDERED, NULL, &g, why); */
#ifndef GRAPH_MEMORY_ROWS_H
#define GRAPH_MEMORY_ROWS_H

#include "graph/graph.h"
#include "graph/memory/mapping.h"

#include <stddef.h>

struct rows {
	uint32_t nodes, next; /* offset[0] ... offset[next - 1] are set */
	uint64_t arcs;
	uint64_t *offset;
	uint32_t *target; /* all targets, or those that are not in the file yet */
	size_t used, room;
	int is_file;
	struct tempfile file;
};

/* Begins a graph of so many nodes. Returns 0, or ERR_FILE if no temporary file can be created; then there is
 * nothing to release. */
int rows_begin(struct rows *r, uint32_t nodes, const struct graph_space *space, struct err_note *why) MUST_USE;

/* Makes room in `target`, by growing it or by writing it to the file; rows_add() calls this. */
void rows_relieve(struct rows *r);

/* Adds a target to the row of u, which is not below the u of the call before. */
static inline void rows_add(struct rows *r, uint32_t u, uint32_t v)
{
	while (r->next <= u)
		r->offset[r->next++] = r->arcs;
	if (r->used == r->room)
		rows_relieve(r);
	r->target[r->used++] = v;
	r->arcs++;
}

/* Adds the whole row of u, n targets, n >= 0; u is greater than that of the call before. */
void rows_add_row(struct rows *r, uint32_t u, const uint32_t *target, size_t n);

/* Ends the graph; rows that were not added are empty. `label` (NULL: no labels) is taken over, also after an
 * error. Returns 0, or ERR_FILE if the file could not be written. */
int rows_end(struct rows *r, unsigned flags, uint64_t *label, struct graph *g, struct err_note *why) MUST_USE;

/* Discards everything, instead of rows_end(). */
void rows_abandon(struct rows *r);

#endif
