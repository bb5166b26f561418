#include "seeds/ball.h"
#include "base/mem.h"
#include "graph/graph.h"
#include "graph/memory/blocks.h"
#include "seeds/method.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* nodes a thread takes at a time: balls differ much in size */
#define CHUNK 256

void ball_init(struct ball *b, uint32_t nodes)
{
	*b = (struct ball){.node = mem_new(nodes, sizeof *b->node), .seen = mem_zero(nodes, sizeof *b->seen), .nodes = nodes};
}

void ball_release(struct ball *b)
{
	free(b->node);
	free(b->seen);
	*b = (struct ball){0};
}

static void visit(struct ball *b, uint32_t v)
{
	if (b->seen[v] == b->search)
		return;
	b->seen[v] = b->search;
	b->node[b->n++] = v;
}

void ball_search(struct ball *b, const struct graph *g, const uint32_t *from, size_t count, uint32_t hops)
{
	uint32_t at = 0;

	if (++b->search == 0) { /* every number has been used */
		memset(b->seen, 0, b->nodes * sizeof *b->seen);
		b->search = 1;
	}
	b->n = 0;
	for (size_t i = 0; i < count; i++)
		visit(b, from[i]);
	for (uint32_t hop = 0; hop < hops && at < b->n; hop++) {
		for (const uint32_t end = b->n; at < end; at++) {
			const uint32_t *row = graph_row(g, b->node[at]);
			for (uint32_t i = 0, n = graph_outdegree(g, b->node[at]); i < n; i++)
				visit(b, row[i]);
		}
	}
}

struct sums {
	const struct graph *g;
	const int64_t *value;
	uint32_t hops;
	int64_t *sum;
	_Atomic uint64_t next; /* node that nobody has taken yet */
};

/* Does the work of one thread: takes chunks of nodes until none is left. */
static void sum_some(void *ctx, uint32_t i)
{
	struct sums *s = ctx;
	struct ball b;
	uint64_t first;

	(void)i;
	ball_init(&b, s->g->nodes);
	while ((first = atomic_fetch_add(&s->next, CHUNK)) < s->g->nodes) {
		const uint64_t end = first + CHUNK < s->g->nodes ? first + CHUNK : s->g->nodes;
		for (uint32_t v = (uint32_t)first; v < end; v++) {
			int64_t sum = 0;
			ball_search(&b, s->g, &v, 1, s->hops);
			for (uint32_t k = 0; k < b.n; k++)
				sum += s->value[b.node[k]];
			s->sum[v] = sum;
		}
	}
	ball_release(&b);
}

void ball_sums(const struct graph *g, const int64_t *value, uint32_t hops, unsigned threads, int64_t *sum)
{
	struct sums s = {g, value, hops, sum, 0};

	blocks_run(threads, threads, sum_some, &s);
}

void coverage_of(const struct graph *g, const uint32_t *seed, size_t n, uint32_t hops, const int64_t *value, struct coverage *c)
{
	struct ball b;

	ball_init(&b, g->nodes);
	ball_search(&b, g, seed, n, hops);
	*c = (struct coverage){.pages = b.n};
	for (uint32_t i = 0; i < b.n; i++)
		c->value += value ? value[b.node[i]] : SEED_VALUE_ONE;
	ball_release(&b);
}
