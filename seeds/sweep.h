/* The rows of some nodes, laid out for summing over them again and again: half an iteration of HITS
 * within a part. Members and targets are places, both from 0, so that what is read and written lies
 * close together; rows of equal length stand in runs, so that the processor foresees their ends. */
#ifndef SEEDS_SWEEP_H
#define SEEDS_SWEEP_H

#include "graph/graph.h"

#include <stddef.h>

#define SWEEP_BLOCK 16384 /* rows that are one piece of work for a thread */

struct sweep_run {
	uint32_t length, rows;
};

/* Where a block begins. */
struct sweep_block {
	uint64_t target;
	size_t run;
};

/* Zeroed before; may be built any number of times, and is released once. */
struct sweep {
	uint32_t rows, blocks;
	uint64_t targets;
	uint32_t *target;
	struct sweep_run *run; /* none reaches into another block */
	size_t runs;
	struct sweep_block *block;
	double *square; /* a place a block, for sweep_sum() */
	uint8_t *same;  /* likewise */
	size_t target_room, run_room, block_room;
};

/* Which rows of which graph, and what their targets are called. */
struct sweep_of {
	const struct graph *graph;
	const uint32_t *member; /* n nodes */
	uint32_t n;
	const uint8_t *dead;   /* targets that are left out; each member keeps one */
	const uint32_t *place; /* of a target, from `first` on */
	uint32_t first;
};

void sweep_build(struct sweep *s, const struct sweep_of *of);
void sweep_release(struct sweep *s);

/* y[i] = scale * the sum of x over the targets of row i. Returns the L2 norm of y; *same becomes 0
 * where a bit of y changed. `threads` never changes the result. */
double sweep_sum(
	struct sweep *s, const double *x, double scale, double *y, unsigned threads, int *same);

#endif
