/* Divides the work on a graph into blocks that any number of threads process, so that the result does not depend
 * on their number: the blocks depend only on the graph, each block writes its results to memory of its own, and
 * sums over blocks are added in the order of the blocks.
 *
 *	blocks_cut(&b, g->offset, g->nodes, 1 << 16, 64);
 *	blocks_run(threads, b.count, work, ctx);             work(ctx, i) does block i
 *	sum = blocks_sum(part, b.count); */
#ifndef GRAPH_MEMORY_BLOCKS_H
#define GRAPH_MEMORY_BLOCKS_H

#include <stdint.h>

struct blocks {
	uint32_t count; /* >= 1 */
	uint32_t *cut;  /* count + 1: block b has the nodes cut[b]..cut[b + 1] - 1 */
};

/* Divides `nodes` rows into at most `most` blocks, each with about `grain` nodes and arcs together; a row is never
 * divided. offset[nodes + 1] is that of struct graph. */
void blocks_cut(struct blocks *b, const uint64_t *offset, uint32_t nodes, uint64_t grain, uint32_t most);

/* Frees the memory. */
void blocks_release(struct blocks *b);

/* Calls work(ctx, i) once for every i below `count`, in no particular order, on up to `threads` threads, one of
 * which is the caller's. Returns when all calls have returned. If the system gives fewer threads, fewer do the
 * work. */
void blocks_run(unsigned threads, uint32_t count, void (*work)(void *ctx, uint32_t i), void *ctx);

/* Returns part[0] + part[1] + ... + part[count - 1], added in this order. */
double blocks_sum(const double *part, uint32_t count);

#endif
