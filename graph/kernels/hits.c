#include "graph/memory/blocks.h"
#include "graph/kernels/hits.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

void hits_init(struct hits *h, const struct graph *g, unsigned threads)
{
	struct gather_plan plan = {
		.blocks = 1, .abreast = 1, .threads = threads, .rows = GATHER_IN};

	h->threads = threads;
	gather_build(&h->in, g, &plan);
	if (g->flags & GRAPH_ORDERED) {
		plan.rows = GATHER_OUT;
		gather_build(&h->out, g, &plan);
		return;
	}
	struct graph reverse; /* its in-links ascend, though the rows of g do not */
	graph_transpose(g, &reverse, threads);
	gather_build(&h->out, &reverse, &plan);
	graph_release(&reverse);
}

void hits_release(struct hits *h)
{
	gather_release(&h->in);
	gather_release(&h->out);
}

/* y = the sums of x over the rows, times `scale`, 0 where dead. */
struct step {
	const struct gather *gather;
	const double *x;
	double *y, scale;
	const uint8_t *dead;
	double *square; /* of y, a place a window */
};

static void step_window(void *ctx, uint32_t w)
{
	const struct step *s = ctx;
	const uint32_t first = gather_first(s->gather, w), end = gather_first(s->gather, w + 1);
	double sum[GATHER_WINDOW], square = 0.0;

	gather_sum(s->gather, w, s->x, sum);
	for (uint32_t v = first; v < end; v++) {
		const double y = s->dead && s->dead[v] ? 0.0 : sum[v - first] * s->scale;
		s->y[v] = y;
		square += y * y;
	}
	s->square[w] = square;
}

static void normalise_window(void *ctx, uint32_t w)
{
	const struct step *s = ctx;

	for (uint32_t v = gather_first(s->gather, w); v < gather_first(s->gather, w + 1); v++)
		s->y[v] *= s->scale;
}

/* 1 / the norm of y. */
static double scale_of(const struct step *s)
{
	const double square = blocks_sum(s->square, s->gather->windows);

	return square > 0.0 ? 1.0 / sqrt(square) : 0.0;
}

/* A vector is divided by its norm where the next step reads it: one pass less. */
void hits_run(const struct hits *h, unsigned iterations, const uint8_t *dead, double *hub,
	double *authority)
{
	const uint32_t n = h->in.nodes;
	double *square = mem_zero((size_t)h->in.windows, sizeof *square);
	struct step to_authority = {&h->in, hub, authority, 1.0, dead, square};
	struct step to_hub = {&h->out, authority, hub, 1.0, dead, square};

	for (uint32_t v = 0; v < n; v++) {
		hub[v] = dead && dead[v] ? 0.0 : 1.0;
		authority[v] = 0.0;
	}
	for (unsigned i = 0; i < iterations; i++) {
		blocks_run(h->threads, h->in.windows, step_window, &to_authority);
		to_hub.scale = scale_of(&to_authority);
		blocks_run(h->threads, h->in.windows, step_window, &to_hub);
		to_authority.scale = scale_of(&to_hub);
	}
	if (iterations) {
		const double last = to_authority.scale;
		to_authority.scale = to_hub.scale;
		to_hub.scale = last;
		blocks_run(h->threads, h->in.windows, normalise_window, &to_authority);
		blocks_run(h->threads, h->in.windows, normalise_window, &to_hub);
	}
	free(square);
}

void hits_keys(const double *value, uint32_t n, uint64_t *key)
{
	double max = 0.0;

	for (uint32_t v = 0; v < n; v++)
		max = value[v] > max ? value[v] : max;
	for (uint32_t v = 0; v < n; v++)
		key[v] = max > 0.0 ? (uint64_t)(value[v] / max * 1e9 + 0.5) : 0;
}
