#include "graph/kernels/pagerank_solve.h"
#include "graph/memory/blocks.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many blocks at a time are a phase. They see one another's values from before the phase, and may be processed in parallel. */
#define ABREAST 4

/* A block has the least power of two of pages, from 2^BITS_LEAST to what tiles.h allows, of which there are at most so many blocks:
 * with more of them a sweep reads all values more often, and with fewer it is more like one of Jacobi. */
#define BLOCKS     40
#define BITS_LEAST 11
#define BITS_MOST  16

static uint32_t bits_of_block(uint32_t pages)
{
	uint32_t bits = BITS_LEAST;

	while (bits < BITS_MOST && pages >> bits >= BLOCKS)
		bits++;
	return bits;
}

/* Replaces the sums of the pages first..end - 1 by the new values of share[]. Returns the L1 norm of the changes of y. */
static inline __attribute__((always_inline)) double move_pages(const struct solve *s, enum gather_numbers kind, uint32_t first,
	uint32_t end, double *sum)
{
	const struct solve_rates rates = s->rates;
	const double *divisor = s->divisor + first;
	const void *share = gather_at(s->share, kind, first);
	double change = 0.0;

	for (uint32_t i = 0; i < end - first; i++) {
		const double old = gather_value(share, kind, i);
		const double step = divisor[i] > 0.0 ? solve_step(rates, sum[i], divisor[i], old) : 0.0;
		change += fabs(step) * divisor[i];
		sum[i] = old + step;
	}
	return change;
}

/* The i-th block of the phase. */
static void sweep_block(void *ctx, uint32_t i)
{
	const struct solve *s = ctx;
	const uint32_t b = s->at + i;
	const uint32_t first = tiles_first(&s->tiles, b), end = tiles_first(&s->tiles, b + 1);
	double *sum = s->sums + ((size_t)i << s->tiles.block_bits);

	memset(sum, 0, (end - first) * sizeof *sum);
	tiles_add(&s->tiles, b, TILES_KEPT, s->share, s->kind, sum);
	s->change[b] = s->kind == GATHER_SINGLES ? move_pages(s, GATHER_SINGLES, first, end, sum)
						 : move_pages(s, GATHER_DOUBLES, first, end, sum);
}

static double sweep(struct solve *s)
{
	const struct tiles *t = &s->tiles;

	for (s->at = 0; s->at < t->blocks; s->at += ABREAST) {
		const uint32_t blocks = t->blocks - s->at < ABREAST ? t->blocks - s->at : ABREAST;
		const uint32_t first = tiles_first(t, s->at), end = tiles_first(t, s->at + blocks);
		blocks_run(s->threads, blocks, sweep_block, s);
		if (s->kind == GATHER_DOUBLES)
			memcpy((double *)s->share + first, s->sums, (end - first) * sizeof(double));
		for (uint32_t v = first; s->kind == GATHER_SINGLES && v < end; v++)
			((float *)s->share)[v] = (float)s->sums[v - first];
	}
	return blocks_sum(s->change, t->blocks);
}

static void sum_block(void *ctx, uint32_t b)
{
	const struct solve *s = ctx;
	const uint32_t first = tiles_first(&s->tiles, b);
	double *sum = s->rank + first;

	memset(sum, 0, (tiles_first(&s->tiles, b + 1) - first) * sizeof *sum);
	tiles_add(&s->tiles, b, TILES_KEPT, s->share, s->kind, sum);
	tiles_add(&s->tiles, b, TILES_DEFERRED, s->share, s->kind, sum);
}

static void sum_all(struct solve *s)
{
	blocks_run(s->threads, s->tiles.blocks, sum_block, s);
}

static enum gather_numbers build(struct solve *s, const uint8_t *deferred, uint8_t *loop)
{
	const struct tiles_plan plan = {.block_bits = bits_of_block(s->g->nodes),
		.threads = s->threads,
		.deferred = deferred,
		.loop = loop};

	tiles_build(&s->tiles, s->g, &plan);
	s->values = s->g->nodes;
	s->sums = mem_new((size_t)ABREAST << plan.block_bits, sizeof(double));
	return GATHER_SINGLES;
}

static void release(struct solve *s)
{
	tiles_release(&s->tiles);
	free(s->sums);
}

const struct solve_way solve_by_tiles = {build, sweep, sum_all, release};
