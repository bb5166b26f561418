/* A graph made row by row: on the heap, or, where memory is bounded, in a temporary file that is
 * then seen as memory; then only what a node needs, 8 bytes, stays on the heap. */
#ifndef GRAPH_MEMORY_ROWS_H
#define GRAPH_MEMORY_ROWS_H

#include "graph/graph.h"
#include "graph/memory/tempfile.h"

#include <stddef.h>

struct rows {
	uint32_t nodes, next; /* offset[0] ... offset[next - 1] are set */
	uint64_t arcs;
	uint64_t *offset;
	uint32_t *target; /* all of them, or those that wait for the file */
	size_t used, room;
	int is_file;
	struct tempfile file;
};

/* A graph of so many nodes. ERR_FILE where there can be no temporary file; then nothing is to be
 * released. */
int rows_begin(struct rows *r, uint32_t nodes, const struct graph_space *space,
	struct err_note *why) MUST_USE;

/* Writes what waits. */
void rows_relieve(struct rows *r);

/* One more target of u, which is the last u or a later one. */
static inline void rows_add(struct rows *r, uint32_t u, uint32_t v)
{
	while (r->next <= u)
		r->offset[r->next++] = r->arcs;
	if (r->used == r->room)
		rows_relieve(r);
	r->target[r->used++] = v;
	r->arcs++;
}

/* All targets of u, a later one than the last; there may be none. */
void rows_add_row(struct rows *r, uint32_t u, const uint32_t *target, size_t n);

/* The graph; rows that were not added are empty. `label` is taken over in any case (NULL: none).
 * ERR_FILE where the file could not be written. */
int rows_end(struct rows *r, unsigned flags, uint64_t *label, struct graph *g,
	struct err_note *why) MUST_USE;

/* Gives all up, instead of rows_end(). */
void rows_abandon(struct rows *r);

#endif
