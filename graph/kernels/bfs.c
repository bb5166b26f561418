#include "graph/kernels/bfs.h"
#include "graph/memory/blocks.h"
#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>

/* Rows are prefetched by the queue: the offsets of the node this many places ahead, and then its targets. */
#define AHEAD 12

/* Marks v as reached. Returns 1 if v was not marked before. The marks are bits, so that all of them stay in the cache. */
static int reach(uint64_t *reached, uint32_t v)
{
	const uint64_t bit = UINT64_C(1) << v % 64;
	const int fresh = !(reached[v / 64] & bit);

	reached[v / 64] |= bit;
	return fresh;
}

static uint32_t expand(const struct graph *g, uint64_t *reached, uint32_t *order, uint32_t head, uint32_t end)
{
	uint32_t tail = end;

	for (; head < end; head++) {
		const uint32_t u = order[head];
		if (head + 2 * AHEAD < tail)
			__builtin_prefetch(&g->offset[order[head + 2 * AHEAD]]);
		if (head + AHEAD < tail)
			__builtin_prefetch(graph_row(g, order[head + AHEAD]));
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			if (reach(reached, g->target[a]))
				order[tail++] = g->target[a];
	}
	return tail;
}

void bfs_run(struct bfs *b, const struct graph *g, const uint32_t *seeds, uint32_t n)
{
	const size_t words = (size_t)g->nodes / 64 + 1;
	uint64_t *reached = mem_big(words, sizeof *reached);
	size_t room = 0;
	uint32_t head = 0, tail = 0;

	*b = (struct bfs){.nodes = g->nodes};
	b->order = mem_big(g->nodes, sizeof *b->order);
	b->begin = mem_grow(NULL, &room, 1, sizeof *b->begin);
	b->begin[0] = 0;
	for (uint32_t i = 0; i < n; i++)
		if (reach(reached, seeds[i]))
			b->order[tail++] = seeds[i];
	while (head < tail) {
		const uint32_t end = tail;
		tail = expand(g, reached, b->order, head, end);
		head = end;
		b->begin = mem_grow(b->begin, &room, (size_t)b->levels + 2, sizeof *b->begin);
		b->begin[++b->levels] = end;
	}
	b->reached = tail;
	mem_big_free(reached, words, sizeof *reached);
}

void bfs_release(struct bfs *b)
{
	mem_big_free(b->order, b->nodes, sizeof *b->order);
	free(b->begin);
	*b = (struct bfs){0};
}

void bfs_levels(const struct bfs *b, uint32_t *level)
{
	for (uint32_t v = 0; v < b->nodes; v++)
		level[v] = BFS_UNREACHED;
	for (uint32_t l = 0; l < b->levels; l++)
		for (uint32_t i = b->begin[l]; i < b->begin[l + 1]; i++)
			level[b->order[i]] = l;
}

struct sample_part {
	uint64_t pairs, sum;
	uint32_t longest;
};

struct sample {
	const struct graph *g;
	const uint32_t *source;
	struct sample_part *part; /* an entry for each source */
};

/* Runs a search from source i, and writes the number of pages reached, the sum of their distances and the greatest distance. */
static void sum_distances(void *ctx, uint32_t i)
{
	const struct sample *s = ctx;
	struct bfs b;
	uint64_t sum = 0;

	bfs_run(&b, s->g, &s->source[i], 1);
	for (uint32_t l = 1; l < b.levels; l++)
		sum += (uint64_t)l * (b.begin[l + 1] - b.begin[l]);
	s->part[i].pairs = b.reached - 1;
	s->part[i].sum = sum;
	s->part[i].longest = b.levels - 1;
	bfs_release(&b);
}

void bfs_distance(const struct graph *g, struct bfs_distance *d)
{
	const uint32_t n = d->sources < g->nodes ? d->sources : g->nodes;
	uint32_t *source = mem_new(n, sizeof *source);
	struct rng rng = {d->rng_seed};
	struct sample s = {.g = g, .source = source};
	uint64_t sum = 0;

	rng_sample(&rng, g->nodes, n, source);
	s.part = mem_zero(n, sizeof *s.part);
	blocks_run(d->threads, n, sum_distances, &s);
	d->pairs = 0;
	d->longest = 0;
	for (uint32_t i = 0; i < n; i++) {
		d->pairs += s.part[i].pairs;
		sum += s.part[i].sum;
		if (s.part[i].longest > d->longest)
			d->longest = s.part[i].longest;
	}
	d->average = d->pairs ? (double)sum / (double)d->pairs : 0.0;
	free(source);
	free(s.part);
}
