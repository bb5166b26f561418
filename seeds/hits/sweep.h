/* The rows of some nodes, laid out for summing over them again and again: half an iteration of HITS
 * within a part. Members and targets are places, both from 0, so that what is read and written lies
 * close together; rows of equal length stand in runs, so that the processor foresees their ends. */
#ifndef SEEDS_HITS_SWEEP_H
#define SEEDS_HITS_SWEEP_H

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
	double *square; /* two places a block, for sweep_sum() */
	uint8_t *same;  /* a place a block, likewise */
	size_t target_room, run_room, block_room;
};

/* Rows are added one by one: between sweep_begin(), with as many targets as there will be, and
 * sweep_end(). A row's targets go where sweep_row() says. */
void sweep_begin(struct sweep *s, uint64_t targets);
uint32_t *sweep_row(struct sweep *s, uint32_t length);
void sweep_end(struct sweep *s);

/* Where the targets of a row lie that was added before, `length` of them. O(SWEEP_BLOCK). */
uint32_t *sweep_row_at(const struct sweep *s, uint32_t row, uint32_t *length);
void sweep_release(struct sweep *s);

/* y[i] = scale * (the sum of x over the targets of row i + leaves[i] * own * y[i]). */
struct sweep_step {
	const double *x;
	double scale;
	const uint32_t *leaves;
	double own;
	double *y;
};

struct sweep_sums {
	double square, leaf_square; /* the sum of y[i]^2, and of leaves[i] * y[i]^2 */
	int same;                   /* no bit of y changed */
};

/* `threads` never changes the result. */
void sweep_sum(
	struct sweep *s, const struct sweep_step *step, unsigned threads, struct sweep_sums *sums);

#endif
