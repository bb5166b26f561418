/* Work on a graph cut into fixed blocks, done by any number of threads.
 *
 * Where the cuts fall depends on the graph alone; what a block computes goes to a place of its own,
 * and such places are summed in the order of the blocks. So no result depends on the threads. */
#ifndef GRAPH_MEMORY_BLOCKS_H
#define GRAPH_MEMORY_BLOCKS_H

#include <stdint.h>

struct blocks {
	uint32_t count; /* >= 1 */
	uint32_t *cut;  /* count + 1: block b holds the nodes cut[b]..cut[b + 1] - 1 */
};

/* Cuts `nodes` rows into blocks of about `grain` nodes and arcs together (a row is never cut), at
 * most `most` blocks. offset[nodes + 1] as in struct graph. */
void blocks_cut(
	struct blocks *b, const uint64_t *offset, uint32_t nodes, uint64_t grain, uint32_t most);
void blocks_release(struct blocks *b);

/* Calls work(ctx, i) once for every i below `count`, on up to `threads` threads (the caller's one
 * of them), in no particular order; returns when all are done. Where no more threads can be had,
 * fewer do the work. */
void blocks_run(unsigned threads, uint32_t count, void (*work)(void *ctx, uint32_t i), void *ctx);

/* part[0] + part[1] + ... in this order. */
double blocks_sum(const double *part, uint32_t count);

#endif
