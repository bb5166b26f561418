#include "seeds/sweep.h"
#include "base/mem.h"
#include "graph/blocks.h"

#include <math.h>
#include <stdlib.h>

static void begin_block(struct sweep *s)
{
	s->block = mem_grow(s->block, &s->block_room, (size_t)s->blocks + 1, sizeof *s->block);
	s->block[s->blocks++] = (struct sweep_block){s->targets, s->runs};
}

/* A row of so many targets comes behind the others. */
static void add_row(struct sweep *s, uint32_t length)
{
	if (s->rows % SWEEP_BLOCK == 0)
		begin_block(s);
	s->rows++;
	if (s->runs > s->block[s->blocks - 1].run && s->run[s->runs - 1].length == length) {
		s->run[s->runs - 1].rows++;
		return;
	}
	s->run = mem_grow(s->run, &s->run_room, s->runs + 1, sizeof *s->run);
	s->run[s->runs++] = (struct sweep_run){length, 1};
}

void sweep_build(struct sweep *s, const struct sweep_of *of)
{
	uint64_t arcs = 0;

	for (uint32_t i = 0; i < of->n; i++)
		arcs += graph_outdegree(of->graph, of->member[i]);
	if (arcs > s->target_room) {
		free(s->target);
		s->target = mem_new(arcs, sizeof *s->target);
		s->target_room = arcs;
	}
	s->rows = s->blocks = 0;
	s->targets = s->runs = 0;
	for (uint32_t i = 0; i < of->n; i++) {
		const uint32_t *row = graph_row(of->graph, of->member[i]);
		const uint64_t before = s->targets;
		uint32_t length = 0;
		for (uint32_t k = 0, n = graph_outdegree(of->graph, of->member[i]); k < n; k++)
			if (!of->dead[row[k]])
				s->target[before + length++] = of->place[row[k]] - of->first;
		add_row(s, length);
		s->targets = before + length;
	}
	free(s->square);
	free(s->same);
	s->square = mem_new(s->blocks, sizeof *s->square);
	s->same = mem_new(s->blocks, sizeof *s->same);
}

void sweep_release(struct sweep *s)
{
	free(s->target);
	free(s->run);
	free(s->block);
	free(s->square);
	free(s->same);
	*s = (struct sweep){0};
}

struct summing {
	struct sweep *s;
	const double *x;
	double scale, *y;
};

/* To be inlined with a constant length where that is small. */
static inline __attribute__((always_inline)) double sum_run(const struct summing *m,
	const uint32_t *target, uint32_t length, uint32_t first, uint32_t rows, uint8_t *same)
{
	double square = 0.0;

	for (uint32_t i = first; i < first + rows; i++, target += length) {
		double sum = m->x[target[0]];
		for (uint32_t k = 1; k < length; k++)
			sum += m->x[target[k]];
		sum *= m->scale;
		*same &= sum == m->y[i];
		m->y[i] = sum;
		square += sum * sum;
	}
	return square;
}

static void sum_block(void *ctx, uint32_t b)
{
	const struct summing *m = ctx;
	struct sweep *s = m->s;
	const uint32_t *target = s->target + s->block[b].target;
	const size_t end = b + 1 < s->blocks ? s->block[b + 1].run : s->runs;
	uint32_t first = b * SWEEP_BLOCK;
	double square = 0.0;
	uint8_t same = 1;

	for (size_t r = s->block[b].run; r < end; r++) {
		const uint32_t length = s->run[r].length, rows = s->run[r].rows;
		if (length == 1)
			square += sum_run(m, target, 1, first, rows, &same);
		else if (length == 2)
			square += sum_run(m, target, 2, first, rows, &same);
		else if (length == 3)
			square += sum_run(m, target, 3, first, rows, &same);
		else
			square += sum_run(m, target, length, first, rows, &same);
		target += (size_t)length * rows;
		first += rows;
	}
	s->square[b] = square;
	s->same[b] = same;
}

double sweep_sum(
	struct sweep *s, const double *x, double scale, double *y, unsigned threads, int *same)
{
	struct summing m = {s, x, scale, y};

	blocks_run(threads, s->blocks, sum_block, &m);
	for (uint32_t b = 0; b < s->blocks; b++)
		*same &= s->same[b];
	return sqrt(blocks_sum(s->square, s->blocks));
}
