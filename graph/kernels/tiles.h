/* A layout of a graph's links for repeated sums over the links into each page: sum_v = the sum of x_u over u -> v, for graphs whose
 * links lead anywhere. It needs no transposed graph, and no read or write of far memory for each link.
 *
 *	tiles_build(&t, g, &plan);
 *	for (b = 0; b < t.blocks; b++)
 *		tiles_add(&t, b, TILES_KEPT, x, GATHER_DOUBLES, sum);    sum[i] is of page tiles_first(&t, b) + i
 *
 * The pages are divided into blocks of consecutive targets and into strips of 65,536 consecutive sources. The links from a strip
 * into a block are a tile, and lie together, in the order of the graph; their ends are 16 bits each. While the tiles of a block are
 * added up, the sums of the block and the values of a strip are in the second-level cache, and the links are read from beginning to
 * end.
 *
 * The blocks are those of Beamer, Asanovic and Patterson, "Reducing PageRank communication via propagation blocking" (IPDPS 2017),
 * with their "deterministic" order of links, which is fixed once. Deviation: a sweep does not write the values into bins which
 * another pass adds up. It adds each tile from the values themselves, which
 *   saves a write and a read for each link, and costs one read of x in order for each block. So the sums of one block are complete
 *   before those of the next begin, and a caller may change x in between (Gauss-Seidel by blocks).
 *
 * The sum of a page is over its sources in ascending order, so it depends on the graph only. A layout is immutable once built. */
#ifndef GRAPH_KERNELS_TILES_H
#define GRAPH_KERNELS_TILES_H

#include "graph/graph.h"
#include "graph/kernels/gather.h"

#define TILES_STRIP UINT32_C(65536) /* pages of a strip, and at most of a block: what 16 bits name */

/* A link, by the places of its ends in the strip and in the block. */
struct tile_link {
	uint16_t from, to;
};

enum tiles_share {
	TILES_KEPT,     /* the links into pages that are not deferred */
	TILES_DEFERRED, /* the other ones */
};

struct tiles {
	uint32_t nodes, block_bits, blocks, strips; /* a block has 2^block_bits pages */
	uint64_t
		*begin; /* of the tile from strip s into block b: begin[(2 * b + share) * strips + s]; ends where the next begins */
	struct tile_link *link;
};

struct tiles_plan {
	uint32_t block_bits;     /* a block has 2^block_bits pages; at most 16 */
	unsigned threads;        /* >= 1; does not change the result */
	const uint8_t *deferred; /* 1 for each page whose links are a share of their own; NULL: none */
	uint8_t *loop;           /* NULL; or self-loops are removed, and loop[v] is set to 1 for their pages */
};

/* Says whether PageRank by tiles takes less time than by gather.h: the graph has TILES_PAGES pages or more, less than a fifth of
 * its links lead to pages that are near, by a sample of its rows, and tiles of 65,536 pages would have some thousands of links. The
 * answer depends on the graph only. */
int tiles_pay(const struct graph *g);

#define TILES_PAGES UINT32_C(65536) /* with fewer pages all values are in the cache, whatever the order */

/* Builds the layout in two passes over the links. Memory: 4 bytes for each link, and 16 for each tile. */
void tiles_build(struct tiles *t, const struct graph *g, const struct tiles_plan *plan);

/* Frees the memory. */
void tiles_release(struct tiles *t);

/* Returns the first page of block b; the number of pages if b = blocks. */
static inline uint32_t tiles_first(const struct tiles *t, uint32_t b)
{
	return b < t->blocks ? b << t->block_bits : t->nodes;
}

/* Adds to sum[i] the values x of the pages that link to page tiles_first(t, b) + i, for the pages of block b that are in the
 * share. x has a number for each page. */
void tiles_add(const struct tiles *t, uint32_t b, enum tiles_share share, const void *x, enum gather_numbers kind, double *sum);

#endif
