#include "graph/memory/blocks.h"
#include "graph/kernels/hits.h"
#include "graph/kernels/reorder.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Builds the layouts of both directions. is_fixed: the order of the targets in the rows of g depends on the graph only, so that
 * sums over them do, too. */
static void lay_out(struct hits *h, const struct graph *g, int is_fixed)
{
	struct gather_plan plan = {.blocks = 1, .abreast = 1, .threads = h->threads, .rows = GATHER_IN};

	gather_build(&h->in, g, &plan);
	if (is_fixed) {
		plan.rows = GATHER_OUT;
		gather_build(&h->out, g, &plan);
		return;
	}
	struct graph reverse; /* its in-links ascend, though the rows of g do not */
	graph_transpose(g, &reverse, h->threads);
	gather_build(&h->out, &reverse, &plan);
	graph_release(&reverse);
}

void hits_init(struct hits *h, const struct graph *g, unsigned threads)
{
	const int is_ordered = (g->flags & GRAPH_ORDERED) != 0;
	struct reorder r;

	*h = (struct hits){.threads = threads};
	/* the copy keeps the order of the targets in each row, so it is the same for equal graphs only if the rows ascend */
	if (!is_ordered || !reorder_pays(g, 2 * HITS_ITERATIONS)) {
		lay_out(h, g, is_ordered);
		return;
	}
	reorder_make(&r, g, threads);
	lay_out(h, &r.graph, 1);
	h->order = r.order;
	r.order = NULL;
	reorder_release(&r);
}

void hits_release(struct hits *h)
{
	gather_release(&h->in);
	gather_release(&h->out);
	free(h->order);
}

/* y = the sums of x over the rows, times `scale`, 0 where dead. */
struct step {
	const struct gather *gather;
	const double *x;
	double *y, scale;
	const uint8_t *dead;
	double *square; /* of y, an entry for each window */
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

/* Returns 1 / the norm of y. */
static double scale_of(const struct step *s)
{
	const double square = blocks_sum(s->square, s->gather->windows);

	return square > 0.0 ? 1.0 / sqrt(square) : 0.0;
}

/* Runs the iterations. The division of a vector by its norm is done when the next step reads it, which saves a pass. All arrays
 * are in the order of the rows. */
static void iterate(const struct hits *h, unsigned iterations, const uint8_t *dead, double *hub, double *authority)
{
	const uint32_t n = h->in.nodes;
	AUTO_FREE double *square = mem_zero((size_t)h->in.windows, sizeof *square);
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
}

void hits_run(const struct hits *h, unsigned iterations, const uint8_t *dead, double *hub, double *authority)
{
	const uint32_t n = h->in.nodes;

	if (!h->order) {
		iterate(h, iterations, dead, hub, authority);
		return;
	}
	double *own_hub = mem_big(n, sizeof *own_hub), *own = mem_big(n, sizeof *own);
	uint8_t *own_dead = dead ? mem_new(n, 1) : NULL;
	for (uint32_t i = 0; dead && i < n; i++)
		own_dead[i] = dead[h->order[i]];
	iterate(h, iterations, own_dead, own_hub, own);
	for (uint32_t i = 0; i < n; i++) {
		hub[h->order[i]] = own_hub[i];
		authority[h->order[i]] = own[i];
	}
	free(own_dead);
	mem_big_free(own_hub, n, sizeof *own_hub);
	mem_big_free(own, n, sizeof *own);
}

void hits_keys(const double *value, uint32_t n, uint64_t *key)
{
	double max = 0.0;

	for (uint32_t v = 0; v < n; v++)
		max = value[v] > max ? value[v] : max;
	for (uint32_t v = 0; v < n; v++)
		key[v] = max > 0.0 ? (uint64_t)(value[v] / max * 1e9 + 0.5) : 0;
}
