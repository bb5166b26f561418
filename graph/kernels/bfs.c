#include "graph/kernels/bfs.h"
#include "graph/memory/blocks.h"
#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>

/* Rows are prefetched by the queue: the offsets of the node this many places ahead, and then its targets. */
#define AHEAD 12

/* When the way to the next level is chosen: a level with at most this part of the nodes is expanded; the links of a level are
 * estimated by so many of its nodes, and the work of a gathering by so many words of the bits. To look at a node that is not
 * reached is as much work as to read so many links. (On nine graphs the choice was the better one of the two, or within 5% of
 * it.) */
#define FEW       32
#define SAMPLED   4096
#define PROBED    64
#define NODE_WORK 2

/* The distances between so many sources pay for a transposed graph, which costs about as much as two searches. */
#define MANY_SOURCES 8

static size_t words_of(uint32_t nodes)
{
	return (size_t)nodes / 64 + 1;
}

/* Marks v as reached. Returns 1 if v was not marked before. The marks are bits, so that all of them stay in the cache. */
static int reach(uint64_t *reached, uint32_t v)
{
	const uint64_t bit = UINT64_C(1) << v % 64;
	const int fresh = !(reached[v / 64] & bit);

	reached[v / 64] |= bit;
	return fresh;
}

/* One search. The links of a level are followed from their pages (expand), or, if the transposed graph is at hand and that is less
 * work, found from the pages that are not reached yet (gather). */
struct search {
	const struct graph *g, *reverse; /* reverse: NULL, or the transposed graph */
	uint64_t *reached;               /* a bit for each node */
	uint32_t *order;
};

/* Finds nodes of the next level from their own side: a node that is not reached is in it if one of its in-links comes from a node
 * that is reached. (If that node were of a level before the last one, the other would be reached already.) Looks at the nodes of
 * every `step`th word of the bits, marks none, and adds those that it finds to the order, whose end is *tail. Returns the work. */
static uint64_t look(const struct search *s, size_t step, uint32_t *tail)
{
	const uint64_t *offset = s->reverse->offset, *reached = s->reached;
	const uint32_t *source = s->reverse->target, nodes = s->g->nodes;
	uint64_t work = 0;

	for (size_t word = 0; word < words_of(nodes); word += step) {
		uint64_t open = ~reached[word];
		if (word == nodes / 64)
			open &= (UINT64_C(1) << nodes % 64) - 1;
		for (; open; open &= open - 1) {
			const uint32_t v = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(open);
			uint64_t a = offset[v];
			while (a < offset[v + 1] && !(reached[source[a] / 64] >> source[a] % 64 & 1))
				a++;
			work += a - offset[v] + NODE_WORK;
			s->order[*tail] = v;
			*tail += a < offset[v + 1];
		}
	}
	return work;
}

static uint32_t gather(const struct search *s, uint32_t end)
{
	uint32_t tail = end;

	look(s, 1, &tail);
	for (uint32_t i = end; i < tail; i++)
		reach(s->reached, s->order[i]);
	return tail;
}

static uint32_t expand(const struct search *s, uint32_t head, uint32_t end)
{
	const struct graph *g = s->g;
	uint64_t *reached = s->reached;
	uint32_t *order = s->order;
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

/* Returns the number of links of the nodes order[head]..order[end - 1]; of many nodes it is an estimate. */
static uint64_t links_of(const struct graph *g, const uint32_t *order, uint32_t head, uint32_t end)
{
	const uint32_t step = (end - head) / SAMPLED + 1;
	uint64_t links = 0;

	for (uint32_t i = head; i < end; i += step)
		links += graph_outdegree(g, order[i]);
	return links * step;
}

/* Says whether it is less work to gather the next level than to expand the last one, order[head]..order[end - 1]. */
static int gathers(const struct search *s, uint32_t head, uint32_t end)
{
	const size_t step = words_of(s->g->nodes) / PROBED + 1;
	uint32_t tail = end;
	uint64_t links, work;

	if (!s->reverse || end - head <= s->g->nodes / FEW)
		return 0;
	links = links_of(s->g, s->order, head, end);
	work = look(s, step, &tail) * step;
	return work < links;
}

void bfs_run_both_ways(struct bfs *b, const struct graph *g, const struct graph *reverse, const uint32_t *seeds, uint32_t n)
{
	struct search s = {.g = g, .reverse = reverse, .reached = mem_big(words_of(g->nodes), sizeof *s.reached)};
	size_t room = 0;
	uint32_t head = 0, tail = 0;

	*b = (struct bfs){.nodes = g->nodes};
	s.order = b->order = mem_big((size_t)g->nodes + 1, sizeof *b->order);
	b->begin = mem_grow(NULL, &room, 1, sizeof *b->begin);
	b->begin[0] = 0;
	for (uint32_t i = 0; i < n; i++)
		if (reach(s.reached, seeds[i]))
			b->order[tail++] = seeds[i];
	while (head < tail) {
		const uint32_t end = tail;
		tail = gathers(&s, head, end) ? gather(&s, end) : expand(&s, head, end);
		head = end;
		b->begin = mem_grow(b->begin, &room, (size_t)b->levels + 2, sizeof *b->begin);
		b->begin[++b->levels] = end;
	}
	b->reached = tail;
	mem_big_free(s.reached, words_of(g->nodes), sizeof *s.reached);
}

void bfs_run(struct bfs *b, const struct graph *g, const uint32_t *seeds, uint32_t n)
{
	bfs_run_both_ways(b, g, NULL, seeds, n);
}

void bfs_release(struct bfs *b)
{
	mem_big_free(b->order, (size_t)b->nodes + 1, sizeof *b->order);
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
	const struct graph *g, *reverse; /* reverse: NULL, or the transposed graph */
	const uint32_t *source;
	struct sample_part *part; /* an entry for each source */
};

/* Runs a search from source i, and writes the number of pages reached, the sum of their distances and the greatest distance. */
static void sum_distances(void *ctx, uint32_t i)
{
	const struct sample *s = ctx;
	struct bfs b;
	uint64_t sum = 0;

	bfs_run_both_ways(&b, s->g, s->reverse, &s->source[i], 1);
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
	AUTO_FREE uint32_t *source = mem_new(n, sizeof *source);
	struct rng rng = {d->rng_seed};
	struct sample s = {.g = g, .source = source};
	struct graph reverse;
	uint64_t sum = 0;

	if (n >= MANY_SOURCES && !(g->flags & GRAPH_BOUNDED)) {
		graph_transpose(g, &reverse, d->threads);
		s.reverse = &reverse;
	}
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
	if (s.reverse)
		graph_release(&reverse);
	free(s.part);
}
