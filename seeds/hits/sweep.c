#include "seeds/hits/sweep.h"
#include "base/mem.h"
#include "graph/memory/blocks.h"

#include <stdlib.h>

static void begin_block(struct sweep *s)
{
	s->block = mem_grow(s->block, &s->block_room, (size_t)s->blocks + 1, sizeof *s->block);
	s->block[s->blocks++] = (struct sweep_block){s->targets, s->runs};
}

void sweep_begin(struct sweep *s, uint64_t targets)
{
	if (targets > s->target_room) {
		free(s->target);
		s->target = mem_new(targets, sizeof *s->target);
		s->target_room = targets;
	}
	s->rows = s->blocks = 0;
	s->targets = s->runs = 0;
}

uint32_t *sweep_row(struct sweep *s, uint32_t length)
{
	const uint64_t at = s->targets;

	if (s->rows % SWEEP_BLOCK == 0)
		begin_block(s);
	s->rows++;
	s->targets += length;
	if (s->runs > s->block[s->blocks - 1].run && s->run[s->runs - 1].length == length) {
		s->run[s->runs - 1].rows++;
		return s->target + at;
	}
	s->run = mem_grow(s->run, &s->run_room, s->runs + 1, sizeof *s->run);
	s->run[s->runs++] = (struct sweep_run){length, 1};
	return s->target + at;
}

void sweep_end(struct sweep *s)
{
	free(s->square);
	free(s->same);
	s->square = mem_new(2 * (size_t)s->blocks, sizeof *s->square);
	s->same = mem_new(s->blocks, sizeof *s->same);
}

uint32_t *sweep_row_at(const struct sweep *s, uint32_t row, uint32_t *length)
{
	const struct sweep_block *b = &s->block[row / SWEEP_BLOCK];
	uint32_t *target = s->target + b->target, skip = row % SWEEP_BLOCK;
	const struct sweep_run *run = s->run + b->run;

	for (; skip >= run->rows; run++) {
		target += (size_t)run->length * run->rows;
		skip -= run->rows;
	}
	*length = run->length;
	return target + (size_t)run->length * skip;
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
	const struct sweep_step *step;
};

/* Sums the rows of a run. It is inlined, so that the compiler makes a copy for each small constant length. */
static inline __attribute__((always_inline)) void sum_run(const struct sweep_step *m, const uint32_t *target, uint32_t length,
	uint32_t first, uint32_t rows, struct sweep_sums *sums)
{
	double square = 0.0, leaf_square = 0.0;
	int same = 1;

	for (uint32_t i = first; i < first + rows; i++, target += length) {
		const double leaves = (double)m->leaves[i], was = m->y[i];
		double sum = 0.0;
		for (uint32_t k = 0; k < length; k++)
			sum += m->x[target[k]];
		sum = m->scale * (sum + leaves * (m->own * was));
		same &= sum == was;
		m->y[i] = sum;
		square += sum * sum;
		leaf_square += leaves * (sum * sum);
	}
	sums->square += square;
	sums->leaf_square += leaf_square;
	sums->same &= same;
}

/* Sums the rows of a block. The lengths 1 to 3 are constants in the calls, for which the compiler makes faster copies. */
static void sum_block(void *ctx, uint32_t b)
{
	const struct summing *m = ctx;
	struct sweep *s = m->s;
	const uint32_t *target = s->target + s->block[b].target;
	const size_t end = b + 1 < s->blocks ? s->block[b + 1].run : s->runs;
	uint32_t first = b * SWEEP_BLOCK;
	struct sweep_sums sums = {.same = 1};

	for (size_t r = s->block[b].run; r < end; r++) {
		const uint32_t length = s->run[r].length, rows = s->run[r].rows;
		if (length == 1)
			sum_run(m->step, target, 1, first, rows, &sums);
		else if (length == 2)
			sum_run(m->step, target, 2, first, rows, &sums);
		else if (length == 3)
			sum_run(m->step, target, 3, first, rows, &sums);
		else
			sum_run(m->step, target, length, first, rows, &sums);
		target += (size_t)length * rows;
		first += rows;
	}
	s->square[b] = sums.square;
	s->square[s->blocks + b] = sums.leaf_square;
	s->same[b] = (uint8_t)sums.same;
}

void sweep_sum(struct sweep *s, const struct sweep_step *step, unsigned threads, struct sweep_sums *sums)
{
	struct summing m = {s, step};

	blocks_run(threads, s->blocks, sum_block, &m);
	*sums = (struct sweep_sums){.square = blocks_sum(s->square, s->blocks),
		.leaf_square = blocks_sum(s->square + s->blocks, s->blocks),
		.same = 1};
	for (uint32_t b = 0; b < s->blocks; b++)
		sums->same &= s->same[b];
}
