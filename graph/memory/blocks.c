#include "graph/memory/blocks.h"
#include "base/mem.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Threads beyond this many bring nothing: a block is tens of thousands of arcs. */
#define THREADS_MAX 256

void blocks_cut(struct blocks *b, const uint64_t *offset, uint32_t nodes, uint64_t grain, uint32_t most)
{
	const uint64_t total = offset[nodes] + nodes;
	uint64_t count = total / grain + 1;

	if (count > most)
		count = most;
	b->count = (uint32_t)count;
	b->cut = mem_new(count + 1, sizeof *b->cut);
	uint32_t v = 0;
	for (uint32_t i = 0; i < b->count; i++) {
		const uint64_t begin = total / count * i;

		uint32_t high = nodes;
		while (v < high) { /* the first row that begins at or behind `begin` */
			uint32_t middle = v + (high - v) / 2;
			if (offset[middle] + middle < begin)
				v = middle + 1;
			else
				high = middle;
		}
		b->cut[i] = v;
	}
	b->cut[b->count] = nodes;
}

void blocks_release(struct blocks *b)
{
	free(b->cut);
	b->cut = NULL;
	b->count = 0;
}

struct run {
	void (*work)(void *ctx, uint32_t i);
	void *ctx;
	uint32_t count;
	_Atomic uint64_t next; /* the first block nobody has taken */
};

static void *run_blocks(void *arg)
{
	struct run *r = arg;

	for (;;) {
		uint64_t i = atomic_fetch_add_explicit(&r->next, 1, memory_order_relaxed);
		if (i >= r->count)
			return NULL;
		r->work(r->ctx, (uint32_t)i);
	}
}

void blocks_run(unsigned threads, uint32_t count, void (*work)(void *ctx, uint32_t i), void *ctx)
{
	struct run r = {work, ctx, count, 0};
	pthread_t helper[THREADS_MAX];
	unsigned helpers = 0;

	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	while (helpers + 1 < threads && helpers + 1 < count) {
		if (pthread_create(&helper[helpers], NULL, run_blocks, &r) != 0)
			break;
		helpers++;
	}
	run_blocks(&r);
	while (helpers)
		pthread_join(helper[--helpers], NULL);
}

double blocks_sum(const double *part, uint32_t count)
{
	double sum = 0.0;

	for (uint32_t i = 0; i < count; i++)
		sum += part[i];
	return sum;
}
