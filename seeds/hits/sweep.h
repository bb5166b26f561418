/* A sparse matrix laid out for repeated multiplication with a vector: half an iteration of HITS within a component.
 * Rows and targets are numbered from 0, so that the vectors are compact; rows of equal length are neighbours (a
 * run), so that the processor predicts the ends of rows.
 *
 *	sweep_begin(&s, targets);
 *	for each row: memcpy(sweep_row(&s, length), row, length * sizeof *row);
 *	sweep_end(&s);
 *	sweep_sum(&s, &step, threads, &sums); */
#ifndef SEEDS_HITS_SWEEP_H
#define SEEDS_HITS_SWEEP_H

#include "graph/graph.h"

#include <stddef.h>

#define SWEEP_BLOCK 16384 /* the rows of a block, which one thread sums */

/* A run: `rows` rows in a row that have `length` targets each. */
struct sweep_run {
	uint32_t length, rows;
};

/* The first target and the first run of a block. */
struct sweep_block {
	uint64_t target;
	size_t run;
};

/* The caller zeroes the struct before; it may be built any number of times, and is released once. */
struct sweep {
	uint32_t rows, blocks;
	uint64_t targets;
	uint32_t *target;
	struct sweep_run *run; /* each run lies within one block */
	size_t runs;
	struct sweep_block *block;
	double *square; /* two numbers for each block: the sums that sweep_sum() makes */
	uint8_t *same;  /* for each block: sweep_sum() changed no bit */
	size_t target_room, run_room, block_room;
};

/* Begins a new matrix with so many targets in all. */
void sweep_begin(struct sweep *s, uint64_t targets);

/* Adds a row, and returns the memory to which the caller writes its `length` targets. */
uint32_t *sweep_row(struct sweep *s, uint32_t length);

/* Ends the matrix, after its last row. */
void sweep_end(struct sweep *s);

/* Returns the targets of a row, *length of them. Time: O(SWEEP_BLOCK). */
uint32_t *sweep_row_at(const struct sweep *s, uint32_t row, uint32_t *length);

/* Frees the memory. */
void sweep_release(struct sweep *s);

/* One multiplication: y[i] becomes scale * (sum of x[t] over the targets t of row i + leaves[i] * own * y[i]). */
struct sweep_step {
	const double *x;
	double scale;
	const uint32_t *leaves;
	double own;
	double *y;
};

struct sweep_sums {
	double square;      /* the sum of y[i]^2 */
	double leaf_square; /* the sum of leaves[i] * y[i]^2 */
	int same;           /* 1 if no bit of y has changed */
};

/* Does the multiplication for all rows. The result does not depend on `threads`. */
void sweep_sum(struct sweep *s, const struct sweep_step *step, unsigned threads, struct sweep_sums *sums);

#endif
