#include "seeds/best.h"
#include "base/mem.h"
#include "graph/kernels/topk.h"
#include "seeds/method.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 512

void best_init(struct best *b, int64_t *value, uint32_t n)
{
	const size_t blocks = n / BLOCK + 1;

	*b = (struct best){.value = value,
		.out = mem_zero(n, sizeof *b->out),
		.n = n,
		.top = mem_new(blocks, sizeof *b->top),
		.stale = mem_new(blocks, sizeof *b->stale)};
	memset(b->stale, 1, blocks);
}

void best_release(struct best *b)
{
	free(b->out);
	free(b->top);
	free(b->stale);
	*b = (struct best){0};
}

void best_set(struct best *b, uint32_t place, int64_t value)
{
	b->value[place] = value;
	b->stale[place / BLOCK] = 1;
}

void best_take_out(struct best *b, uint32_t place)
{
	b->out[place] = 1;
	b->stale[place / BLOCK] = 1;
}

static uint32_t better(const struct best *b, uint32_t best, uint32_t place)
{
	if (best == BEST_NONE || (place != BEST_NONE && b->value[place] > b->value[best]))
		return place;
	return best;
}

static uint32_t scan(const struct best *b, uint32_t from, uint32_t to)
{
	uint32_t best = BEST_NONE;

	for (uint32_t i = from; i < to; i++)
		if (!b->out[i])
			best = better(b, best, i);
	return best;
}

static uint32_t block_top(struct best *b, uint32_t block)
{
	if (b->stale[block])
		b->top[block] = scan(b, block * BLOCK, (block + 1) * BLOCK);
	b->stale[block] = 0;
	return b->top[block];
}

uint32_t best_find(struct best *b, uint32_t from, uint32_t to)
{
	const uint32_t first = from / BLOCK + (from % BLOCK != 0), end = to / BLOCK;

	if (first >= end)
		return scan(b, from, to);
	uint32_t best = scan(b, from, first * BLOCK);
	for (uint32_t block = first; block < end; block++)
		best = better(b, best, block_top(b, block));
	return better(b, best, scan(b, end * BLOCK, to));
}

void seeds_by_key(const struct seed_input *in, const uint64_t *key, size_t k, struct seed_output *out)
{
	const uint32_t nodes = in->graph->nodes;
	const uint32_t m = k < nodes && !in->enough && !in->barred ? (uint32_t)k : nodes;
	AUTO_FREE uint32_t *top = mem_new(m, sizeof *top);

	topk(key, nodes, m, top);
	for (uint32_t i = 0; i < m && !seeds_enough(in, k, out); i++)
		if (!seeds_barred(in, top[i]))
			seed_output_add(out, top[i]);
}

uint32_t seeds_outdegree(const struct graph *g, uint32_t u)
{
	const uint32_t *row = graph_row(g, u), n = graph_outdegree(g, u);

	for (uint32_t i = 0; i < n; i++)
		if (row[i] == u)
			return n - 1;
	return n;
}
